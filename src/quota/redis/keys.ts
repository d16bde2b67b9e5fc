/**
 * Every key in Redis, the ledger's first. Redis Cluster hashes the part in braces, so all keys of a shard lie on one
 * node, and one script may use them together.
 */

/** The number of shards. It cannot change while Redis holds data, because it decides the shard of each account. */
export const SHARDS = 64;

/** Returns the shard of an account, from 0. Two digits of a random UUID spread evenly, because 64 divides 256. */
export const shardOf = (accountId: string): number => Number.parseInt(accountId.slice(6, 8), 16) % SHARDS;

const TAGS = Array.from({ length: SHARDS }, (_, shard) => `{q:${String(shard).padStart(2, '0')}}`);

const tag = (shard: number): string => TAGS[shard]!;

/** Returns the keys of a shard in the order in which the scripts expect them, before the keys of accounts. */
export const shardKeys = (
  shard: number,
): readonly [open: string, done: string, before: string, stream: string] => [
  openKey(shard),
  `${tag(shard)}:done`,
  `${tag(shard)}:done-before`,
  streamKey(shard),
];

/** Returns the key of a hash: the records of open reservations by their ids. */
export const openKey = (shard: number): string => `${tag(shard)}:open`;

/** Returns the key of a stream: the events of a shard that are not yet in Postgres. */
export const streamKey = (shard: number): string => `${tag(shard)}:events`;

/** Returns the key of a hash: the counters of an account. */
export const accountKey = (accountId: string): string => `${tag(shardOf(accountId))}:account:${accountId}`;

/** Returns the key of a hash: the claim of an `Idempotency-Key`. */
export const claimKey = (accountId: string, route: string, key: string): string =>
  `${tag(shardOf(accountId))}:claim:${accountId}:${route}:${key}`;

/** Returns the key of a marker that exists once the credits of a grant were added. */
export const grantKey = (accountId: string, grantId: string): string =>
  `${tag(shardOf(accountId))}:grant:${grantId}`;

/** What the keys of the rate limit's counters begin with, one for each account or API key. They belong to no shard. */
export const RATE_PREFIX = 'rate:';
