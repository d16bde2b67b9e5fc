/** A gateway whose costs are measured, with the processor time of each part. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOwnAim } from '../../../test/servers/account.ts';
import type { Scope } from '../../../test/servers/scope.ts';
import {
  ADMIN_TOKEN,
  allServe,
  type Backends,
  startBackends,
  startGateway,
  UNBOUNDED,
} from '../../../test/servers/testbed.ts';
import { rssBytes, type Spent, spentMs, totalOf } from '../../cpu.ts';
import type { Aim } from '../../load/aim.ts';
import type { Generator } from '../../load/fire.ts';
import { connectionsFor, type Mix, needsOf } from '../../load/mix.ts';
import { recipeOf } from '../../load/recipes.ts';

/** One or more gateway processes on one port, and their stores. */
export interface Subject {
  readonly url: string;
  readonly aim: Aim;
  readonly backends: Backends;
  readonly processes: number;
  /** Milliseconds of processor time so far. */
  spentMs(): Spent;
  /** Memory of the process, if it is only one. */
  rssBytes(): number;
  logBytes(): number;
}

const CONNECTIONS = 32;
/** More than there are pictures for hits. */
const WARM_UP_REQUESTS = 400;
/** The database of each subject. Each has its own server. */
export const DATABASE = 'model';
/** After this time the background work of calls, such as draining the ledger, is done. */
const QUIET_MS = 1500;

/** Resolves when no work of earlier calls is left. */
export const settle = (): Promise<unknown> => sleep(QUIET_MS);

/** Draws the pictures that hits must find, and runs every kind until its code is compiled in every process. */
const warmUp = async (generator: Generator, { url, aim, processes }: Subject, mix: Mix) => {
  for (const [name] of mix) {
    const requests = processes * Math.ceil(WARM_UP_REQUESTS / Math.max(1, recipeOf(name).codes));
    const one = [[name, 1]] as const;
    const job = { url, mix: one, aim, connections: connectionsFor(one, aim, CONNECTIONS * processes) };
    const { tally } = await generator.counted({ ...job, requests });
    if (tally.good < requests * 0.95)
      throw new Error(`${name}: ${tally.good} of ${requests} answers were right`);
  }
};

/** Starts gateway processes on new stores and warms them up with every kind of the mix. */
export const startSubject = async (
  scope: Scope,
  generator: Generator,
  options: {
    readonly name: string;
    readonly mix: Mix;
    readonly processes?: number;
    /** Returns variables to add to the environment of the gateway. */
    readonly env?: (backends: Backends) => Promise<Readonly<Record<string, string>>>;
    /** Returns the address that the load goes to. Without it, the load goes to the gateway directly. */
    readonly front?: (url: string) => Promise<string>;
  },
): Promise<Subject> => {
  const { name, env, mix, front, processes = 1 } = options;
  const backends = await startBackends(scope);
  const gateway = await startGateway(scope, backends, {
    database: DATABASE,
    env: {
      REDIS_URL: backends.redis.url,
      GATEWAYS: String(processes),
      RENDER_THREADS: '1',
      ...UNBOUNDED,
      ...(await env?.(backends)),
    },
  });
  await allServe(gateway.url, processes);
  const aim = await createOwnAim(gateway.url, ADMIN_TOKEN, name, needsOf(mix));
  const logFile = join(backends.folder, `${DATABASE}-${new URL(gateway.url).port}.log`);
  const subject: Subject = {
    url: front === undefined ? gateway.url : new URL(await front(gateway.url)).origin,
    aim,
    backends,
    processes,
    spentMs: () => spentMs(gateway.pid, backends),
    rssBytes: () => rssBytes(gateway.pid),
    logBytes: () => statSync(logFile).size,
  };
  await warmUp(generator, subject, mix);
  return subject;
};

/** Returns the cheapest measurement, because other work on the machine only adds to it. */
export const cheapest = <T extends { readonly us: Spent }>(measured: readonly T[]): T =>
  measured.reduce((best, one) => (totalOf(one.us) < totalOf(best.us) ? one : best));
