import { readConfig } from '../config/config.ts';
import { ok, type Result, refused } from '../result.ts';
import { type Verdict, verifyLedger } from './checks/ledger.ts';
import { openDatabase, openRedis } from './stores.ts';

/**
 * Compares the balances of the installation that an environment describes, or of one account, with their records and
 * with Redis. It changes nothing. The fault says why it cannot be done.
 *
 * @throws {ConfigError} When the environment has faults.
 */
export const verify = async (
  env: Readonly<Record<string, string | undefined>>,
  accountId: string | null,
): Promise<Result<Verdict, string>> => {
  const config = readConfig(env);
  const database = await openDatabase(config);
  if (!database.ok) return refused(database.fault.message);
  const redis = config.redisUrl === null ? null : await openRedis(config.redisUrl);
  try {
    if (redis?.ok === false) return refused(redis.fault.message);
    return ok(await verifyLedger(database.value, redis?.value ?? null, accountId));
  } finally {
    if (redis?.ok) redis.value.disconnect();
    await database.value.close();
  }
};
