/**
 * Every key in Redis. Redis Cluster hashes the part in braces, so all keys of a shard lie on one node, and one script
 * may use them together.
 */
import { Cluster } from 'ioredis';
import type { RedisClient } from '../../redis/client.ts';

/** The number of shards on a Cluster. It cannot change while Redis holds data: it decides the shard of each account. */
export const CLUSTER_SHARDS = 64;

/** The keys of the ledger. */
export type Keys = ReturnType<typeof createKeys>;

const createKeys = (shards: number) => {
  const tags = Array.from({ length: shards }, (_, shard) => `{q:${String(shard).padStart(2, '0')}}`);
  /** Returns the shard of an account, from 0. Two digits of a random UUID spread evenly, because 64 divides 256. */
  const shardOf = (accountId: string): number => Number.parseInt(accountId.slice(6, 8), 16) % shards;
  const tagOf = (accountId: string): string => tags[shardOf(accountId)]!;
  return {
    /** On a Cluster `CLUSTER_SHARDS`, else one: a script run costs least when it writes one stream. */
    shards,
    shardOf,
    /** Returns the key of a hash: the open reservations of a shard by their ids. */
    open: (shard: number) => `${tags[shard]}:open`,
    /** Returns the key of a stream: the changes of a shard that are not yet in Postgres. */
    stream: (shard: number) => `${tags[shard]}:sums`,
    /** Returns the key of a marker: it is absent after Redis has lost its data, until the open units were found. */
    alive: (shard: number) => `${tags[shard]}:alive`,
    /** Returns the key of a mark: claims of the shard are in Postgres. */
    moved: (shard: number) => `${tags[shard]}:moved`,
    /** Returns the key of a hash: the counters of an account. */
    account: (accountId: string) => `${tagOf(accountId)}:account:${accountId}`,
    /** Returns the key of a hash: the claim of an `Idempotency-Key`. */
    claim: (accountId: string, route: string, key: string) =>
      `${tagOf(accountId)}:claim:${accountId}:${route}:${key}`,
    /** Returns the key of a marker: it exists once what it marks is part of the account's counters. */
    marker: (accountId: string, what: 'grant' | 'hold' | 'return' | 'remainder', id: string) =>
      `${tagOf(accountId)}:${what}:${id}`,
  };
};

/** The keys on one server, with or without replicas. */
export const SERVER_KEYS: Keys = createKeys(1);

export const CLUSTER_KEYS: Keys = createKeys(CLUSTER_SHARDS);

/** Returns the keys that are used with a client. */
export const keysFor = (redis: RedisClient): Keys => (redis instanceof Cluster ? CLUSTER_KEYS : SERVER_KEYS);

/** What the keys of the rate limit's counters begin with, one for each account or API key. They belong to no shard. */
export const RATE_PREFIX = 'rate:';
