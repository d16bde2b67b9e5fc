import { randomBytes } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ok, type Result, refused } from '../../result.ts';

export interface FolderLock {
  release(): Promise<void>;
}

const FLAG = /^owner-[0-9a-f]{16}$/;
const CLAIMING = 'a process that is starting';
const GREETING_TIMEOUT_MS = 500;
/** Contenders that meet withdraw and come back after up to 50 ms: one gets through long before this. */
const MAX_TRIES = 50;

/**
 * Asks who stands behind a flag. `null`: nobody, the process is gone. A process that is stopped or too busy to
 * answer is there all the same.
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

/** Raises a flag: a listening socket whose file gets its visible name only once it listens. */
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

/** Who else has a flag up in `folder`. What dead processes left is removed; no name is used twice. */
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
 * Makes this process the only owner of `folder`, until `release` or its end, however it ends; or tells at once
 * who is the owner: the fault.
 *
 * Each contender raises a flag of its own first and then looks for others', so of two at least one sees the
 * other (as in Lamport's bakery); who sees one withdraws. A flag is a listening unix socket: the kernel lowers
 * it with its process, at once and also across containers, where process ids mean nothing.
 *
 * @param folder Exists, is used for nothing but sockets, and leaves 30 bytes of a socket's path.
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
