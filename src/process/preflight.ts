/** Checks before the start that the gateway can listen on its address and write in its data folder. */
import { access, constants, mkdir, mkdtemp, rmdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { type Config, ConfigError } from '../config/config.ts';

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException | null)?.code ?? '');

type Address = Pick<Config, 'host' | 'port'>;

const ADDRESS_FAULTS: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `PORT: another program listens on port ${port} of ${host}; stop it, or take another port, for example PORT=${port === 3000 ? 3001 : 3000}`,
  EACCES: ({ port }) => `PORT: this user may not listen on port ${port}, for example PORT=3000`,
  EADDRNOTAVAIL: ({ host }) => `HOST: ${host} is not an address of this machine, for example HOST=0.0.0.0`,
  ENOTFOUND: ({ host }) => `HOST: there is no host called ${host}, for example HOST=0.0.0.0`,
  EAI_AGAIN: ({ host }) => `HOST: ${host} can't be looked up, for example HOST=0.0.0.0`,
};

/** Turns an error of `listen` into a `ConfigError` that names the variable. Returns any other error as it is. */
export const explainListening = (error: unknown, address: Address): unknown => {
  const fault = ADDRESS_FAULTS[codeOf(error)];
  return fault === undefined ? error : new ConfigError([fault(address)]);
};

/**
 * Checks that the gateway can listen on the address. The address is free again when this resolves.
 *
 * @throws {ConfigError} when it is in use or does not belong to this machine.
 */
export const checkAddress = (address: Address): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => reject(explainListening(error, address)));
    server.listen(address, () => server.close(() => resolve()));
  });

/** Makes a folder and those above it. `mkdir` with `recursive` would never return in places like /proc. */
const makeFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
};

const FOLDER_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it lies on a read-only file system',
  ENOENT: 'no folder can be made there',
  ENOTDIR: 'it, or a path above it, is not a folder',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full',
};

/**
 * Makes `dataDir` with the folders above it, and tries to write in it.
 *
 * @throws {ConfigError} when that can't be done.
 */
export const checkDataDir = async (dataDir: string): Promise<void> => {
  try {
    await makeFolder(dataDir);
    await rmdir(await mkdtemp(join(dataDir, '.writable-')));
    // An earlier start may have made this folder as another user.
    await access(join(dataDir, 'postgres'), constants.W_OK).catch((error) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
  } catch (error) {
    const fault = FOLDER_FAULTS[codeOf(error)] ?? (error as Error).message;
    throw new ConfigError([`DATA_DIR: ${dataDir} can't be used: ${fault}, for example DATA_DIR=./data`]);
  }
};
