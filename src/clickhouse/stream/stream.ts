/** The stream in Redis in which groups of scans wait for ClickHouse, and what gateways do with it. */
import { randomUUID } from 'node:crypto';
import type { Log } from '../../log.ts';
import { connectRedis, type RedisClient } from '../../redis/client.ts';
import { parseRedisUrl } from '../../redis/url.ts';

/** The braces put both keys on the same node of a Cluster. `BYTES_KEY` counts those of the entries. */
const STREAM_KEY = '{scans}:groups';
const BYTES_KEY = '{scans}:bytes';
const GROUP = 'gateways';
const FIELD = 'scans';

/** What Redis needs for an entry beside its text. */
const ENTRY_BYTES = 200;
/** Answers wait behind entries of up to some hundred kilobytes. */
const COMMAND_TIMEOUT_MS = 2000;
/**
 * An entry that its consumer has had for longer is another's. Longer than an insert may take, and short enough that
 * ClickHouse still knows the block if it was inserted: the last 10,000.
 */
const ABANDONED_MS = 15_000;
/** Consumers that were killed are forgotten once they have asked for nothing for so long, and nothing is left of theirs. */
const FORGOTTEN_MS = 3_600_000;

const LOOK = `
local function look()
  local first = redis.call('xrange', KEYS[1], '-', '+', 'count', 1)[1]
  return {tonumber(redis.call('get', KEYS[2]) or '0'), redis.call('xlen', KEYS[1]), first and first[1] or ''}
end
`;

/** Appends ARGV[1] unless there would be more than ARGV[2] bytes. An empty stream takes any entry. */
const APPEND = `
local bytes = tonumber(redis.call('get', KEYS[2]) or '0')
local size = #ARGV[1] + ${ENTRY_BYTES}
if bytes > 0 and bytes + size > tonumber(ARGV[2]) then return 'full' end
redis.call('xadd', KEYS[1], '*', '${FIELD}', ARGV[1])
redis.call('incrby', KEYS[2], size)
return 'appended'`;

/** Removes the entry ARGV[1] of ARGV[2] bytes, once. */
const REMOVE = `
redis.call('xack', KEYS[1], '${GROUP}', ARGV[1])
if redis.call('xdel', KEYS[1], ARGV[1]) == 1 then redis.call('decrby', KEYS[2], ARGV[2] + ${ENTRY_BYTES}) end
if redis.call('xlen', KEYS[1]) == 0 then redis.call('del', KEYS[2]) end`;

/** Forgets consumers without entries: ARGV[1], and those that asked for nothing for ARGV[2] milliseconds. */
const FORGET = `
if redis.call('exists', KEYS[1]) == 0 then return end
for _, flat in ipairs(redis.call('xinfo', 'consumers', KEYS[1], '${GROUP}')) do
  local consumer = {}
  for i = 1, #flat, 2 do consumer[flat[i]] = flat[i + 1] end
  if consumer.pending == 0 and (consumer.name == ARGV[1] or consumer.idle > tonumber(ARGV[2])) then
    redis.call('xgroup', 'delconsumer', KEYS[1], '${GROUP}', consumer.name)
  end
end`;

const scripts = {
  scansLook: { lua: `${LOOK} return look()`, numberOfKeys: 2 },
  scansAppend: { lua: APPEND, numberOfKeys: 2 },
  scansRemove: { lua: REMOVE, numberOfKeys: 2 },
  scansForget: { lua: FORGET, numberOfKeys: 1 },
};

type StreamRedis = RedisClient & {
  scansLook(stream: string, bytes: string): Promise<[bytes: number, entries: number, first: string]>;
  scansAppend(stream: string, bytes: string, packed: Buffer, maxBytes: number): Promise<'full' | 'appended'>;
  scansRemove(stream: string, bytes: string, id: string, packedBytes: number): Promise<null>;
  scansForget(stream: string, consumer: string, idleMs: number): Promise<null>;
  /** ioredis has it, and no type of it. */
  xautoclaimBuffer(...args: readonly (string | number)[]): Promise<unknown>;
};

/** A group of scans that a consumer is to insert. */
export interface Entry {
  readonly id: string;
  readonly packed: Buffer;
}

/** What waits in the stream. */
export interface StreamStats {
  readonly bytes: number;
  /** The bound of `bytes`. */
  readonly maxBytes: number;
  readonly entries: number;
  /** Age of the oldest; 0: there is none. */
  readonly oldestS: number;
}

/** The stream, as one of its consumers sees it. */
export type ScanStream = ReturnType<typeof openScanStream>;

const isGroupMissing = (error: unknown): boolean => /^NOGROUP /.test((error as Error).message);

const passIfThere = (error: unknown): void => {
  if (!/^BUSYGROUP /.test((error as Error).message)) throw error;
};

type RawEntry = [id: Buffer, fields: Buffer[] | null];

const toEntry = (raw: RawEntry | undefined): Entry | null => {
  const packed = raw?.[1]?.[1];
  return packed === undefined ? null : { id: raw![0].toString(), packed };
};

/** Opens the stream. Connects in the background, and fails fast while Redis is away. @param maxBytes The most that it may hold. */
export const openScanStream = (url: string, maxBytes: number, log: Log) => {
  const redis = connectRedis(parseRedisUrl(url), COMMAND_TIMEOUT_MS, log, scripts) as StreamRedis;
  const consumer = randomUUID();
  let stats: StreamStats = { bytes: 0, maxBytes, entries: 0, oldestS: 0 };

  /** Makes the group of consumers again when Redis has none, or has lost its data. */
  const inGroup = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      if (!isGroupMissing(error)) throw error;
      await redis.xgroup('CREATE', STREAM_KEY, GROUP, '0', 'MKSTREAM').catch(passIfThere);
      return run();
    }
  };

  return {
    /** Appends a group, or throws. It may be there although there was no answer. */
    async append(packed: Buffer): Promise<void> {
      if ((await redis.scansAppend(STREAM_KEY, BYTES_KEY, packed, maxBytes)) === 'full')
        throw new Error(
          `the scans that wait in Redis take ${maxBytes} bytes: look why ClickHouse does not take them, or raise SCAN_STREAM_MAX_BYTES`,
        );
    },
    /** Takes the oldest entry that nobody has taken. */
    takeNext: (): Promise<Entry | null> =>
      inGroup(async () => {
        const answer = await redis.xreadgroupBuffer(
          ...(['GROUP', GROUP, consumer, 'COUNT', 1, 'STREAMS', STREAM_KEY, '>'] as const),
        );
        const [stream] = (answer ?? []) as [name: Buffer, entries: RawEntry[]][];
        return toEntry(stream?.[1][0]);
      }),
    /** Takes an entry that a consumer has had for so long that it must have been killed. */
    takeAbandoned: (): Promise<Entry | null> =>
      inGroup(async () => {
        const answer = await redis.xautoclaimBuffer(
          ...[STREAM_KEY, GROUP, consumer, ABANDONED_MS, '0-0', 'COUNT', 1],
        );
        return toEntry((answer as [Buffer, RawEntry[]])[1][0]);
      }),
    /** Returns whether an entry that was taken is still this consumer's. */
    async isOwn({ id }: Entry): Promise<boolean> {
      const pending = (await inGroup(() => redis.xpending(STREAM_KEY, GROUP, id, id, 1))) as [
        string,
        string,
      ][];
      return pending[0]?.[1] === consumer;
    },
    /** Removes an entry for good, once however often it is called. */
    async remove({ id, packed }: Entry): Promise<void> {
      await redis.scansRemove(STREAM_KEY, BYTES_KEY, id, packed.length);
    },
    /** Looks at what waits, for `stats`. */
    async look(): Promise<void> {
      const [bytes, entries, first] = await redis.scansLook(STREAM_KEY, BYTES_KEY);
      const oldestS = first === '' ? 0 : Math.max(0, (Date.now() - Number.parseInt(first, 10)) / 1000);
      stats = { bytes, maxBytes, entries, oldestS };
    },
    stats: (): StreamStats => stats,
    /** Throws when Redis does not answer. */
    async ping(): Promise<void> {
      await redis.scansLook(STREAM_KEY, BYTES_KEY);
    },
    /** Forgets consumers that were killed long ago. */
    forgetKilled: () => inGroup(() => redis.scansForget(STREAM_KEY, '', FORGOTTEN_MS)),
    /** Disconnects. Entries that this consumer has taken are another's soon. */
    async close(): Promise<void> {
      await redis.scansForget(STREAM_KEY, consumer, FORGOTTEN_MS).catch(() => {});
      redis.disconnect();
    },
  };
};
