import { once } from 'node:events';
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { openOn } from '../../../bench/parts/databases.ts';
import type { Part } from '../../../bench/parts/part.ts';
import { atMost, measured, say, type Verdict } from '../../../bench/say.ts';
import { quantile, sum } from '../../../bench/stats.ts';
import type { Scope } from '../../servers/scope.ts';
import { startBackends, startGateway } from '../../servers/testbed.ts';
import { createTenant, type Tenant } from '../tenant.ts';
import { ATTACKS, OPERATORS } from './attacks.ts';
import type { Order } from './lanes.ts';
import { createProbes, noTimes, PROBES, type Times } from './probes.ts';

/** The p99 of others beside the attack, as a multiple of their p99 without one. */
const RISE_MAX = 3;
/** A tenant rests until the others had their turns, so that each begins with all the free work that it can save. */
const TENANTS = 5;
/** Routes between two measurements without an attack. */
const ROUTES_BETWEEN = 4;
const SETTLE_MS = 500;

/** A call of the document. */
export interface Called {
  readonly operationId: string;
  /** Its method and path. */
  readonly name: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
}

/** Returns the calls of an OpenAPI document, each operation once. */
export const calledIn = ({ paths }: Document): readonly Called[] => {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      operationId === undefined ? [] : [{ operationId, name: `${method.toUpperCase()} ${path}` }],
    ),
  );
  return [...new Map(all.toReversed().map((one) => [one.operationId, one] as const)).values()].toReversed();
};

/** Returns the calls without an entry in the lists of attacks and of the operator, and the entries without a call. */
export const differences = (calls: readonly Called[]): readonly string[] => {
  const ids = calls.map(({ operationId }) => operationId);
  const listed = [...Object.keys(ATTACKS), ...OPERATORS];
  return [...ids.filter((id) => !listed.includes(id)), ...listed.filter((id) => !ids.includes(id))];
};

interface Measured {
  readonly called: Called;
  readonly alone: Times;
  readonly beside: Times;
  /** The answers to the attack, by status. */
  readonly statuses: Readonly<Record<number, number>>;
}

const p99 = (ms: readonly number[]): number => quantile(ms, 0.99);

const worstRise = ({ alone, beside }: Measured): number =>
  Math.max(...PROBES.map((probe) => p99(beside[probe].ms) / p99(alone[probe].ms)));

/** Whether no request of the attack was answered as it should. */
const isUseless = ({ statuses }: Measured): boolean =>
  !Object.keys(statuses).some((status) => Number(status) < 400);

/** Starts the thread of the attackers. Returns what begins an attack, which returns what ends it. */
const startLanes = (scope: Scope) => {
  const worker = new Worker(new URL(`lanes${extname(new URL(import.meta.url).pathname)}`, import.meta.url));
  scope.teardown(() => worker.terminate());
  return (operationId: string, tenant: Tenant) => {
    worker.postMessage({ operationId, tenant } satisfies Order);
    return async (): Promise<Measured['statuses']> => {
      worker.postMessage('end' satisfies Order);
      return (await once(worker, 'message'))[0];
    };
  };
};

const verdictsOf = (one: Measured): readonly Verdict[] => {
  const { name } = one.called;
  const refused = sum(PROBES.map((probe) => one.beside[probe].refused));
  return [
    ...PROBES.flatMap((probe) => [
      measured(`${name}: p99 of ${probe} alone`, p99(one.alone[probe].ms), 'ms'),
      measured(`${name}: p99 of ${probe} beside it`, p99(one.beside[probe].ms), 'ms'),
    ]),
    measured(`${name}: refused calls beside it`, refused, ''),
    atMost(`${name}: the worst p99 beside it`, worstRise(one), RISE_MAX, 'times'),
  ];
};

/** Starts a gateway with its tenants. Returns the routes to attack, and a function that measures some of them. */
const startAll = async (scope: Scope, seconds: number, only: readonly string[]) => {
  const backends = await startBackends(scope);
  const DATABASE_URL = await backends.postgres.createDatabase('neighbours');
  const env = {
    ...{ DATABASE_URL, REDIS_URL: backends.redis.url, GATEWAYS: '1', RATE_LIMIT_PER_SECOND: '50' },
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
  };
  const { url } = await startGateway(scope, backends, { database: 'neighbours', env });
  const calls = calledIn((await (await fetch(`${url}/openapi.json`)).json()) as Document);
  const missing = differences(calls);
  if (missing.length > 0) throw new Error(`the list of attacks differs in ${missing.join(', ')}`);
  const routes = calls.filter(
    ({ operationId, name }) =>
      !OPERATORS.includes(operationId) && only.some((text) => `${name} ${operationId}`.includes(text)),
  );
  if (routes.length === 0) throw new Error(`--only: no route has ${only.join(' or ')} in its name`);
  const { sql } = await openOn(scope, DATABASE_URL);
  const tenants = await Promise.all(
    Array.from({ length: Math.min(TENANTS, 2 * routes.length) }, (_, n) => createTenant(url, sql, n)),
  );
  say(`${tenants.length} accounts are filled; ${routes.length} routes`);
  const [measure, attack] = [await createProbes(scope, url), startLanes(scope)];
  await measure(noTimes(), 2 * seconds);

  let turns = 0;
  const measureSome = async (some: readonly Called[]): Promise<Measured[]> => {
    const alone = noTimes();
    const during: Measured[] = [];
    await measure(alone, seconds);
    for (const called of some) {
      const [beside, tenant] = [noTimes(), tenants[turns % tenants.length]!];
      turns += 1;
      const end = attack(called.operationId, tenant);
      await measure(beside, seconds);
      during.push({ called, alone, beside, statuses: await end() });
      await sleep(SETTLE_MS);
    }
    await measure(alone, seconds);
    return during;
  };
  return { routes, measureSome };
};

/** The effect on other accounts of the most expensive calls of one account, route by route. */
export const neighbours: Part<{ readonly seconds: number; readonly only: readonly string[] }> = async (
  scope,
  { seconds, only },
) => {
  const { routes, measureSome } = await startAll(scope, seconds, only);
  const measureAll = async (some: readonly Called[], atOnce: number): Promise<Measured[]> => {
    const all: Measured[] = [];
    for (let from = 0; from < some.length; from += atOnce) {
      const measured = await measureSome(some.slice(from, from + atOnce));
      for (const one of measured)
        say(`${one.called.name}: ${worstRise(one).toFixed(1)} ${JSON.stringify(one.statuses)}`);
      all.push(...measured);
    }
    return all;
  };
  const first = await measureAll(routes, ROUTES_BETWEEN);
  // Machines are noisy: what is above the limit is measured again, and the better result counts.
  const suspects = first.filter((one) => worstRise(one) > RISE_MAX).map(({ called }) => called);
  const second = await measureAll(suspects, 1);
  const better = first.map((one) => {
    const other = second.find(({ called }) => called === one.called);
    return other !== undefined && !isUseless(other) && worstRise(other) < worstRise(one) ? other : one;
  });
  const useless = better.filter(isUseless).map(({ called }) => called.name);
  if (useless.length > 0) throw new Error(`no answer was right: ${useless.join(', ')}`);
  return better.flatMap(verdictsOf);
};
