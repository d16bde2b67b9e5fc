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

/** How a text shows a key: in a sentence, and as shell commands write it. */
interface ToldKey {
  readonly sentence: string;
  readonly word: string;
}

/** Shows the key itself, on a terminal. */
export const showKey = (key: string): ToldKey => ({
  sentence: `This is its API key, which is not shown again:\n\n  ${key}`,
  word: key,
});

/** Names the file that has the key. */
export const nameKeyFile = (path: string): ToldKey => ({
  sentence: `Its API key is in a file, which you may delete:\n\n  export TESSERA_KEY=$(cat ${path})`,
  word: '$TESSERA_KEY',
});

/** Returns the text that the first start on the embedded database prints. The key of `demo` is shown nowhere else. */
export const welcome = (url: string, key: ToldKey, adminTokenPath: string | null): string => `
An account "demo" on the Pro plan was made. ${key.sentence}

Try it:

  # one code, as JSON with a PNG data URL
  curl -s ${url}/api/v1/qr \\
    -H "Authorization: Bearer ${key.word}" -H 'Content-Type: application/json' \\
    -d '{"data":"https://example.com/","dotsOptions":{"type":"rounded","color":"#1a4b8c"}}'

  # a bulk call, saved into a folder; the second code is dynamic: its destination can be edited after printing
  curl -s ${url}/api/v1/qr/bulk \\
    -H "Authorization: Bearer ${key.word}" -H 'Content-Type: application/json' \\
    -d '{"folderName":"First codes","items":[{"data":"Hello"},{"data":"https://example.com/","dynamic":true}]}'

  # a picture, for an <img> tag
  curl -s -o code.png "${url}/api/v1/render?key=${key.word}&content=https%3A%2F%2Fexample.com%2F"

Dashboard:     ${url}/dashboard (sign in with the key)
Documentation: ${url}/docs
Command line:  npm run --silent tessera -- --help
${adminTokenPath === null ? '' : `Operator:      ${url}/dashboard/operator, the API ${url}/admin/v1 and metrics at ${url}/metrics; token in ${adminTokenPath}\n`}`;

/** Returns the text that a start prints while there is no account. */
export const howToBegin = (url: string, hasAdminToken: boolean, adminTokenPath: string | null): string =>
  hasAdminToken
    ? `
There is no account yet. Make one and a key for it, with the admin token in ADMIN_TOKEN:

${adminTokenPath === null ? '' : `  export ADMIN_TOKEN=$(cat ${adminTokenPath})\n`}  curl -s ${url}/admin/v1/accounts -H "Authorization: Bearer $ADMIN_TOKEN" \\
    -H 'Content-Type: application/json' -d '{"name":"ACME","plan":"pro"}'
  curl -s ${url}/admin/v1/accounts/<id>/keys -H "Authorization: Bearer $ADMIN_TOKEN" \\
    -H 'Content-Type: application/json' -d '{"name":"first"}'
`
    : `
There is no account yet, and none can be made without ADMIN_TOKEN. Set it, for example with
ADMIN_TOKEN=$(openssl rand -hex 24), and start again.
`;
