import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, statfs, symlink } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ok, type Result, refused } from '../../result.ts';

/** A lock that this process holds. */
interface FolderLock {
  /** Releases the folder. */
  release(): Promise<void>;
}

const FLAG = /^owner-[0-9a-f]{16}$/;
const CLAIMING = 'a process that is starting';
const GREETING_TIMEOUT_MS = 500;
/** Colliding contenders withdraw and retry with up to 50 ms of jitter, so one succeeds after far fewer tries. */
const MAX_TRIES = 50;

/**
 * Returns who raised a flag, or `null` if that process has ended. A process that is stopped or too busy to answer still
 * holds its flag.
 */
const askHolder = (path: string): Promise<string | null> =>
  new Promise((resolve) => {
    let text = '';
    const socket = createConnection(path);
    socket.setTimeout(GREETING_TIMEOUT_MS, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(null);
    });
    socket.on('close', () => resolve(text || 'a process that does not answer'));
  });

/** Raises a flag: a listening socket. Its file gets its final name only once the socket is listening. */
const raiseFlag = async (path: string, greeting: () => string): Promise<Server> => {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(greeting());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(`${path}.new`, resolve);
  });
  server.unref();
  await rename(`${path}.new`, path);
  return server;
};

const lowerFlag = async (path: string, server: Server): Promise<void> => {
  await rm(path, { force: true });
  await new Promise((resolve) => server.close(resolve));
};

/** Returns the other flag holders in `folder`. Removes the flags of dead processes; names are never reused. */
const otherHolders = async (folder: string, mine: string): Promise<readonly string[]> => {
  const names = (await readdir(folder)).filter((name) => FLAG.test(name) && name !== mine);
  const holders = await Promise.all(
    names.map(async (name) => {
      const holder = await askHolder(join(folder, name));
      if (holder === null) await rm(join(folder, name), { force: true });
      return holder;
    }),
  );
  return holders.filter((holder) => holder !== null);
};

/**
 * Makes this process the only owner of `folder` until `release`, or until the process ends in any way. When another
 * process is the owner, the fault names it at once.
 *
 * Each contender first raises a flag and then looks for other flags, so of two contenders at least one sees the other
 * (as in Lamport's bakery algorithm). A contender that sees another withdraws. A flag is a listening unix socket. The
 * kernel closes it when its process ends, also across containers, where process ids mean nothing.
 *
 * @param folder Must exist, hold nothing but sockets, and leave 30 bytes of a socket's path for a name.
 */
export const lockFolder = async (folder: string): Promise<Result<FolderLock, string>> => {
  const owner = `process ${process.pid} on ${hostname()}, started ${new Date().toISOString()}`;
  for (let tries = 1; ; tries += 1) {
    let greeting = CLAIMING;
    const name = `owner-${randomBytes(8).toString('hex')}`;
    const path = join(folder, name);
    const server = await raiseFlag(path, () => greeting);
    const others = await otherHolders(folder, name);
    if (others.length === 0) {
      greeting = owner;
      return ok({ release: () => lowerFlag(path, server) });
    }
    await lowerFlag(path, server);
    const holder = others.find((other) => other !== CLAIMING);
    if (holder !== undefined || tries === MAX_TRIES) return refused(holder ?? CLAIMING);
    await sleep(Math.random() * 50);
  }
};

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

/** Returns the bytes that this process may still write to the file system of `folder`. */
export const freeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Returns why a gateway with its database in `folder` is not ready, as a sentence; `null` when the disk has room. */
export const tellFullDisk = async (folder: string, minBytes: number): Promise<string | null> => {
  const free = await freeBytes(folder);
  if (free >= minBytes) return null;
  return `The disk of DATA_DIR has ${free} bytes left, fewer than DISK_FREE_MIN_BYTES (${minBytes}).`;
};
