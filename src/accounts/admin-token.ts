import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The token of an installation that was given none: made once, readable by the owner of the folder alone. */
export const readOrCreateAdminToken = async (dataDir: string): Promise<{ token: string; path: string }> => {
  const path = join(dataDir, 'admin-token');
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(path, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const token = (await readFile(path, 'utf8')).trim();
  if (token.length < 16) throw new Error(`${path} holds no token; delete it to have a new one made`);
  return { token, path };
};
