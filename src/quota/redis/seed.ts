import { randomUUID } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import { within } from '../../execution/time-limits.ts';
import type { Log } from '../../log.ts';
import type { Drain, Drained, Position } from './drain.ts';
import { keysFor } from './keys.ts';
import { ledgerError, parseReservation, splitHead } from './replies.ts';
import type { QuotaRedis } from './scripts.ts';

/** Brings accounts from Postgres to Redis. */
export type Seeder = ReturnType<typeof createSeeder>;

/** Accounts that one transaction seeds; others wait for the next. */
const TOGETHER_MAX = 200;
const QUEUE_MAX = 10_000;
const WAIT_MS = 900;
/** A call fails when the account is still unknown after this many seedings. */
const SEEDS_MAX = 3;
/** Shorter than Postgres lets a transaction stay idle, because its end would unlock the shards. */
const TOO_LATE_MS = 3000;

interface Seed {
  readonly period: string;
  readonly endsMs: number;
  readonly monthlyUsed: number;
  readonly creditsUsed: number;
  readonly credits: number;
  readonly limit: string;
  readonly limitVersion: number;
  readonly openMonthly: number;
  readonly openCredits: number;
  readonly openUse: string;
  /** The API keys that have used units in the period, and how many. */
  readonly keys: readonly (readonly [keyId: string, used: number])[];
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

/** What a seeder works with. */
export interface SeederParts {
  readonly redis: QuotaRedis;
  readonly sql: Sql;
  readonly drain: Drain;
  readonly reservationTtlMs: number;
}

/** Creates a seeder. One transaction at a time seeds all accounts that wait, so a stampede costs one transaction. */
export const createSeeder = ({ redis, sql, drain, reservationTtlMs }: SeederParts, log: Log) => {
  const keys = keysFor(redis);
  const waiting = new Map<string, Waiting>();
  let running = false;
  let failing = false;

  const finish = (accountId: string, error?: unknown) => {
    waiting.get(accountId)?.done(error);
    waiting.delete(accountId);
  };

  /** Returns the ids of the open reservations that Redis still has, by account. */
  const readOpen = async (shards: readonly number[]): Promise<ReadonlyMap<string, readonly string[]>> => {
    const open = new Map<string, string[]>();
    for (const reservations of await Promise.all(shards.map((shard) => redis.hgetall(keys.open(shard))))) {
      for (const [id, text] of Object.entries(reservations)) {
        const accountId = parseReservation(text)?.accountId;
        if (accountId !== undefined) open.set(accountId, [...(open.get(accountId) ?? []), id]);
      }
    }
    return open;
  };

  const write = async (
    accountId: string,
    seed: Seed,
    { notAfterMs, position, open }: { notAfterMs: number; position: Position; open: readonly string[] },
  ): Promise<void> => {
    // The scripts expect eight characters.
    const epoch = randomUUID().slice(0, 8);
    const shard = keys.shardOf(accountId);
    // A promoted replica may still list reservations that have ended. Gateways know what theirs took.
    if (open.length > 0) await redis.hdel(keys.open(shard), ...open);
    const answer = await redis.quotaSeed(
      keys.account(accountId),
      keys.open(shard),
      keys.stream(shard),
      notAfterMs,
      epoch,
      seed.endsMs,
      seed.monthlyUsed,
      seed.creditsUsed,
      seed.credits,
      seed.limit,
      seed.limitVersion,
      seed.period,
      seed.openMonthly,
      seed.openCredits,
      seed.openUse,
      reservationTtlMs,
      position.ms,
      position.seq,
      ...seed.keys.flat(),
    );
    if (answer === 'late') throw new Error('reading from Postgres took too long');
  };

  /** Seeds in `tx`, which locks the shards: no other gateway drains or seeds them, and these limits do not change. */
  const seedHeld = async (tx: TransactionSql, accountIds: readonly string[]): Promise<Drained> => {
    const locked = await drain.lock(tx, [...new Set(accountIds.map(keys.shardOf))]);
    const asked = await Promise.all(accountIds.map((id) => redis.quotaRead(keys.account(id), 0, 0)));
    const cold = accountIds.filter((_, i) => asked[i]!.startsWith('cold'));
    const notAfterMs = cold.map((id) => Number(splitHead(asked[accountIds.indexOf(id)]!)[1]) + TOO_LATE_MS);
    const shards = new Set(cold.map(keys.shardOf));
    const drained = await drain.catchUp(
      tx,
      locked.filter(({ shard }) => shards.has(shard)),
    );
    const open = await readOpen([...shards]);
    const rows = await tx<{ id: string; seed: Seed | null }[]>`
      select id, quota_seed(id) as seed from unnest(${cold}::uuid[]) as id`;
    const seeds = new Map(rows.map(({ id, seed }) => [id, seed]));
    await Promise.all(
      cold.map((id, i) => {
        const seed = seeds.get(id);
        if (!seed) return finish(id, ledgerError('LEDGER_FAULT', `there is no account ${id}`));
        const position = drained.positions.find(({ shard }) => shard === keys.shardOf(id))!;
        return write(id, seed, { notAfterMs: notAfterMs[i]!, position, open: open.get(id) ?? [] });
      }),
    );
    return drained;
  };

  const turn = async (): Promise<void> => {
    const accountIds = [...waiting.keys()].slice(0, TOGETHER_MAX);
    try {
      const drained = await sql.begin((tx) => seedHeld(tx, accountIds));
      await drain.finish(drained);
      for (const id of accountIds) finish(id);
      failing = false;
    } catch (cause) {
      if (!failing) log.error({ err: cause }, 'accounts cannot be seeded from Postgres; will retry');
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
    await within(mine.promise, WAIT_MS, () =>
      ledgerError('LEDGER_UNAVAILABLE', 'the account was not read in time'),
    );
  };

  return {
    /**
     * Makes an account known to Redis with what Postgres holds. Fails with `LEDGER_UNAVAILABLE` when this takes longer
     * than a caller waits, and continues in the background. Fails with `LEDGER_FAULT` when there is no such account.
     */
    seed,
    /** Runs `call`. While its answer begins with `cold`, seeds the account and runs it again, up to `SEEDS_MAX` times. */
    async warm<T extends string>(accountId: string, call: () => Promise<T>): Promise<T> {
      for (let seeds = 0; seeds < SEEDS_MAX; seeds += 1) {
        const answer = await call();
        if (!answer.startsWith('cold')) return answer;
        await seed(accountId);
      }
      throw ledgerError('LEDGER_UNAVAILABLE', 'the account does not stay in Redis');
    },
  };
};
