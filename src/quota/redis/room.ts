import type { Log } from '../../log.ts';
import { type RedisClient, serversOf } from '../../redis/client.ts';

/** The memory of Redis; of the fullest node on a Cluster. */
export interface RoomStats {
  readonly usedBytes: number;
  /** `maxmemory`; 0: Redis has no limit of its own. */
  readonly maxBytes: number;
}

/** Describes the memory of Redis in a sentence, or returns `null` when it has no limit. */
export const describeMemory = ({ usedBytes, maxBytes }: RoomStats): string | null => {
  if (maxBytes === 0) return null;
  const mb = (bytes: number): string => (bytes / 1024 ** 2).toFixed(1);
  const text = `Redis uses ${mb(usedBytes)} MB of ${mb(maxBytes)} MB.`;
  return usedBytes < maxBytes ? text : `${text} Calls that need the quota are refused until it has room.`;
};

/** Watches the memory of Redis and makes room in time. */
export type Room = ReturnType<typeof createRoom>;

/** Shares of `maxmemory`: above the first, finished claims move to Postgres, until less than the second is used. */
const MOVE_ABOVE = 0.8;
const MOVE_UNTIL = 0.7;
/** Below this share the memory is read in one round of four: filling the rest takes longer than these. */
const CALM_BELOW = 0.5;
const CALM_ROUNDS = 4;

const readMemory = async (redis: RedisClient): Promise<RoomStats> => {
  const all = await Promise.all(
    serversOf(redis).map(async (server): Promise<RoomStats> => {
      const memory = await server.info('memory');
      const numberOf = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(memory)?.[1] ?? 0);
      return { usedBytes: numberOf('used_memory'), maxBytes: numberOf('maxmemory') };
    }),
  );
  return all.reduce((a, b) => (shareOf(a) >= shareOf(b) ? a : b));
};

const shareOf = ({ usedBytes, maxBytes }: RoomStats): number => (maxBytes === 0 ? 0 : usedBytes / maxBytes);

/**
 * Creates a watch. Scripts also run when Redis is full, so the gateways themselves must refuse new work then.
 *
 * @param moveClaims Moves a bounded number of finished claims to Postgres, and returns how many.
 */
export const createRoom = (redis: RedisClient, moveClaims: () => Promise<number>, log: Log) => {
  let memory: RoomStats = { usedBytes: 0, maxBytes: 0 };
  let rounds = 0;
  let isMoving = false;
  let wasFull = false;

  const isFull = (): boolean => memory.maxBytes > 0 && memory.usedBytes >= memory.maxBytes;

  const tell = () => {
    if (isFull() === wasFull) return;
    wasFull = isFull();
    if (wasFull)
      log.error({ ...memory }, 'Redis has used up its memory; calls that need the quota are refused');
    else log.info({ ...memory }, 'Redis has room again');
  };

  return {
    /** Whether Redis has used up its memory. Then only what ends reservations is still written to it. */
    isFull,
    /**
     * Reads the memory, seldom while little is used; above `MOVE_ABOVE` it moves finished claims out until there is room.
     */
    async round(): Promise<'more' | 'idle'> {
      const isCalm = shareOf(memory) < CALM_BELOW && rounds % CALM_ROUNDS !== 0;
      rounds += 1;
      if (isCalm) return 'idle';
      memory = await readMemory(redis);
      tell();
      isMoving = shareOf(memory) > (isMoving ? MOVE_UNTIL : MOVE_ABOVE);
      if (!isMoving || (await moveClaims()) === 0) return 'idle';
      memory = await readMemory(redis);
      return 'more';
    },
    stats: (): RoomStats => memory,
  };
};
