import type { Database } from '../db/database.ts';
import { countAccounts, createAccount } from '../db/tables/accounts.ts';
import { insertKey, SCOPES } from '../db/tables/keys.ts';
import { createApiKey, hashKey, shownPrefix } from './api-key.ts';

/**
 * On an embedded database without accounts, makes the account `demo` on the Pro plan. A database of the operator's
 * own gets none: its first account is the operator's to make.
 *
 * @param tell Called with the key, which is stored nowhere, before the account is committed. So a key that works
 *   was told, whenever the process ends; one that was told and not committed does nothing, and the next start
 *   tells another.
 * @returns Whether there is an account now.
 */
export const makeFirstAccount = async (
  { sql, embedded }: Pick<Database, 'sql' | 'embedded'>,
  tell: (key: string) => void,
): Promise<boolean> => {
  if ((await countAccounts(sql)) > 0) return true;
  if (!embedded) return false;
  await sql.begin(async (tx) => {
    const { id } = await createAccount(tx, { name: 'demo', plan: 'pro', monthlyQuota: null });
    const key = createApiKey();
    const [prefix, hash] = [shownPrefix(key), hashKey(key)];
    await insertKey(tx, { accountId: id, name: 'demo', prefix, hash, scopes: SCOPES });
    tell(key);
  });
  return true;
};
