/**
 * The inner parts that must not become slower, each by itself, and a fixed piece of work as their yardstick. This
 * module runs as a process: its parent sends a `MicrobenchmarkTask`, and it answers with the milliseconds of processor
 * time that all of its threads took.
 *
 * Arguments: URL of Redis, URL of a database for each of the two ledgers. It sends 0 when it is ready.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { openDatabase } from '../../src/db/database.ts';
import { createAccount } from '../../src/db/tables/accounts/accounts.ts';
import { toDesign } from '../../src/generate/request/design.ts';
import { SILENT } from '../../src/log.ts';
import type { Quota } from '../../src/quota/quota.ts';
import { createRedisQuota } from '../../src/quota/redis/redis-quota.ts';
import { createSqlQuota } from '../../src/quota/sql-quota.ts';
import { createLogo, LOGO_PX } from '../../test/servers/account.ts';
import { until } from '../../test/servers/until.ts';
import type { Design, Logo } from '../../workers/protocol.ts';
import { render } from '../../workers/render.ts';
import { ownCpuMs } from '../cpu.ts';
import { contentOf } from '../load/aim.ts';
import { GRADIENT, STYLED } from '../load/styles.ts';
import type { MicrobenchmarkName } from './measures.ts';

/** A message to the process: what to run, and how often. */
export interface MicrobenchmarkTask {
  readonly name: MicrobenchmarkName;
  readonly times: number;
}

interface Microbenchmark {
  run(serial: number): unknown;
  /** Resolves when no work continues in the background. */
  readonly finish?: () => Promise<unknown>;
}

const CALIBRATION_BYTES = 16 * 1024;
const UNDER_WAY = 16;
/** Longer than either ledger waits to batch settlements. */
const FLUSH_MS = 30;
/** Longer than the drain pauses between two reads; until then, its counters do not include new entries. */
const LOOK_MS = 130;
const QUOTA = 1_000_000_000_000;

const log = { ...SILENT, error: (_: object, message: string) => console.error(message) };

const bytes = Buffer.alloc(CALIBRATION_BYTES);

/** Does typical work of a JavaScript server without any code of Tessera: loops over bytes, JSON, zlib. */
const calibrate = (serial: number): number => {
  // Xorshift (Marsaglia, 2003): random enough to keep deflate busy, and the same every time.
  let state = 0x9e3779b9 ^ serial;
  for (let i = 0; i < bytes.length; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state & 15;
  }
  const values = [...bytes.subarray(0, 512)];
  const text = JSON.stringify({ serial, values, base64: bytes.toString('base64') });
  return deflateSync(bytes, { level: 6 }).length + (JSON.parse(text) as { serial: number }).serial;
};

const draw = (design: Design, logo: Logo | null = null): Microbenchmark => ({
  run(serial) {
    const result = render({ text: contentOf('guard', serial), design, logo, format: 'png' });
    if (!result.ok) throw new Error(result.fault.message);
  },
});

const USE = { keyId: randomUUID(), kind: 'single' } as const;

const ledger = (quota: Quota, accountId: string, finish: () => Promise<unknown>): Microbenchmark => ({
  async run() {
    const id = randomUUID();
    const { outcome } = await quota.reserve({ id, accountId, units: 1, use: USE });
    if (outcome !== 'admitted') throw new Error(`the ledger answered "${outcome}" instead of "admitted"`);
    quota.settleLater({ id, accountId, refundUnits: 0 });
  },
  finish,
});

/** Each ledger gets its own database and account, so that neither sees the other's counts. */
const openAccount = async (databaseUrl: string) => {
  const { sql } = await openDatabase({ url: databaseUrl, dataDir: '' }, log);
  const { id } = await createAccount(sql, { name: 'guard', plan: 'pro', monthlyQuota: QUOTA });
  return { id, options: { sql, planMonthly: { free: 0, pro: QUOTA }, reservationTtlMs: 60_000 } };
};

const openMicrobenchmarks = async (
  redisUrl: string,
  redisDatabase: string,
  sqlDatabase: string,
): Promise<Readonly<Record<MicrobenchmarkName, Microbenchmark>>> => {
  const [redis, sql] = [await openAccount(redisDatabase), await openAccount(sqlDatabase)];
  const quota = await createRedisQuota({ ...redis.options, url: redisUrl }, log);
  const drained = async () => {
    await sleep(FLUSH_MS + LOOK_MS);
    await until(() => quota.stats().settlesWaiting + quota.stats().streamLength === 0, { pauseMs: 5 });
  };
  // As the gateway hands it to a render thread.
  const png = Buffer.from((await createLogo()).split(',')[1]!, 'base64');
  return {
    calibration: { run: calibrate },
    'draw plain': draw(toDesign({})),
    'draw styled': draw(toDesign(STYLED)),
    'draw gradient': draw(toDesign(GRADIENT)),
    'draw logo': draw(toDesign(STYLED), { png, widthPx: LOGO_PX, heightPx: LOGO_PX }),
    'ledger redis': ledger(quota, redis.id, drained),
    'ledger sql': ledger(createSqlQuota(sql.options, log), sql.id, () => sleep(FLUSH_MS)),
  };
};

let serial = 0;
const perform = async ({ run, finish }: Microbenchmark, times: number): Promise<number> => {
  const beforeMs = ownCpuMs();
  const end = serial + times;
  const work = async () => {
    while (serial < end) {
      serial += 1;
      await run(serial);
    }
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, work));
  await finish?.();
  return ownCpuMs() - beforeMs;
};

process.on('disconnect', () => process.exit(0));
const [redisUrl = '', redisDatabase = '', sqlDatabase = ''] = process.argv.slice(2);
const microbenchmarks = await openMicrobenchmarks(redisUrl, redisDatabase, sqlDatabase);
process.on('message', async ({ name, times }: MicrobenchmarkTask) => {
  process.send?.(await perform(microbenchmarks[name], times));
});
process.send?.(0);
