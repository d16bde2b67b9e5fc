import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createAccount } from '../../test/servers/account.ts';
import { createCaller, NDJSON } from '../../test/servers/caller.ts';
import type { Server } from '../../test/servers/node-server.ts';
import { inScope, type Scope } from '../../test/servers/scope.ts';
import * as testbed from '../../test/servers/testbed.ts';
import { until } from '../../test/servers/until.ts';
import { rssBytes, type StorePids, spentMs, usOfEach } from '../cpu.ts';
import { contentOf } from '../load/aim.ts';
import { type Generator, startGenerator } from '../load/fire.ts';
import { atLeast, atMost, measured, say, type Verdict } from '../say.ts';
import { costVerdicts, type Part } from './part.ts';

const ROWS = 1_000_000;
const EMBEDDED_ROWS = 100_000;
const SECONDS = 20;
/** A million codes in eight minutes, and 100,000 in two minutes on the embedded database. */
const RATE_MIN_PER_S = ROWS / 480;
const EMBEDDED_MIN_PER_S = EMBEDDED_ROWS / 120;
const BULK_SHARE_MIN = 0.8;
const MORE_MAX_MB = 250;
const P99_FACTOR_MAX = 3;
const SINGLES_PER_S = 20;
const ROWS_A_CHUNK = 500;
const DEADLINE_MS = 3_600_000;

/** Yields rows of plain dynamic codes as NDJSON, in chunks. */
async function* ndjsonRows(run: string, rows: number): AsyncGenerator<Buffer> {
  for (let first = 0; first < rows; first += ROWS_A_CHUNK) {
    let text = '';
    for (let row = first; row < Math.min(rows, first + ROWS_A_CHUNK); row += 1)
      text += `{"data":"${contentOf(run, row)}","dynamic":true}\n`;
    yield Buffer.from(text);
  }
}

/** The fields of a batch that this file reads. */
interface ShownBatch {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly made: number;
  readonly finished_at: string | null;
}

/** Sends the batches of a new account and watches their progress. */
const createClient = async (scope: Scope, url: string, name: string) => {
  const { key } = await createAccount(url, testbed.ADMIN_TOKEN, name);
  const caller = createCaller({ url, key });
  scope.teardown(() => caller.end());
  const path = '/api/v1/batches';
  return {
    show: async (id: string) => (await caller.make<ShownBatch>('GET', `${path}/${id}`)).body,
    /** Sends rows and returns the batch once it is received. */
    send: async (rows: number) => {
      const body = Readable.from(ndjsonRows(name, rows), { objectMode: false });
      const sent = { body, headers: NDJSON };
      return (await caller.make<ShownBatch>('POST', `${path}?folder_name=bench`, sent)).body;
    },
    cancel: (id: string) => caller.make('POST', `${path}/${id}/cancel`),
  };
};

/** Sends a batch and waits until it is over. @throws When not all of its rows were made. */
export const sendBatch = async (scope: Scope, url: string, name: string, rows: number): Promise<void> => {
  const client = await createClient(scope, url, name);
  let batch = await client.send(rows);
  const isOver = async () => {
    batch = await client.show(batch.id);
    return batch.finished_at !== null;
  };
  await until(isOver, { deadlineMs: DEADLINE_MS, pauseMs: 100 });
  if (batch.made !== rows)
    throw new Error(`${batch.made} of ${rows} rows were made; ${batch.state}: ${batch.reason}`);
};

/** Measures one batch: its rate, what a code costs, and the memory of the gateway above that of an idle one. */
const measureBatch = async (
  scope: Scope,
  gateway: Server,
  stores: StorePids,
  { name, rows, leastPerS }: { readonly name: string; readonly rows: number; readonly leastPerS: number },
): Promise<{ readonly codesPerS: number; readonly verdicts: readonly Verdict[] }> => {
  const idleBytes = rssBytes(gateway.pid);
  let peakBytes = 0;
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, rssBytes(gateway.pid));
  }, 50);
  scope.teardown(() => clearInterval(watch));
  const before = spentMs(gateway.pid, stores);
  const startMs = performance.now();
  await sendBatch(scope, gateway.url, name, rows);
  clearInterval(watch);
  const seconds = (performance.now() - startMs) / 1000;
  const us = usOfEach(before, spentMs(gateway.pid, stores), rows);
  return {
    codesPerS: rows / seconds,
    verdicts: [
      measured(`${name}: ${rows} codes`, seconds, 's'),
      atLeast(`${name}: codes`, rows / seconds, leastPerS, 'a second'),
      ...costVerdicts(`${name}: a code`, [us]),
      atMost(`${name}: gateway above idle`, (peakBytes - idleBytes) / 1e6, MORE_MAX_MB, 'MB'),
    ],
  };
};

/** Measures single calls of one account, first alone and then during a batch of another account. */
const singlesBeside = async (
  scope: Scope,
  generator: Generator,
  { gateway: { url }, aim }: Pick<testbed.Target, 'gateway' | 'aim'>,
  { rows, seconds }: { readonly rows: number; readonly seconds: number },
): Promise<readonly Verdict[]> => {
  const load = { url, mix: [['single plain', 1]] as const, aim, connections: 32, underWayMax: 1000 };
  const measure = (forS: number) => generator.open({ ...load, ratePerS: SINGLES_PER_S, seconds: forS });
  // The first calls of a gateway are slow because its code is not compiled yet.
  await measure(3);
  const alone = await measure(seconds);
  const client = await createClient(scope, url, 'beside');
  const { id } = await client.send(rows);
  await until(async () => (await client.show(id)).made > 0, { pauseMs: 100 });
  const beside = await measure(seconds);
  if ((await client.show(id)).finished_at === null) await client.cancel(id);
  else say('the batch ended before the single calls beside it did');
  const failures = 2 * Math.round(SINGLES_PER_S * seconds) - alone.tally.good - beside.tally.good;
  const ratio = beside.latencyMs.p99 / alone.latencyMs.p99;
  return [
    atMost('p99 of single calls beside a batch against alone', ratio, P99_FACTOR_MAX, 'times'),
    atMost('single calls that failed', failures, 0, ''),
  ];
};

/** The cost of batches, and their effect on other accounts. */
export const batches: Part = async (scope, { share }) => {
  const backends = await testbed.startBackends(scope);
  const generator = startGenerator(scope);
  const start = (database: string) => {
    const BATCH_STORE = join(backends.folder, `${database}-batches`);
    const env = { REDIS_URL: backends.redis.url, BATCH_STORE };
    return testbed.startTarget(scope, backends, { database, env, run: database });
  };
  const [seconds, rows] = [Math.max(2, SECONDS * share), Math.ceil(ROWS * share)];
  const bulk = await start('bulk');
  const load = {
    url: bulk.gateway.url,
    mix: [['bulk 100 dynamic', 1]] as const,
    aim: bulk.aim,
    connections: 8,
  };
  const { tally, seconds: tookS } = await generator.closed({ ...load, warmUpS: seconds / 4, seconds });
  const bulkPerS = tally.codes / tookS;
  await bulk.gateway.stop();
  const target = await start('batches');
  const job = { name: 'batch', rows, leastPerS: RATE_MIN_PER_S };
  const batch = await measureBatch(scope, target.gateway, backends, job);
  const singles = await singlesBeside(scope, generator, target, { rows, seconds });
  const embedded = await inScope(async (inner) => {
    const DATA_DIR = join(backends.folder, 'embedded');
    const gateway = await testbed.startServer(inner, backends, { name: 'embedded', env: { DATA_DIR } });
    const few = { name: 'embedded', rows: Math.ceil(EMBEDDED_ROWS * share), leastPerS: EMBEDDED_MIN_PER_S };
    return measureBatch(inner, gateway, {}, few);
  });
  return [
    ...batch.verdicts,
    measured('bulk calls: codes', bulkPerS, 'a second'),
    atLeast('batch against bulk calls', batch.codesPerS / bulkPerS, BULK_SHARE_MIN, 'times'),
    ...singles,
    ...embedded.verdicts,
  ];
};
