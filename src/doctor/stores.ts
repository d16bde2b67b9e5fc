import type { Config } from '../config/config.ts';
import { type Inspected, inspectDatabase } from '../db/inspect.ts';
import { SILENT } from '../log.ts';
import { connectLedger, type QuotaRedis } from '../quota/redis/scripts.ts';
import { whenReady } from '../redis/client.ts';
import { parseRedisUrl } from '../redis/url.ts';
import { ok, type Result, refused } from '../result.ts';
import type { StorePlace } from '../storage/open.ts';
import { type Finding, findingsOf } from './finding.ts';

const READY_MS = 5000;
const COMMAND_MS = 10_000;

const openDatabase = async (config: Config): Promise<Result<Inspected, Finding>> => {
  const { warn, fail } = findingsOf('postgres');
  try {
    const database = await inspectDatabase({
      url: config.databaseUrl,
      listenUrl: config.listenDatabaseUrl,
      dataDir: config.dataDir,
    });
    if (database !== null) return ok(database);
    return refused(warn(`There is no embedded database in ${config.dataDir} yet: the first start makes it.`));
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: string };
    return refused(
      code === 'FOLDER_IN_USE'
        ? warn(`${message.replace('stop that process', 'stop that gateway to have it checked')}.`)
        : fail(`${message}.`),
    );
  }
};

const openRedis = async (url: string): Promise<Result<QuotaRedis, Finding>> => {
  const target = parseRedisUrl(url);
  let reason = 'no answer';
  const note = ({ err }: { readonly err?: Error }) => {
    reason = err?.message || reason;
  };
  const log = { ...SILENT, error: note };
  const client = connectLedger(target, COMMAND_MS, log);
  if (await whenReady(client, READY_MS)) return ok(client);
  client.disconnect();
  const places = target.hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
  return refused(
    findingsOf('redis').fail(
      `Redis at ${places} cannot be used (${reason}): start it, or correct REDIS_URL; paid calls get a 503.`,
    ),
  );
};

/**
 * Opens the stores, and closes them when `use` has ended.
 *
 * @param use Gets each store, or why it cannot be looked at; Redis is `null` without `REDIS_URL`.
 */
export const withStores = async <T>(
  config: Config,
  use: (database: Result<Inspected, Finding>, redis: Result<QuotaRedis, Finding> | null) => Promise<T>,
): Promise<T> => {
  const database = await openDatabase(config);
  const redis = config.redisUrl === null ? null : await openRedis(config.redisUrl);
  try {
    return await use(database, redis);
  } finally {
    if (redis?.ok) redis.value.disconnect();
    if (database.ok) await database.value.close();
  }
};

/** Opens a bucket. The SDK takes a tenth of a second and some megabytes. */
export const openBucket = async (place: Exclude<StorePlace, { readonly folder: string }>) => {
  const { createS3Store } = await import('../storage/s3.ts');
  return createS3Store(place, { idleMs: 5000, requestMs: 5000 });
};
