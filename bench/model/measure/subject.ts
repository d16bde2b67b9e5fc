/** A gateway whose costs are measured, with the processor time of each of its parts. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOwnAim } from '../../../test/servers/account.ts';
import type { Scope } from '../../../test/servers/scope.ts';
import {
  ADMIN_TOKEN,
  type Backends,
  startBackends,
  startGateway,
  UNBOUNDED,
} from '../../../test/servers/testbed.ts';
import { endedChildrenMs, threadsMs, treeCpuMs } from '../../cpu.ts';
import type { Aim } from '../../load/aim.ts';
import type { Generator } from '../../load/fire.ts';
import { connectionsFor, type Mix, needsOf } from '../../load/mix.ts';
import { recipeOf } from '../../load/recipes.ts';
import { type ByPart, byPart, PARTS } from '../model.ts';

/** A gateway of one process, and its stores. */
export interface Subject {
  readonly url: string;
  readonly aim: Aim;
  readonly backends: Backends;
  /** Milliseconds of processor time so far. */
  spentMs(): ByPart;
  logBytes(): number;
}

const CONNECTIONS = 32;
/** More than there are pictures for hits. */
const WARM_UP_REQUESTS = 400;
/** Render threads beyond those that the metrics count. */
const EXPRESS_THREADS = 1;
/** The database of each subject. Each has its own server. */
export const DATABASE = 'model';
/** After this time the background work of calls, such as draining the ledger, is done. */
const QUIET_MS = 1500;

/** Resolves when no work of earlier calls is left. */
export const settle = (): Promise<unknown> => sleep(QUIET_MS);

const renderThreads = async (url: string): Promise<number> => {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
  const found = /^tessera_render_threads (\d+)$/m.exec(await answer.text());
  if (found === null) throw new Error('the metrics of the gateway do not name the number of render threads');
  return Number(found[1]);
};

/** Draws the pictures that hits must find, and runs every kind until its code is compiled. */
const warmUp = async (generator: Generator, url: string, aim: Aim, mix: Mix) => {
  for (const [name] of mix) {
    const requests = recipeOf(name).codes > 1 ? WARM_UP_REQUESTS / 10 : WARM_UP_REQUESTS;
    const one = [[name, 1]] as const;
    const job = { url, mix: one, aim, connections: connectionsFor(one, aim, CONNECTIONS) };
    const { tally } = await generator.counted({ ...job, requests });
    if (tally.good < requests * 0.99)
      throw new Error(`${name}: ${tally.good} of ${requests} answers were right`);
  }
};

/**
 * Starts a gateway on the stores and warms it up with every kind of the mix.
 *
 * Linux does not tell which threads render. They are taken to be the busiest ones during the warm-up, as many as the
 * gateway reports.
 */
export const startSubject = async (
  scope: Scope,
  generator: Generator,
  options: {
    readonly name: string;
    readonly mix: Mix;
    /** Returns variables to add to the environment of the gateway. */
    readonly env?: (backends: Backends) => Promise<Readonly<Record<string, string>>>;
    /** Returns the address that the load goes to. Without it, the load goes to the gateway directly. */
    readonly front?: (url: string) => Promise<string>;
  },
): Promise<Subject> => {
  const { name, env, mix, front } = options;
  const backends = await startBackends(scope);
  const gateway = await startGateway(scope, backends, {
    database: DATABASE,
    env: { REDIS_URL: backends.redis.url, ...UNBOUNDED, ...(await env?.(backends)) },
  });
  const aim = await createOwnAim(gateway.url, ADMIN_TOKEN, name, needsOf(mix));
  const before = threadsMs(gateway.pid);
  const url = front === undefined ? gateway.url : await front(gateway.url);
  await warmUp(generator, url, aim, mix);
  const busiest = [...threadsMs(gateway.pid)]
    .filter(([id]) => id !== gateway.pid)
    .map(([id, ms]) => ({ id, ms: ms - (before.get(id) ?? 0) }))
    .sort((a, b) => b.ms - a.ms);
  const drawing = new Set(
    busiest.slice(0, EXPRESS_THREADS + (await renderThreads(gateway.url))).map(({ id }) => id),
  );
  const logFile = join(backends.folder, `${DATABASE}-${new URL(gateway.url).port}.log`);
  return {
    url,
    aim,
    backends,
    logBytes: () => statSync(logFile).size,
    spentMs() {
      const threads = [...threadsMs(gateway.pid)];
      const sum = (isIt: (id: number) => boolean) =>
        threads.reduce((total, [id, ms]) => total + (isIt(id) ? ms : 0), 0);
      const { redis, postgres } = backends;
      return {
        loop: sum((id) => id === gateway.pid),
        drawing: sum((id) => drawing.has(id)),
        threads: sum((id) => id !== gateway.pid && !drawing.has(id)),
        redis: treeCpuMs(redis.pid),
        postgres: treeCpuMs(postgres.pid) + endedChildrenMs(postgres.pid),
      };
    },
  };
};

/** Returns the microseconds that one of `calls` calls took of each part, on average. */
export const usOfEach = (before: ByPart, after: ByPart, calls: number): ByPart =>
  byPart((part) => ((after[part] - before[part]) * 1000) / Math.max(1, calls));

/** Returns the cheapest measurement, because other work on the machine only adds to it. */
export const cheapest = <T extends { readonly us: ByPart }>(measured: readonly T[]): T =>
  measured.reduce((best, one) =>
    PARTS.reduce((total, part) => total + one.us[part] - best.us[part], 0) < 0 ? one : best,
  );
