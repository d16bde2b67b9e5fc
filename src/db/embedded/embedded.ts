import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { waitAtMost } from '../../execution/time-limits.ts';
import type { Log } from '../../log.ts';
import { lockFolder, openSocketFolder, type SocketFolder } from './folder.ts';
import type { EmbeddedOptions } from './worker.ts';

/** A running embedded database. */
export interface Embedded {
  /** The path of the unix socket on which it accepts one connection. */
  readonly socketPath: string;
  /** Ends the database at once, as `kill -9` would, and starts it again. Its connections are lost. */
  restart(): void;
  /** Stops the database and releases its folder. */
  close(): Promise<void>;
}

/** The thread's module: `.ts` in the sources, `.js` in a build. */
const WORKER = new URL(`./worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
const RESTART_DELAY_MS = 1000;
const CLOSE_TIMEOUT_MS = 10_000;

/** Starts the thread; resolves when the database listens. */
const startWorker = (options: EmbeddedOptions): Promise<Worker> =>
  new Promise((done, fail) => {
    const worker = new Worker(WORKER, { workerData: options });
    worker.once('message', () => done(worker));
    worker.once('error', fail);
    worker.once('exit', () => fail(new Error('the embedded database ended while it started')));
  });

const stopWorker = async (worker: Worker): Promise<void> => {
  const ended = new Promise((done) => worker.once('exit', done));
  worker.postMessage('stop');
  await waitAtMost(ended, CLOSE_TIMEOUT_MS);
  await worker.terminate();
};

/** Starts the worker, and starts it again whenever it ends before `close`. */
const superviseWorker = async (options: EmbeddedOptions, log: Log): Promise<Omit<Embedded, 'socketPath'>> => {
  let closing = false;
  let running: Worker | undefined;

  const start = async (isNew: boolean) => {
    const worker = await startWorker({ ...options, isNew });
    if (closing) return stopWorker(worker);
    running = worker;
    worker.on('error', (error) => log.error({ err: error }, 'embedded database failed'));
    worker.once('exit', () => {
      running = undefined;
      if (!closing) void startAgain();
    });
  };

  const startAgain = async (): Promise<void> => {
    log.warn({}, 'embedded database ended; restarting it');
    await sleep(RESTART_DELAY_MS);
    if (closing) return;
    await start(false).catch((error: unknown) => {
      log.error({ err: error }, 'embedded database did not start');
      return startAgain();
    });
  };

  await start(options.isNew);
  return {
    restart: () => void running?.terminate(),
    async close() {
      closing = true;
      if (running) await stopWorker(running);
    },
  };
};

/** Locks `folder` and returns its folder for sockets. Throws when another process holds the lock. */
const claimFolder = async (folder: string): Promise<SocketFolder> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const sockets = await openSocketFolder(join(folder, 'run'));
  const lock = await lockFolder(sockets.path);
  if (!lock.ok) {
    await sockets.release();
    const fault = new Error(`it is in use by ${lock.fault}; stop that process, or set another DATA_DIR`);
    throw Object.assign(fault, { code: 'FOLDER_IN_USE' });
  }
  return {
    path: sockets.path,
    async release() {
      await lock.value.release();
      await sockets.release();
    },
  };
};

/**
 * Runs PGlite on `dataDir` in a thread of its own. The first start creates the database, which takes some seconds.
 *
 * @throws {Error} When another process uses the folder (its code is `FOLDER_IN_USE`), or the folder cannot be written.
 *   The message says which.
 */
export const startEmbedded = async (dataDir: string, log: Log): Promise<Embedded> => {
  const folder = resolve(dataDir);
  const explain = (error: Error & { readonly code?: string }) => {
    const fault = new Error(
      `the embedded database in DATA_DIR ${folder} cannot be opened: ${error.message}`,
      { cause: error },
    );
    throw Object.assign(fault, { code: error.code });
  };
  const sockets = await claimFolder(folder).catch(explain);
  const dataFolder = join(folder, 'postgres');
  const socketPath = join(sockets.path, 'postgres.sock');
  const isNew = !existsSync(dataFolder);
  if (isNew) log.info({ dataDir: folder }, 'creating the embedded database, which takes some seconds');
  const worker = await superviseWorker({ dataFolder, socketPath, isNew }, log).catch(async (error: Error) => {
    await sockets.release();
    return explain(error);
  });
  return {
    socketPath,
    restart: worker.restart,
    async close() {
      await worker.close();
      await sockets.release();
    },
  };
};
