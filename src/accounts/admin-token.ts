import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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
