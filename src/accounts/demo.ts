import { countAccounts, createAccount } from '../db/accounts.ts';
import type { Database } from '../db/database.ts';
import { insertKey } from '../db/keys.ts';
import { ALL_SCOPES } from './accounts.ts';
import { createApiKey, hashKey, shownPrefix } from './api-key.ts';

/** Any number will do, as long as all gateways take the same. */
const FIRST_START_LOCK = 7_366_001;

/**
 * On a database without accounts, makes the account `demo` on the Pro plan.
 *
 * @returns Its key, which is stored nowhere; `null` when there are accounts. Of several gateways that start
 *   together one gets the key.
 */
export const createDemoAccount = (database: Database): Promise<string | null> =>
  database.sql.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(${FIRST_START_LOCK})`;
    if ((await countAccounts(sql)) > 0) return null;
    const { id } = await createAccount(sql, { name: 'demo', plan: 'pro', monthlyQuota: null });
    const key = createApiKey();
    await insertKey(sql, {
      accountId: id,
      name: 'demo',
      prefix: shownPrefix(key),
      hash: hashKey(key),
      scopes: ALL_SCOPES,
    });
    return key;
  });
