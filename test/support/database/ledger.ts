/** Reads units directly from Redis and Postgres, bypassing proxies and gateways. */
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { type Difference, reconcile } from '../../../src/quota/reconcile.ts';
import { createDrain } from '../../../src/quota/redis/drain.ts';
import { SERVER_KEYS } from '../../../src/quota/redis/keys.ts';
import { connectLedger } from '../../../src/quota/redis/scripts.ts';
import { whenReady } from '../../../src/redis/client.ts';
import { parseRedisUrl } from '../../../src/redis/url.ts';
import { silent } from '../silent-log.ts';

/** The ledger on Redis, seen from outside. */
export interface Ledger {
  readonly sql: Database['sql'];
  /** Numbers of open reservations in Redis, and of entries that have not reached Postgres. */
  openReservations(): Promise<number>;
  undrained(): Promise<number>;
  /** Differences between Redis, the balances and the sums of their records. */
  differences(): Promise<readonly Difference[]>;
  /** Deletes all data in Redis. */
  emptyRedis(): Promise<void>;
}

/** Anything that ends what was opened. */
interface Scope {
  teardown(run: () => unknown): unknown;
}

/** Connects to both stores of a ledger. */
export const openLedger = async (
  scope: Scope,
  { redisUrl, databaseUrl }: { readonly redisUrl: string; readonly databaseUrl: string },
): Promise<Ledger> => {
  // Counting a million links takes longer than a gateway may.
  const bounds = { statementTimeoutMs: 60_000, answerTimeoutMs: 70_000 };
  const database = await openDatabase({ url: databaseUrl, dataDir: '', bounds }, silent);
  scope.teardown(() => database.close());
  const client = connectLedger(parseRedisUrl(redisUrl), 5000, silent);
  scope.teardown(() => client.disconnect());
  await whenReady(client, 5000);
  const { sql } = database;

  const sumOfShards = async (countOf: (shard: number) => Promise<number>): Promise<number> => {
    const counts = await Promise.all(
      Array.from({ length: SERVER_KEYS.shards }, (_, shard) => countOf(shard)),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };

  return {
    sql,
    openReservations: () => sumOfShards((shard) => client.hlen(SERVER_KEYS.open(shard))),
    undrained: () => sumOfShards((shard) => client.xlen(SERVER_KEYS.stream(shard))),
    async differences() {
      const drain = createDrain(client, sql, silent);
      return (await reconcile(sql, { redis: client, drain })).differences;
    },
    async emptyRedis() {
      await client.flushall();
    },
  };
};
