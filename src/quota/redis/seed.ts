import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql, TransactionSql } from 'postgres';
import type { Log } from '../../log.ts';
import type { Reserved } from '../quota.ts';
import type { Drain, Drained } from './drain.ts';
import { ledgerError } from './fault.ts';
import { accountKey, openKey, shardOf } from './keys.ts';
import { cut, seededRecord } from './replies.ts';
import type { QuotaRedis } from './scripts.ts';

/** Brings accounts from Postgres to Redis. */
export interface Seeder {
  /**
   * Makes an account known to Redis with what Postgres holds. Fails with `LEDGER_UNAVAILABLE` when this takes longer than
   * a caller waits, and continues in the background. Fails with `LEDGER_FAULT` when there is no such account.
   */
  seed(accountId: string): Promise<void>;
  /** Runs `call`. While its answer begins with `cold`, seeds the account and runs it again, up to `SEEDS_MAX` times. */
  warm<T extends string>(accountId: string, call: () => Promise<T>): Promise<T>;
}

/** Accounts that one transaction seeds; others wait for the next. */
const TOGETHER_MAX = 200;
const QUEUE_MAX = 10_000;
const WAIT_MS = 900;
/** A call fails when the account was seeded this often and is unknown again. */
const SEEDS_MAX = 3;
/** Shorter than Postgres lets a transaction stay idle, because its end would unlock the shards. */
const TOO_LATE_MS = 3000;

interface Seed {
  readonly endsMs: number;
  readonly monthlyUsed: number;
  readonly creditsUsed: number;
  readonly credits: number;
  readonly limit: string;
  readonly limitVersion: number;
  readonly open: readonly {
    readonly id: string;
    readonly expiresMs: number;
    readonly answer: Reserved & { outcome: 'admitted' };
  }[];
}

interface Waiting {
  readonly promise: Promise<void>;
  done(error?: unknown): void;
}

const newWaiting = (): Waiting => {
  let done: Waiting['done'] = () => {};
  const promise = new Promise<void>((resolve, reject) => {
    done = (error) => (error === undefined ? resolve() : reject(error));
  });
  // Every caller may have given up by now; a rejection must not become an unhandled one.
  promise.catch(() => undefined);
  return { promise, done };
};

/** Creates a seeder. One transaction at a time seeds all accounts that wait, so a stampede costs one transaction. */
export const createSeeder = (redis: QuotaRedis, sql: Sql, drain: Drain, log: Log): Seeder => {
  const waiting = new Map<string, Waiting>();
  let running = false;
  let failing = false;

  const finish = (accountId: string, error?: unknown) => {
    waiting.get(accountId)?.done(error);
    waiting.delete(accountId);
  };

  const write = async (accountId: string, seed: Seed, notAfterMs: number): Promise<void> => {
    // The scripts expect eight characters.
    const epoch = randomUUID().slice(0, 8);
    const open = seed.open.flatMap(({ id, expiresMs, answer }) => [id, seededRecord(expiresMs, answer)]);
    const { endsMs, monthlyUsed, creditsUsed, credits, limit, limitVersion } = seed;
    const counters = [endsMs, monthlyUsed, creditsUsed, credits, limit, limitVersion];
    const keys = [accountKey(accountId), openKey(shardOf(accountId))] as const;
    const answer = await redis.quotaSeed(...keys, notAfterMs, accountId, epoch, ...counters, ...open);
    if (answer === 'late') throw new Error('reading from Postgres took too long');
  };

  /** Seeds in `tx`, which locks the shards: no other gateway drains or seeds them, and these limits do not change. */
  const seedHeld = async (tx: TransactionSql, accountIds: readonly string[]): Promise<readonly Drained[]> => {
    const held = [...new Set(accountIds.map(shardOf))].sort((a, b) => a - b);
    await tx`select quota_lock_shard(shard) from unnest(${held}::integer[]) as shard`;
    const asked = await Promise.all(accountIds.map((id) => redis.quotaRead(accountKey(id), 0, 0)));
    const cold = accountIds.filter((_, i) => asked[i]!.startsWith('cold'));
    const notAfterMs = cold.map((id) => Number(cut(asked[accountIds.indexOf(id)]!)[1]) + TOO_LATE_MS);
    const drained = await drain.catchUp(tx, [...new Set(cold.map(shardOf))]);
    const rows = await tx<{ id: string; seed: Seed | null }[]>`
      select id, quota_seed(id) as seed from unnest(${cold}::uuid[]) as id`;
    const seeds = new Map(rows.map(({ id, seed }) => [id, seed]));
    await Promise.all(
      cold.map((id, i) => {
        const seed = seeds.get(id);
        if (seed) return write(id, seed, notAfterMs[i]!);
        return finish(id, ledgerError('LEDGER_FAULT', `there is no account ${id}`));
      }),
    );
    return drained;
  };

  const turn = async (): Promise<void> => {
    const accountIds = [...waiting.keys()].slice(0, TOGETHER_MAX);
    try {
      const drained = await sql.begin((tx) => seedHeld(tx, accountIds));
      await Promise.all(drained.map(drain.finish));
      for (const id of accountIds) finish(id);
      failing = false;
    } catch (cause) {
      if (!failing) log.error({ err: cause }, 'accounts cannot be seeded from Postgres');
      failing = true;
      const unavailable = ledgerError('LEDGER_UNAVAILABLE', 'the account could not be read', cause);
      for (const id of accountIds) finish(id, unavailable);
    }
  };

  const run = async (): Promise<void> => {
    if (running) return;
    running = true;
    while (waiting.size > 0) await turn();
    running = false;
  };

  const seed = async (accountId: string): Promise<void> => {
    if (waiting.size >= QUEUE_MAX)
      throw ledgerError('LEDGER_UNAVAILABLE', 'too many accounts wait to be read');
    const mine = waiting.get(accountId) ?? newWaiting();
    waiting.set(accountId, mine);
    void run();
    const late = new AbortController();
    const timeout = sleep(WAIT_MS, undefined, { signal: late.signal }).then(() => {
      throw ledgerError('LEDGER_UNAVAILABLE', 'the account was not read in time');
    });
    try {
      await Promise.race([mine.promise, timeout]);
    } finally {
      late.abort();
      timeout.catch(() => undefined);
    }
  };

  return {
    seed,
    async warm(accountId, call) {
      for (let seeds = 0; seeds < SEEDS_MAX; seeds += 1) {
        const answer = await call();
        if (!answer.startsWith('cold')) return answer;
        await seed(accountId);
      }
      throw ledgerError('LEDGER_UNAVAILABLE', 'the account does not stay in Redis');
    },
  };
};
