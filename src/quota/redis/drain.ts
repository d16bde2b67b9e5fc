import type { JSONValue, Sql, TransactionSql } from 'postgres';
import type { Log } from '../../log.ts';
import { parseEntry, sumUp, type Timed } from './drain-sums.ts';
import { keysFor } from './keys.ts';
import type { QuotaRedis } from './scripts.ts';
import { createTurns } from './turns.ts';

/** Stream entries that one read takes from a shard; each has the changes of one script run. */
const READ_ENTRIES = 1000;
/** `catchUp` fails after this many reads: a caller waits for it, and the backlog is too long. */
const CATCH_UP_READS = 50;
/** Rounds until each shard was looked at. What this gateway has changed is moved by the next one. */
const TURN_ROUNDS = 64;
/** In Redis, the id of the last entry that a stream has. */
const NEWEST = '+';

/** Up to where a stream is part of the record: the two numbers of the id of its last entry. */
export interface Position {
  readonly shard: number;
  readonly ms: number;
  readonly seq: number;
}

interface Read extends Position {
  readonly changes: readonly Timed[];
  readonly isFull: boolean;
}

interface Diverged {
  readonly accountId: string;
  readonly epoch: string;
}

/** What to do in Redis after Postgres has committed: pass it to `finish`. */
export interface Drained {
  readonly positions: readonly Position[];
  readonly diverged: readonly Diverged[];
  /** Whether a stream has more. */
  readonly isFull: boolean;
}

/** The state of the drain, for metrics. */
export interface DrainStats {
  /** Age of the oldest change that was not in Postgres at the last round, by this machine's clock. */
  readonly lagMs: number;
  /** Stream entries that were not in Postgres at the last round. */
  readonly streamLength: number;
  /** Accounts whose counts in Redis differed from Postgres and were seeded again, since the start. */
  readonly reseeded: number;
}

/** Moves changes from the streams of Redis to the record in Postgres. */
export type Drain = ReturnType<typeof createDrain>;

const parseId = (id: string): { readonly ms: number; readonly seq: number } => {
  const [ms, seq] = id.split('-').map(Number);
  return { ms: ms!, seq: seq! };
};

/**
 * Creates a drain. It applies each entry once, and the entries of a shard in their order.
 *
 * A transaction locks the position of a stream, reads the entries after it, and applies their sums together with the
 * new position. So an entry that is read twice is skipped, whichever process was killed and when. After the commit the
 * entries are deleted. Any number of gateways share the work, because each skips the streams that another has locked.
 */
export const createDrain = (redis: QuotaRedis, sql: Sql, log: Log) => {
  const keys = keysFor(redis);
  const allShards = Array.from({ length: keys.shards }, (_, shard) => shard);
  const turns = createTurns(keys.shards, TURN_ROUNDS);
  /** What was in each stream when it was last looked at; those that were empty are left out. */
  const seen = new Map<number, { readonly oldestMs: number; readonly length: number }>();
  let lagMs = 0;
  let reseeded = 0;

  const read = async ({ shard, ms, seq }: Position, upTo: string): Promise<Read> => {
    const entries = await redis.xrange(keys.stream(shard), `(${ms}-${seq}`, upTo, 'COUNT', READ_ENTRIES);
    const changes = entries.flatMap(([id, fields]) => {
      const atMs = parseId(id).ms;
      return parseEntry(fields).flatMap((change) => {
        if (change === null)
          log.error({ shard, entry: id }, 'quota stream has an unreadable entry; skipping it');
        return change === null ? [] : { atMs, change };
      });
    });
    const last = entries.at(-1);
    const end = last === undefined ? { ms, seq } : parseId(last[0]);
    return { shard, ...end, changes, isFull: entries.length === READ_ENTRIES };
  };

  const apply = async (
    tx: TransactionSql,
    before: readonly Position[],
    last: string = NEWEST,
  ): Promise<Drained> => {
    const reads = await Promise.all(before.map((position) => read(position, last)));
    const positions = reads.map(({ shard, ms, seq }) => ({ shard, ms, seq }));
    const isBehind = positions.some(({ ms, seq }, i) => ms !== before[i]!.ms || seq !== before[i]!.seq);
    if (!isBehind) return { positions, diverged: [], isFull: false };
    const sums = sumUp(reads.flatMap(({ changes }) => changes));
    const json = (rows: readonly object[]) => tx.json(rows as unknown as JSONValue);
    const [row] = await tx<[{ diverged: Diverged[] }]>`
      select quota_drain(${json(positions)}, ${json(sums.accounts)}, ${json(sums.usage)}, ${json(sums.moved)})
        as diverged`;
    return { positions, diverged: row.diverged, isFull: reads.some(({ isFull }) => isFull) };
  };

  const finish = async ({ positions, diverged }: Drained): Promise<void> => {
    for (const { accountId, epoch } of diverged) {
      reseeded += 1;
      log.error({ accountId }, 'Redis and Postgres counted differently; seeding the account again');
      await redis.quotaEvict(keys.account(accountId), epoch);
    }
    await Promise.all(
      positions.map(({ shard, ms, seq }) => redis.xtrim(keys.stream(shard), 'MINID', `${ms}-${seq + 1}`)),
    );
  };

  /** Reads the heads of streams, updates the statistics, and returns the shards with entries. */
  const look = async (shards: readonly number[]): Promise<number[]> => {
    const busy: number[] = [];
    await Promise.all(
      shards.map(async (shard) => {
        const [head] = await redis.xrange(keys.stream(shard), '-', '+', 'COUNT', 1);
        if (head === undefined) return seen.delete(shard);
        busy.push(shard);
        return seen.set(shard, {
          oldestMs: parseId(head[0]).ms,
          length: await redis.xlen(keys.stream(shard)),
        });
      }),
    );
    const oldestMs = Math.min(...[...seen.values()].map((stream) => stream.oldestMs));
    lagMs = seen.size > 0 ? Math.max(Date.now() - oldestMs, 0) : 0;
    return busy;
  };

  const round = async (shards: readonly number[]): Promise<'more' | 'idle'> => {
    const busy = await look(shards);
    for (const shard of busy) turns.expect(shard);
    if (busy.length === 0) return 'idle';
    const drained = await sql.begin(async (tx) => {
      const free = await tx<Position[]>`
        select shard, ms, seq from quota_streams where shard = any(${busy}::integer[])
        for no key update skip locked`;
      return apply(tx, free);
    });
    await finish(drained);
    return drained.isFull ? 'more' : 'idle';
  };

  return {
    /** Makes the next turn look at a shard. */
    expect: turns.expect,
    /** Moves what the streams hold, up to `READ_ENTRIES` a shard. `more`: a shard has more. */
    round: (): Promise<'more' | 'idle'> => round(allShards),
    /** As `round`, for shards where something is expected, and for some others, where other gateways may have left it. */
    async turn(): Promise<'more' | 'idle'> {
      const shards = turns.take();
      try {
        return await round(shards);
      } catch (error) {
        for (const shard of shards) turns.expect(shard);
        throw error;
      }
    },

    /** Locks streams until `tx` ends, so that nobody else drains them or seeds their accounts. Waits for the locks. */
    lock: (tx: TransactionSql, shards: readonly number[]): Promise<readonly Position[]> => tx<Position[]>`
      select shard, ms, seq from quota_streams where shard = any(${shards as number[]}::integer[]) order by shard
      for no key update`,

    /**
     * Applies in `tx` what comes after the given positions, which `lock` returned: all of it, or up to the entry `last`.
     * Fails when that is too much.
     */
    async catchUp(tx: TransactionSql, positions: readonly Position[], last?: string): Promise<Drained> {
      const diverged: Diverged[] = [];
      let at = positions;
      for (let round = 0; round < CATCH_UP_READS; round += 1) {
        const drained = await apply(tx, at, last);
        diverged.push(...drained.diverged);
        at = drained.positions;
        if (!drained.isFull) return { positions: at, diverged, isFull: false };
      }
      throw new Error('the streams of changes are too far ahead of Postgres');
    },

    /** Deletes in Redis what Postgres has committed, and removes accounts that diverged. */
    finish,
    stats: (): DrainStats => ({
      lagMs,
      streamLength: [...seen.values()].reduce((sum, { length }) => sum + length, 0),
      reseeded,
    }),
  };
};
