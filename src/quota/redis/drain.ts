import type { JSONValue, Sql, TransactionSql } from 'postgres';
import type { Log } from '../../log.ts';
import { type LedgerEvent, parseEntry, toRows } from './events.ts';
import { accountKey, SHARDS, streamKey } from './keys.ts';
import type { QuotaRedis } from './scripts.ts';

/** Stream entries read of a shard at once; each holds the events of one script run. */
const READ_ENTRIES = 64;
/** Shards of one transaction: they are held meanwhile, and their accounts can't be seeded. */
const SHARDS_TOGETHER = 16;
/** A statement takes the events of so many shards that it has about this many. */
const STATEMENT_EVENTS = 1000;
/** The one consumer group of a stream, and its one consumer: whoever holds the shard in Postgres. */
const GROUP = 'postgres';
const CONSUMER = 'holder-of-the-shard';
/** Reads of a shard after which its backlog is too long for somebody to wait for. */
const CATCH_UP_READS = 50;

/** Without fields: deleted, and not acknowledged before its gateway was killed. */
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

/** What is to be done in Redis once Postgres has committed. */
export interface Drained {
  readonly shard: number;
  readonly ids: readonly string[];
  readonly diverged: readonly Diverged[];
}

export interface DrainStats {
  /** Age of the oldest event that was not in Postgres when it was last looked, by this machine's clock. */
  readonly lagMs: number;
  /** Stream entries not in Postgres; each holds one event or more. */
  readonly streamLength: number;
  /** Accounts found to be counted otherwise in Redis than in Postgres, and made to follow Postgres. */
  readonly corrections: number;
}

export interface Drain {
  /** Moves what there is, up to a bound a shard. */
  round(): Promise<'more' | 'idle'>;
  /** Applies all that the streams of some shards hold, inside a transaction that holds these. */
  catchUp(tx: TransactionSql, shards: readonly number[]): Promise<readonly Drained[]>;
  /** Lets Redis forget what Postgres has committed. */
  finish(drained: Drained): Promise<void>;
  stats(): DrainStats;
}

/**
 * Moves events from the streams of Redis to Postgres, each once, in the order of their shard.
 *
 * A stream is read through its consumer group and applied in one transaction that holds the shard; after the
 * commit its entries are deleted and acknowledged. All gateways are the same consumer, one at a time: what a killed
 * one had been handed out comes first in the next read, so batches commit in order and nothing waits for a time-out.
 * What it had committed already is turned away by the unique key of the events. Any number of gateways share the
 * work, as each skips shards that another holds.
 */
export const createDrain = (redis: QuotaRedis, sql: Sql, log: Log): Drain => {
  let lagMs = 0;
  let streamLength = 0;
  let corrections = 0;

  const readGroup = async (key: string, after: string, count: number): Promise<readonly Entry[]> => {
    const read = () => redis.xreadgroup('GROUP', GROUP, CONSUMER, 'COUNT', count, 'STREAMS', key, after);
    const streams = await read().catch(async (error: Error) => {
      if (!error.message.startsWith('NOGROUP')) throw error;
      // The stream is new, or Redis lost what it had.
      await redis.xgroup('CREATE', key, GROUP, 0, 'MKSTREAM');
      return read();
    });
    return (streams as readonly [string, Entry[]][] | null)?.[0]?.[1] ?? [];
  };

  /** What was handed out and never acknowledged, then what is new. @param after Of the first, an entry's id. */
  const readFrom = async (shard: number, after: string): Promise<Read> => {
    const key = streamKey(shard);
    const handedOut = await readGroup(key, after, READ_ENTRIES);
    const room = READ_ENTRIES - handedOut.length;
    const entries = room === 0 ? handedOut : [...handedOut, ...(await readGroup(key, '>', room))];
    const events = entries.flatMap(([entry, fields]) =>
      (fields === null ? [] : parseEntry(fields)).flatMap((event) => {
        if (event === null) log.error({ shard, entry }, 'an event of the quota stream is not one; left out');
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
      log.error({ accountId }, 'Redis and Postgres counted differently; Redis starts again from Postgres');
      await redis.quotaEvict(accountKey(accountId), epoch);
    }
    if (ids.length === 0) return;
    const key = streamKey(shard);
    await redis.xdel(key, ...ids);
    // Only now: an entry that is acknowledged and still there would never be read again.
    await redis.xack(key, GROUP, ...ids);
  };

  /** Looks at the head of each stream; returns the shards that have something. */
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
    // Gateways begin at different shards, so that they rarely want the same one.
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
          // Read only now: whoever held the shard before may have seeded it, after Redis lost what it had.
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

/** Parts the reads that hold anything into statements. */
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
