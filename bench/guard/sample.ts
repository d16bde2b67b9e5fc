/** Starts everything that the guard measures, and samples it round by round. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { createAccount, createAim } from '../../test/servers/account.ts';
import type { Server } from '../../test/servers/node-server.ts';
import type { Scope } from '../../test/servers/scope.ts';
import {
  ADMIN_TOKEN,
  OWN_BUILD,
  startBackends,
  startBare,
  startGateway,
} from '../../test/servers/testbed.ts';
import { cpuMs as cpuMsOf } from '../cpu.ts';
import { type Aim, plainAim } from '../load/aim.ts';
import { type Generator, startGenerator } from '../load/fire.ts';
import { failuresOf } from '../load/tally.ts';
import { MEASURES, type MicrobenchmarkMeasure, type RequestMeasure, ROUND } from './measures.ts';
import type { MicrobenchmarkCost, MicrobenchmarkTask } from './microbenchmarks.ts';

const CONNECTIONS = 8;
const RUN = 'guard';

interface Target {
  readonly server: Server;
  readonly aim: Aim;
}

interface Setup {
  readonly generator: Generator;
  readonly microbenchmarks: ChildProcess;
  readonly targets: Readonly<Record<RequestMeasure['server'], Target>>;
}

const prepare = async (server: Server): Promise<Target> => {
  const { key } = await createAccount(server.url, ADMIN_TOKEN, RUN);
  return { server, aim: await createAim(server.url, key, RUN) };
};

const startSetup = async (scope: Scope, build: string): Promise<Setup> => {
  const backends = await startBackends(scope);
  const { redis, postgres } = backends;
  const withRedis = { REDIS_URL: redis.url };
  const bare = await startBare(scope, backends);
  const gateway = await startGateway(scope, backends, { build, database: 'redis_ledger', env: withRedis });
  const gatewaySql = await startGateway(scope, backends, { build, database: 'sql_ledger' });
  const microbenchmarks = fork(
    join(build, 'bench/guard/microbenchmarks.js'),
    // A logical database of Redis that the gateway does not use.
    [
      `${redis.url}/1`,
      await postgres.createDatabase('micro_redis'),
      await postgres.createDatabase('micro_sql'),
    ],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  scope.teardown(() => microbenchmarks.kill());
  await answerOf(microbenchmarks);
  return {
    generator: startGenerator(scope),
    microbenchmarks,
    targets: {
      bare: { server: bare, aim: plainAim(RUN) },
      redis: await prepare(gateway),
      sql: await prepare(gatewaySql),
    },
  };
};

const answerOf = (microbenchmarks: ChildProcess): Promise<MicrobenchmarkCost> =>
  new Promise((resolve, reject) => {
    const ended = () => reject(new Error('the process that runs the microbenchmarks ended early'));
    microbenchmarks.once('exit', ended);
    microbenchmarks.once('message', (cost: MicrobenchmarkCost) => {
      microbenchmarks.off('exit', ended);
      resolve(cost);
    });
  });

const sampleMicrobenchmark = async (
  { microbenchmarks }: Setup,
  { microbenchmark }: MicrobenchmarkMeasure,
  times: number,
): Promise<number> => {
  const task: MicrobenchmarkTask = { microbenchmark, times };
  microbenchmarks.send(task);
  const { cpuMs } = await answerOf(microbenchmarks);
  return cpuMs / times;
};

const sampleRequest = async (
  { generator, targets }: Setup,
  { name, server, recipe }: RequestMeasure,
  times: number,
): Promise<number> => {
  const target = targets[server];
  let beforeMs = 0;
  const job = {
    url: target.server.url,
    mix: [[recipe, 1]] as const,
    aim: target.aim,
    connections: CONNECTIONS,
    requests: times,
  };
  const { tally } = await generator.counted(job, () => {
    beforeMs = cpuMsOf(target.server.pid);
  });
  const spentMs = cpuMsOf(target.server.pid) - beforeMs;
  if (failuresOf(tally) > 0)
    throw new Error(`${name}: ${JSON.stringify(tally)}\n${target.server.complaints()}`);
  return spentMs / times;
};

/** Processor milliseconds of one repetition, by measure, in the order of sampling. */
export type Samples = Readonly<Record<string, readonly number[]>>;

/** How much to sample, and of which build. */
export interface SampleOptions {
  readonly rounds: number;
  /** Warm-up rounds before the first sample, three times as long, in which the code is compiled. */
  readonly warmUpRounds: number;
  /** Folder of the build to measure; this build by default. */
  readonly build?: string;
}

/**
 * Starts servers and databases in `scope` and takes `rounds` samples of each measure. @throws When a request fails.
 */
export const sample = async (scope: Scope, options: SampleOptions): Promise<Samples> => {
  const setup = await startSetup(scope, options.build ?? OWN_BUILD);
  const samples: Record<string, number[]> = Object.fromEntries(MEASURES.map(({ name }) => [name, []]));
  for (let round = -options.warmUpRounds; round < options.rounds; round += 1) {
    for (const measure of ROUND) {
      const times = round < 0 ? 3 * measure.times : measure.times;
      const cost =
        measure.kind === 'microbenchmark'
          ? await sampleMicrobenchmark(setup, measure, times)
          : await sampleRequest(setup, measure, times);
      if (round >= 0) samples[measure.name]!.push(cost);
    }
  }
  return samples;
};
