import type { Sql } from 'postgres';
import { keysFor } from './keys.ts';
import type { RedisParts } from './parts.ts';

/** Open reservations that one step examines. There are about as many as requests in progress. */
const SCAN_COUNT = 1000;

type ReapParts = Pick<RedisParts, 'background' | 'calls' | 'seeder'> & { readonly sql: Sql };

/** Calls of these kinds are paid once their codes are saved, whatever became of their gateway. */
const SAVES = /^(code|bulk)\b/;

/** Closes a reservation whose time is over. */
const closeDue = async (
  { sql, calls, seeder }: ReapParts,
  { id, accountId, use }: { readonly id: string; readonly accountId: string; readonly use: string },
): Promise<string> => {
  const expire = () => seeder.warm(accountId, () => calls.closeIfDue(id, accountId));
  // A remainder has the id of its account, and nobody knows its calls.
  if (!SAVES.test(use) || id === accountId) return expire();
  const [row] = await sql<[{ refundUnits: number | null }]>`
    select quota_find_saved(${id}, ${accountId}) as refund_units`;
  const { refundUnits } = row;
  if (refundUnits === null) return expire();
  const closing = { refundUnits, told: false, kept: '', isPatient: true };
  return seeder.warm(accountId, () => calls.settle(id, accountId, closing));
};

/**
 * Expires the reservations whose time is over. Those of calls that save codes stay open while Postgres is unavailable.
 *
 * @returns How many reservations expired here; another gateway may have closed others first.
 */
export const reapAll = async (parts: ReapParts): Promise<number> => {
  const redis = parts.background;
  const keys = keysFor(redis);
  const reapShard = async (shard: number): Promise<number> => {
    let reaped = 0;
    let cursor = '0';
    do {
      const [next = '0', ...due] = await redis.quotaDue(keys.open(shard), cursor, SCAN_COUNT);
      const ids = due.filter((_, i) => i % 3 === 0);
      const closed = await Promise.allSettled(
        ids.map((id, i) => closeDue(parts, { id, accountId: due[3 * i + 1]!, use: due[3 * i + 2]! })),
      );
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
