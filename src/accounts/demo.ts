import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../db/database.ts';
import { countAccounts, createAccount } from '../db/tables/accounts.ts';
import { insertKey, SCOPES } from '../db/tables/keys.ts';
import { createApiKey, hashKey, shownPrefixOf } from './api-key.ts';

/**
 * Creates the account `demo` on the Pro plan, with a key, in an embedded database without accounts. On a Postgres
 * server, or where `DEMO_ACCOUNT` is off, the operator creates the first account.
 *
 * @param tell Called with the key before the account is committed. The database has only its hash, so this order makes
 *   sure that every working key was reported, whenever the process ends. If the commit fails, the reported key does not
 *   work, and the next start reports another.
 * @returns Whether there is an account now.
 */
export const makeFirstAccount = async (
  { sql, embedded }: Pick<Database, 'sql' | 'embedded'>,
  isWanted: boolean,
  tell: (key: string) => void | Promise<void>,
): Promise<boolean> => {
  if ((await countAccounts(sql)) > 0) return true;
  if (!embedded || !isWanted) return false;
  await sql.begin(async (tx) => {
    const { id } = await createAccount(tx, { name: 'demo', plan: 'pro', monthlyQuota: null });
    const key = createApiKey();
    const [prefix, hash] = [shownPrefixOf(key), hashKey(key)];
    await insertKey(tx, { accountId: id, name: 'demo', prefix, hash, scopes: SCOPES });
    await tell(key);
  });
  return true;
};

/**
 * Writes the key of `demo` to a file in `dataDir` that only its owner may read, and returns its path. Replaces the file
 * of an earlier start, whose key does not work.
 */
export const writeDemoKey = async (dataDir: string, key: string): Promise<string> => {
  const path = join(dataDir, 'demo-key');
  await rm(path, { force: true });
  await writeFile(path, `${key}\n`, { flag: 'wx', mode: 0o600, flush: true });
  return path;
};
