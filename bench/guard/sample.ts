/** Starts everything that the guard measures, and samples it round by round. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Scope } from '../../test/servers/scope.ts';
import { OWN_BUILD, startBackends, startBare, startTarget } from '../../test/servers/testbed.ts';
import { cpuMs } from '../cpu.ts';
import { plainAim } from '../load/aim.ts';
import { startGenerator } from '../load/fire.ts';
import { failuresOf } from '../load/outcomes.ts';
import { MEASURES, type Measure, ROUND } from './measures.ts';
import type { MicrobenchmarkTask } from './microbenchmarks.ts';

const CONNECTIONS = 8;
/** Rounds before the first sample, three times as long, in which the code is compiled. */
const WARM_UP_ROUNDS = 3;
const RUN = 'guard';

const answerOf = (microbenchmarks: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    const ended = () => reject(new Error('the process that runs the microbenchmarks ended early'));
    microbenchmarks.once('exit', ended);
    microbenchmarks.once('message', (ms: number) => {
      microbenchmarks.off('exit', ended);
      resolve(ms);
    });
  });

/** Starts servers and databases. Returns a function that takes a sample: the processor time of all repetitions in ms. */
const startAll = async (scope: Scope) => {
  const backends = await startBackends(scope);
  const { redis, postgres } = backends;
  const withRedis = { REDIS_URL: redis.url };
  const targets = {
    bare: { gateway: await startBare(scope, backends), aim: plainAim(RUN) },
    redis: await startTarget(scope, backends, { database: 'redis_ledger', env: withRedis, run: RUN }),
    sql: await startTarget(scope, backends, { database: 'sql_ledger', run: RUN }),
  };
  const microbenchmarks = fork(
    join(OWN_BUILD, 'bench/guard/microbenchmarks.js'),
    // A logical database of Redis that the gateway does not use.
    [`${redis.url}/1`, await postgres.createDatabase('micro1'), await postgres.createDatabase('micro2')],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  scope.teardown(() => microbenchmarks.kill());
  await answerOf(microbenchmarks);
  const generator = startGenerator(scope);
  return async ({ name, to }: Measure, times: number): Promise<number> => {
    if (to === null) {
      microbenchmarks.send({ name, times } as MicrobenchmarkTask);
      return answerOf(microbenchmarks);
    }
    const { aim, gateway } = targets[to[0]];
    let beforeMs = 0;
    const job = { url: gateway.url, mix: [[to[1], 1]] as const, aim, connections: CONNECTIONS };
    const { tally } = await generator.counted({ ...job, requests: times }, () => {
      beforeMs = cpuMs(gateway.pid);
    });
    const spentMs = cpuMs(gateway.pid) - beforeMs;
    if (failuresOf(tally) > 0) throw new Error(`${name}: ${JSON.stringify(tally)}\n${gateway.complaints()}`);
    return spentMs;
  };
};

/** Processor milliseconds of one repetition, by measure, in the order of sampling. */
export type Samples = Readonly<Record<string, readonly number[]>>;

/** Starts servers and databases in `scope` and takes `rounds` samples of each measure. @throws When a request fails. */
export const sample = async (scope: Scope, rounds: number): Promise<Samples> => {
  const take = await startAll(scope);
  const samples: Record<string, number[]> = Object.fromEntries(MEASURES.map(({ name }) => [name, []]));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    for (const measure of ROUND) {
      const times = round < 0 ? 3 * measure.times : measure.times;
      const spentMs = await take(measure, times);
      if (round >= 0) samples[measure.name]!.push(spentMs / times);
    }
  }
  return samples;
};
