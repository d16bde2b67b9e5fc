/**
 * Every Redis key, the ledger's first. The part in braces is what Redis Cluster hashes, so that all keys of a shard
 * lie on one node and one script may use them together.
 */

export const SHARDS = 64;

/** Account ids are random UUIDs, so any two of their digits spread evenly; 64 divides 256. */
export const shardOf = (accountId: string): number => Number.parseInt(accountId.slice(6, 8), 16) % SHARDS;

const TAGS = Array.from({ length: SHARDS }, (_, shard) => `{q:${String(shard).padStart(2, '0')}}`);

const tag = (shard: number): string => TAGS[shard]!;

/** What `lua/reserve.lua` and `lua/settle.lua` expect in front of the keys of their accounts. */
export const shardKeys = (
  shard: number,
): readonly [open: string, done: string, before: string, stream: string] => [
  openKey(shard),
  `${tag(shard)}:done`,
  `${tag(shard)}:done-before`,
  streamKey(shard),
];

/** Hash of the reservations that are open, by id. */
export const openKey = (shard: number): string => `${tag(shard)}:open`;

/** Stream of what happened and is not yet recorded in Postgres. */
export const streamKey = (shard: number): string => `${tag(shard)}:events`;

/** Hash with the counters of an account. */
export const accountKey = (accountId: string): string => `${tag(shardOf(accountId))}:account:${accountId}`;

/** Hash of an Idempotency-Key. */
export const claimKey = (accountId: string, route: string, key: string): string =>
  `${tag(shardOf(accountId))}:claim:${accountId}:${route}:${key}`;

/** Marks bought credits as added. */
export const grantKey = (accountId: string, grantId: string): string =>
  `${tag(shardOf(accountId))}:grant:${grantId}`;

/** Of the counters of requests a second, one for each account and key with a limit; any node of a Cluster may hold one. */
export const RATE_PREFIX = 'rate:';
