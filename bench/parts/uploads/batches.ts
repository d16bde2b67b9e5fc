import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import { createAccount, createAim } from '../../../test/servers/account.ts';
import { type Server, startNodeServer } from '../../../test/servers/node-server.ts';
import { inScope, type Scope } from '../../../test/servers/scope.ts';
import {
  ADMIN_TOKEN,
  GATEWAY_ENV,
  OWN_BUILD,
  startBackends,
  startGateway,
} from '../../../test/servers/testbed.ts';
import { until } from '../../../test/servers/until.ts';
import { rssBytes, type StorePids, spentMs, usOfEach } from '../../cpu.ts';
import { contentOf } from '../../load/aim.ts';
import { type Generator, startGenerator } from '../../load/fire.ts';
import { say } from '../../say.ts';
import { atLeast, atMost, measured, type Verdict } from '../../verdict.ts';
import type { Part } from '../part.ts';
import { costVerdicts } from '../turns.ts';

const ROWS = 1_000_000;
const EMBEDDED_ROWS = 100_000;
const SECONDS = 20;
/** A million codes in eight minutes, and 100,000 in two minutes on the embedded database. */
const RATE_MIN_PER_S = ROWS / 480;
const EMBEDDED_MIN_PER_S = EMBEDDED_ROWS / 120;
const BULK_SHARE_MIN = 0.8;
const MORE_MAX_MB = 250;
const P99_FACTOR_MAX = 3;
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
export const createClient = async (url: string, name: string) => {
  const { key } = await createAccount(url, ADMIN_TOKEN, name);
  const authorization = `Bearer ${key}`;
  const call = async (
    path: string,
    method: 'GET' | 'POST',
    body: Dispatcher.RequestOptions['body'] = null,
  ) => {
    const headers = { authorization, ...(body === null ? {} : { 'content-type': 'application/x-ndjson' }) };
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
    const answer = await request(`${url}/api/v1/batches${path}`, { method, headers, body, ...timeouts });
    const text = await answer.body.text();
    if (answer.statusCode >= 300)
      throw new Error(`a call about batches is answered with ${answer.statusCode}: ${text}`);
    return JSON.parse(text) as ShownBatch;
  };
  return {
    show: (id: string) => call(`/${id}`, 'GET'),
    /** Sends rows and returns the batch once it is received. */
    send: (run: string, rows: number) =>
      call('?folder_name=bench', 'POST', Readable.from(ndjsonRows(run, rows), { objectMode: false })),
    cancel: (id: string) => call(`/${id}/cancel`, 'POST'),
  };
};

/** Measures one batch: its rate, what a code costs, and the memory of the gateway above that of an idle one. */
const measureBatch = async (
  scope: Scope,
  gateway: Server,
  stores: StorePids,
  { name, rows, leastPerS }: { readonly name: string; readonly rows: number; readonly leastPerS: number },
): Promise<{ readonly codesPerS: number; readonly verdicts: readonly Verdict[] }> => {
  const client = await createClient(gateway.url, name);
  const idleBytes = rssBytes(gateway.pid);
  let peakBytes = 0;
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, rssBytes(gateway.pid));
  }, 50);
  scope.teardown(() => clearInterval(watch));
  const before = spentMs(gateway.pid, stores);
  const startMs = performance.now();
  const { id } = await client.send('batch', rows);
  let batch = await client.show(id);
  const isOver = async () => {
    batch = await client.show(id);
    return batch.finished_at !== null;
  };
  await until(isOver, { deadlineMs: DEADLINE_MS, pauseMs: 500 });
  clearInterval(watch);
  const seconds = (performance.now() - startMs) / 1000;
  const us = usOfEach(before, spentMs(gateway.pid, stores), rows);
  if (batch.made !== rows)
    throw new Error(`${batch.made} of ${rows} rows were made; ${batch.state}: ${batch.reason}`);
  return {
    codesPerS: rows / seconds,
    verdicts: [
      measured(`${name}: ${rows} codes`, seconds, 's'),
      atLeast(`${name}: codes`, rows / seconds, leastPerS, 'a second'),
      ...costVerdicts({ name: `${name}: a code`, rounds: [us] }),
      atMost(`${name}: gateway above idle`, (peakBytes - idleBytes) / 1e6, MORE_MAX_MB, 'MB'),
    ],
  };
};

/** Returns the rate at which bulk calls save dynamic codes, in codes per second. */
const bulkRate = async (generator: Generator, url: string, seconds: number): Promise<number> => {
  const { key } = await createAccount(url, ADMIN_TOKEN, 'bulk');
  const aim = await createAim(url, key, 'bulk');
  const job = { url, mix: [['bulk 100 dynamic', 1]] as const, aim, connections: 8 };
  const { tally, seconds: tookS } = await generator.closed({ ...job, warmUpS: seconds / 4, seconds });
  return tally.codes / tookS;
};

/** Measures single calls of one account, first alone and then during a batch of another account. */
const singlesBeside = async (
  generator: Generator,
  url: string,
  { rows, seconds }: { readonly rows: number; readonly seconds: number },
): Promise<readonly Verdict[]> => {
  const { key } = await createAccount(url, ADMIN_TOKEN, 'singles');
  const aim = await createAim(url, key, 'singles');
  const load = {
    url,
    mix: [['single plain', 1]] as const,
    aim,
    connections: 32,
    ratePerS: 20,
    underWayMax: 1000,
  };
  const measure = (forS: number) => generator.open({ ...load, seconds: forS });
  // The first calls of a gateway are slow because its code is not compiled yet.
  await measure(3);
  const alone = await measure(seconds);
  const client = await createClient(url, 'beside');
  const { id } = await client.send('singles', rows);
  await until(async () => (await client.show(id)).made > 0, { pauseMs: 100 });
  const beside = await measure(seconds);
  const { finished_at: finishedAt } = await client.show(id);
  if (finishedAt !== null) say('the batch ended before the single calls beside it did');
  else await client.cancel(id);
  const failures = 2 * Math.round(20 * seconds) - alone.tally.good - beside.tally.good;
  const ratio = beside.latencyMs.p99 / alone.latencyMs.p99;
  return [
    atMost('p99 of single calls beside a batch against alone', ratio, P99_FACTOR_MAX, 'times'),
    atMost('single calls that failed', failures, 0, ''),
  ];
};

/** The cost of batches, and their effect on other accounts. */
export const batches: Part = {
  about:
    'a batch of a million codes, compared with bulk calls and alongside single calls; 100,000 on the embedded database',
  async run(scope, { share }) {
    const backends = await startBackends(scope);
    const generator = startGenerator(scope);
    const start = (database: string) =>
      startGateway(scope, backends, {
        database,
        env: { REDIS_URL: backends.redis.url, BATCH_STORE: join(backends.folder, `${database}-batches`) },
      });
    const seconds = Math.max(2, SECONDS * share);
    const bulk = await start('bulk');
    const bulkPerS = await bulkRate(generator, bulk.url, seconds);
    await bulk.stop();
    const gateway = await start('batches');
    const rows = Math.ceil(ROWS * share);
    const batch = await measureBatch(scope, gateway, backends, {
      ...{ name: 'batch', rows },
      leastPerS: RATE_MIN_PER_S,
    });
    const singles = await singlesBeside(generator, gateway.url, { rows, seconds });
    const embedded = await inScope(async (inner) => {
      const folder = join(backends.folder, 'embedded');
      const alone = await startNodeServer(inner, backends.folder, {
        name: 'embedded',
        script: join(OWN_BUILD, 'src/server.js'),
        readyPath: '/readyz',
        env: { ...GATEWAY_ENV, DATA_DIR: folder },
        flags: ['--enable-source-maps', '--max-semi-space-size=16'],
      });
      const job = { name: 'embedded', rows: Math.ceil(EMBEDDED_ROWS * share), leastPerS: EMBEDDED_MIN_PER_S };
      return measureBatch(inner, alone, {}, job);
    });
    return [
      ...batch.verdicts,
      measured('bulk calls: codes', bulkPerS, 'a second'),
      atLeast('batch against bulk calls', batch.codesPerS / bulkPerS, BULK_SHARE_MIN, 'times'),
      ...singles,
      ...embedded.verdicts,
    ];
  },
};
