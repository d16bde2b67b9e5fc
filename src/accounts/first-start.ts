import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../db/database.ts';
import { countAccounts, createAccount } from '../db/tables/accounts/accounts.ts';
import { insertKey, SCOPES } from '../db/tables/accounts/keys.ts';
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
  { sql, read, embedded }: Pick<Database, 'sql' | 'read' | 'embedded'>,
  isWanted: boolean,
  tell: (key: string) => void | Promise<void>,
): Promise<boolean> => {
  if ((await read(countAccounts)) > 0) return true;
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

/**
 * Returns the admin token of an installation whose operator set none, and the path of its file. The first call creates
 * the file, readable only by its owner.
 *
 * @throws {Error} When the file has no token, or cannot be read or written.
 */
export const readOrCreateAdminToken = async (dataDir: string): Promise<{ token: string; path: string }> => {
  const path = join(dataDir, 'admin-token');
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(path, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const token = (await readFile(path, 'utf8')).trim();
  if (token.length < 16)
    throw new Error(`${path} has no token; delete it, and the next start makes a new one`);
  return { token, path };
};
