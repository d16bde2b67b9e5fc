import type { Database } from '../db/database.ts';
import { countAccounts, createAccount } from '../db/tables/accounts.ts';
import { insertKey, SCOPES } from '../db/tables/keys.ts';
import { createApiKey, hashKey, shownPrefix } from './api-key.ts';

/**
 * Creates the account `demo` on the Pro plan, with a key, in an embedded database without accounts. On a Postgres
 * server the operator creates the first account, and so where no such account is wanted.
 *
 * @param tell Called with the key before the account is committed. The key is stored nowhere, so this order makes sure
 *   that every key that works was shown, whenever the process ends. If the commit fails, the shown key does not work,
 *   and the next start shows another.
 * @returns Whether there is an account now.
 */
export const makeFirstAccount = async (
  { sql, embedded }: Pick<Database, 'sql' | 'embedded'>,
  isWanted: boolean,
  tell: (key: string) => void,
): Promise<boolean> => {
  if ((await countAccounts(sql)) > 0) return true;
  if (!embedded || !isWanted) return false;
  await sql.begin(async (tx) => {
    const { id } = await createAccount(tx, { name: 'demo', plan: 'pro', monthlyQuota: null });
    const key = createApiKey();
    const [prefix, hash] = [shownPrefix(key), hashKey(key)];
    await insertKey(tx, { accountId: id, name: 'demo', prefix, hash, scopes: SCOPES });
    tell(key);
  });
  return true;
};
