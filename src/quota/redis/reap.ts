import { SHARDS, shardKeys } from './keys.ts';
import type { QuotaRedis } from './scripts.ts';

/** Open reservations that one step looks at. There are about as many as requests under way. */
const SCAN_COUNT = 1000;

/**
 * Expires the reservations whose time is over, and forgets those that were closed long ago.
 *
 * @param keepMs How long closed reservations are remembered at least.
 * @param closeIfDue As in `Calls`.
 * @returns How many reservations expired here; another gateway may have closed others first.
 */
export const reapAll = async (
  redis: QuotaRedis,
  keepMs: number,
  closeIfDue: (id: string, accountId: string) => Promise<string>,
): Promise<number> => {
  const reapShard = async (shard: number): Promise<number> => {
    let reaped = 0;
    let cursor = '0';
    const [open, done, before] = shardKeys(shard);
    const keys = [open, done, before] as const;
    do {
      const [next = '0', ...due] = await redis.quotaDue(...keys, cursor, SCAN_COUNT, keepMs);
      const ids = due.filter((_, i) => i % 2 === 0);
      const closed = await Promise.allSettled(ids.map((id, i) => closeIfDue(id, due[2 * i + 1]!)));
      const failed = closed.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
      reaped += closed.filter((one) => one.status === 'fulfilled' && one.value.startsWith('expired')).length;
      cursor = next;
    } while (cursor !== '0');
    return reaped;
  };
  const counts = await Promise.all(Array.from({ length: SHARDS }, (_, shard) => reapShard(shard)));
  return counts.reduce((sum, count) => sum + count, 0);
};
