import type { JSONValue, Sql, TransactionSql } from 'postgres';
import type { Log } from '../../log.ts';
import { type LedgerEvent, parseEntry, toRows } from './events.ts';
import { accountKey, SHARDS, streamKey } from './keys.ts';
import type { QuotaRedis } from './scripts.ts';

/** Stream entries that one read takes from a shard; each holds the events of one script run. */
const READ_ENTRIES = 64;
/** Shards in one transaction. While it locks them, their accounts cannot be seeded. */
const SHARDS_TOGETHER = 16;
/** One statement takes whole reads until it has about this many events. */
const STATEMENT_EVENTS = 1000;
/** Each stream has one consumer group with one consumer: the gateway that has locked the shard in Postgres. */
const GROUP = 'postgres';
const CONSUMER = 'holder-of-the-shard';
/** `catchUp` fails after this many reads: a caller waits for it, and the backlog is too long. */
const CATCH_UP_READS = 50;

/** A stream entry. `fields` is `null` when a gateway deleted the entry and was killed before it acknowledged it. */
type Entry = readonly [id: string, fields: readonly string[] | null];

interface Read {
  readonly shard: number;
  readonly ids: readonly string[];
  readonly events: readonly LedgerEvent[];
}

interface Diverged {
  readonly accountId: string;
  readonly epoch: string;
}

/** What Redis must be told about one shard after Postgres has committed: pass it to `finish`. */
export interface Drained {
  readonly shard: number;
  readonly ids: readonly string[];
  readonly diverged: readonly Diverged[];
}

/** The state of the drain, for metrics. */
export interface DrainStats {
  /** Age of the oldest event that was not in Postgres at the last round, by this machine's clock. */
  readonly lagMs: number;
  /** Stream entries that were not in Postgres at the last round; each holds one or more events. */
  readonly streamLength: number;
  /** Accounts whose counts in Redis differed from Postgres and were seeded again, since the start. */
  readonly corrections: number;
}

/** Moves events from the streams of Redis to the record in Postgres. */
export interface Drain {
  /** Moves what the streams hold, up to `READ_ENTRIES` a shard. `more`: a shard has more. */
  round(): Promise<'more' | 'idle'>;
  /** Applies all events of the given shards in `tx`, which must have locked them. Fails when there are too many. */
  catchUp(tx: TransactionSql, shards: readonly number[]): Promise<readonly Drained[]>;
  /** Deletes and acknowledges in Redis what Postgres has committed, and removes accounts that diverged. */
  finish(drained: Drained): Promise<void>;
  stats(): DrainStats;
}

/**
 * Creates a drain. It applies each event once, and the events of a shard in their order.
 *
 * A transaction locks the shard, reads its stream through a consumer group and applies the events. After the commit
 * the entries are deleted and acknowledged. All gateways are the same consumer, one at a time. What a killed gateway
 * had read is therefore read first by the next one, so events commit in order and nothing waits for a time-out. If
 * the killed gateway had committed them, the unique key of the events skips them. Any number of gateways share the
 * work, because each skips the shards that another has locked.
 */
export const createDrain = (redis: QuotaRedis, sql: Sql, log: Log): Drain => {
  let lagMs = 0;
  let streamLength = 0;
  let corrections = 0;

  const readGroup = async (key: string, after: string, count: number): Promise<readonly Entry[]> => {
    const read = () => redis.xreadgroup('GROUP', GROUP, CONSUMER, 'COUNT', count, 'STREAMS', key, after);
    const streams = await read().catch(async (error: Error) => {
      if (!error.message.startsWith('NOGROUP')) throw error;
      // The stream is new, or Redis lost its data.
      await redis.xgroup('CREATE', key, GROUP, 0, 'MKSTREAM');
      return read();
    });
    return (streams as readonly [string, Entry[]][] | null)?.[0]?.[1] ?? [];
  };

  /**
   * Reads the entries that were read before and never acknowledged, then new ones.
   *
   * @param after Of the former, only entries after this id are read.
   */
  const readFrom = async (shard: number, after: string): Promise<Read> => {
    const key = streamKey(shard);
    const handedOut = await readGroup(key, after, READ_ENTRIES);
    const room = READ_ENTRIES - handedOut.length;
    const entries = room === 0 ? handedOut : [...handedOut, ...(await readGroup(key, '>', room))];
    const events = entries.flatMap(([entry, fields]) =>
      (fields === null ? [] : parseEntry(fields)).flatMap((event) => {
        if (event === null)
          log.error({ shard, entry }, 'the quota stream has an unreadable entry; it is skipped');
        return event ?? [];
      }),
    );
    return { shard, ids: entries.map(([id]) => id), events };
  };

  const apply = async (tx: TransactionSql, reads: readonly Read[]): Promise<Drained[]> => {
    const rows = toRows(reads.flatMap(({ events }) => events));
    const [row] = await tx<[{ diverged: Diverged[] }]>`
      select quota_drain(${tx.json(rows as unknown as JSONValue)}) as diverged`;
    return reads.map(({ shard, ids, events }) => ({
      shard,
      ids,
      diverged: row.diverged.filter(({ accountId }) => events.some(({ account }) => account === accountId)),
    }));
  };

  const finish = async ({ shard, ids, diverged }: Drained): Promise<void> => {
    for (const { accountId, epoch } of diverged) {
      corrections += 1;
      log.error({ accountId }, 'Redis and Postgres counted differently; the account is seeded again');
      await redis.quotaEvict(accountKey(accountId), epoch);
    }
    if (ids.length === 0) return;
    const key = streamKey(shard);
    await redis.xdel(key, ...ids);
    // Last, because an entry that is acknowledged and not deleted would never be read again.
    await redis.xack(key, GROUP, ...ids);
  };

  /** Reads the head of each stream, updates the statistics, and returns the shards with entries. */
  const look = async (): Promise<number[]> => {
    const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
    const heads = await Promise.all(
      shards.map((shard) => redis.xrange(streamKey(shard), '-', '+', 'COUNT', 1)),
    );
    const busy = shards.filter((shard) => heads[shard]!.length > 0);
    const lengths = await Promise.all(busy.map((shard) => redis.xlen(streamKey(shard))));
    const oldestMs = Math.min(...busy.map((shard) => Number.parseInt(heads[shard]![0]![0], 10)));
    lagMs = busy.length > 0 ? Math.max(Date.now() - oldestMs, 0) : 0;
    streamLength = lengths.reduce((sum, length) => sum + length, 0);
    // Each gateway begins at a random shard, so that two rarely want the same one.
    const first = Math.floor(Math.random() * busy.length);
    return [...busy.slice(first), ...busy.slice(0, first)];
  };

  return {
    async round() {
      const busy = await look();
      let next: 'more' | 'idle' = 'idle';
      for (let i = 0; i < busy.length; i += SHARDS_TOGETHER) {
        const wanted = busy.slice(i, i + SHARDS_TOGETHER);
        const drained = await sql.begin(async (tx) => {
          const [row] = await tx<[{ held: number[] }]>`select quota_try_shards(${wanted}::integer[]) as held`;
          // The streams are read under the lock: its last holder may have seeded accounts after Redis lost its data.
          const reads = await Promise.all(row.held.map((shard) => readFrom(shard, '0')));
          const done: Drained[] = [];
          for (const slice of sliced(reads)) done.push(...(await apply(tx, slice)));
          return done;
        });
        await Promise.all(drained.map(finish));
        if (drained.some(({ ids }) => ids.length === READ_ENTRIES)) next = 'more';
      }
      return next;
    },

    async catchUp(tx, shards) {
      const drained: Drained[] = [];
      let reads = await Promise.all(shards.map((shard) => readFrom(shard, '0')));
      for (let round = 0; round < CATCH_UP_READS; round += 1) {
        for (const slice of sliced(reads)) drained.push(...(await apply(tx, slice)));
        const full = reads.filter(({ ids }) => ids.length === READ_ENTRIES);
        if (full.length === 0) return drained;
        reads = await Promise.all(full.map(({ shard, ids }) => readFrom(shard, ids.at(-1)!)));
      }
      throw new Error('the event streams are too far ahead of Postgres');
    },

    finish,
    stats: () => ({ lagMs, streamLength, corrections }),
  };
};

/** Groups the reads that have entries, one group a statement. */
const sliced = (reads: readonly Read[]): Read[][] => {
  const slices: Read[][] = [];
  let room = 0;
  for (const read of reads.filter(({ ids }) => ids.length > 0)) {
    if (room <= 0) {
      slices.push([]);
      room = STATEMENT_EVENTS;
    }
    slices.at(-1)!.push(read);
    room -= read.events.length;
  }
  return slices;
};
