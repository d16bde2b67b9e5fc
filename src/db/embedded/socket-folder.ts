import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for unix sockets. */
export interface SocketFolder {
  /** A path to the folder that leaves 30 bytes of a socket's address for a file name. */
  readonly path: string;
  /** Removes the link, if one was needed. */
  release(): Promise<void>;
}

/** A socket's address holds 103 bytes on macOS and 107 on Linux. 30 of them are left for the name of the file. */
const MAX_PATH_BYTES = 73;

/**
 * Makes a folder for sockets that only this user can enter. If its path is too long for a socket's address, the
 * returned path is a link in a private temporary folder. The sockets are still created in the folder itself, where
 * every process finds them.
 */
export const openSocketFolder = async (folder: string): Promise<SocketFolder> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (Buffer.byteLength(folder) <= MAX_PATH_BYTES) return { path: folder, release: async () => {} };
  const alias = await mkdtemp(join(tmpdir(), 'tessera-run-'));
  const path = join(alias, 'run');
  await symlink(folder, path);
  return { path, release: () => rm(alias, { recursive: true, force: true }) };
};
