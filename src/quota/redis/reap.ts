import { keysFor } from './keys.ts';
import type { QuotaRedis } from './scripts.ts';

/** Open reservations that one step looks at. There are about as many as requests under way. */
const SCAN_COUNT = 1000;

/**
 * Expires the reservations whose time is over.
 *
 * @param closeIfDue As in `Calls`.
 * @returns How many reservations expired here; another gateway may have closed others first.
 */
export const reapAll = async (
  redis: QuotaRedis,
  closeIfDue: (id: string, accountId: string) => Promise<string>,
): Promise<number> => {
  const keys = keysFor(redis);
  const reapShard = async (shard: number): Promise<number> => {
    let reaped = 0;
    let cursor = '0';
    do {
      const [next = '0', ...due] = await redis.quotaDue(keys.open(shard), cursor, SCAN_COUNT);
      const ids = due.filter((_, i) => i % 2 === 0);
      const closed = await Promise.allSettled(ids.map((id, i) => closeIfDue(id, due[2 * i + 1]!)));
      const failed = closed.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
      reaped += closed.filter((one) => one.status === 'fulfilled' && one.value.startsWith('expired')).length;
      cursor = next;
    } while (cursor !== '0');
    return reaped;
  };
  const counts = await Promise.all(Array.from({ length: keys.shards }, (_, shard) => reapShard(shard)));
  return counts.reduce((sum, count) => sum + count, 0);
};
