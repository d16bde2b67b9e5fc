import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SocketFolder {
  /** Leads to the folder and is short enough for sockets in it. */
  readonly path: string;
  release(): Promise<void>;
}

/** A socket's path has room for 103 bytes (macOS; Linux: 107), of which 30 are left for the file's name. */
const MAX_PATH_BYTES = 73;

/**
 * Makes a folder for sockets that only this user can reach. When its path is too long for a socket's address,
 * a link in a private temporary folder stands in for it: the sockets are still in the folder itself, where
 * every process with that folder finds them.
 */
export const openSocketFolder = async (folder: string): Promise<SocketFolder> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (Buffer.byteLength(folder) <= MAX_PATH_BYTES) return { path: folder, release: async () => {} };
  const alias = await mkdtemp(join(tmpdir(), 'tessera-run-'));
  const path = join(alias, 'run');
  await symlink(folder, path);
  return { path, release: () => rm(alias, { recursive: true, force: true }) };
};
