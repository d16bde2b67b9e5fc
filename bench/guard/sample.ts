/** Starts what the guard measures and takes samples of it, round by round. */
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
import type { Aim } from '../load/aim.ts';
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

interface Rig {
  readonly generator: Generator;
  readonly microbenchmarks: ChildProcess;
  readonly targets: Readonly<Record<RequestMeasure['server'], Target>>;
}

const NO_AIM: Aim = { key: '', slugs: [], codes: [], logo: '', run: RUN };

const prepare = async (server: Server): Promise<Target> => {
  const { key } = await createAccount(server.url, ADMIN_TOKEN, RUN);
  return { server, aim: await createAim(server.url, key, RUN) };
};

const startRig = async (scope: Scope, build: string): Promise<Rig> => {
  const backends = await startBackends(scope);
  const { redis, postgres } = backends;
  const withRedis = { REDIS_URL: redis.url };
  const bare = await startBare(scope, backends);
  const gateway = await startGateway(scope, backends, { build, database: 'redis_ledger', env: withRedis });
  const gatewaySql = await startGateway(scope, backends, { build, database: 'sql_ledger' });
  const microbenchmarks = fork(
    join(build, 'bench/guard/microbenchmarks.js'),
    // A logical database of Redis that is not the gateway's.
    [
      `${redis.url}/1`,
      await postgres.createDatabase('kernel_redis'),
      await postgres.createDatabase('kernel_sql'),
    ],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  scope.teardown(() => microbenchmarks.kill());
  await answerOf(microbenchmarks);
  return {
    generator: startGenerator(scope),
    microbenchmarks,
    targets: {
      bare: { server: bare, aim: NO_AIM },
      redis: await prepare(gateway),
      sql: await prepare(gatewaySql),
    },
  };
};

const answerOf = (microbenchmarks: ChildProcess): Promise<MicrobenchmarkCost> =>
  new Promise((resolve, reject) => {
    const ended = () => reject(new Error('the process with the microbenchmarks ended'));
    microbenchmarks.once('exit', ended);
    microbenchmarks.once('message', (cost: MicrobenchmarkCost) => {
      microbenchmarks.off('exit', ended);
      resolve(cost);
    });
  });

const sampleMicrobenchmark = async (
  { microbenchmarks }: Rig,
  { microbenchmark }: MicrobenchmarkMeasure,
  times: number,
): Promise<number> => {
  const task: MicrobenchmarkTask = { microbenchmark, times };
  microbenchmarks.send(task);
  const { cpuMs } = await answerOf(microbenchmarks);
  return cpuMs / times;
};

const sampleRequest = async (
  { generator, targets }: Rig,
  { name, server, recipe }: RequestMeasure,
  times: number,
  firstSerial: number,
): Promise<number> => {
  const target = targets[server];
  let beforeMs = 0;
  const job = {
    url: target.server.url,
    mix: [[recipe, 1]] as const,
    aim: { ...target.aim, run: `${RUN}-${name.replaceAll(/\W/g, '')}` },
    firstSerial,
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

/** Processor milliseconds of one time, by measure, in the order in which they were taken. */
export type Samples = Readonly<Record<string, readonly number[]>>;

export interface SampleOptions {
  readonly rounds: number;
  /** Rounds before, of three times the length, until the code is compiled. */
  readonly warmUpRounds: number;
  /** Folder of the build to measure; our own unless told. */
  readonly build?: string;
  onRound?(round: number): void;
}

export const sample = async (scope: Scope, options: SampleOptions): Promise<Samples> => {
  const rig = await startRig(scope, options.build ?? OWN_BUILD);
  const samples: Record<string, number[]> = Object.fromEntries(MEASURES.map(({ name }) => [name, []]));
  let serial = 0;
  for (let round = -options.warmUpRounds; round < options.rounds; round += 1) {
    for (const measure of ROUND) {
      const times = round < 0 ? 3 * measure.times : measure.times;
      const cost =
        measure.kind === 'microbenchmark'
          ? await sampleMicrobenchmark(rig, measure, times)
          : await sampleRequest(rig, measure, times, serial);
      serial += times;
      if (round >= 0) samples[measure.name]!.push(cost);
    }
    options.onRound?.(round);
  }
  return samples;
};
