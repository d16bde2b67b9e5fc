import { rename, rm } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

/** The thread's start options. `isNew`: there is no database in `dataFolder` yet. */
export interface EmbeddedOptions {
  readonly dataFolder: string;
  readonly isNew: boolean;
  readonly socketPath: string;
}

/** Only one is in use, but a connection that has just closed still counts for a moment. */
const MAX_CONNECTIONS = 4;

/** Creates the database under a temporary name first, so a killed start leaves no half-made database. */
const create = async (dataFolder: string): Promise<void> => {
  const unfinished = `${dataFolder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const db = await PGlite.create({ dataDir: unfinished });
  await db.close();
  await rename(unfinished, dataFolder);
};

const serve = async ({ dataFolder, isNew, socketPath }: EmbeddedOptions): Promise<void> => {
  if (isNew) await create(dataFolder);
  const db = await PGlite.create({ dataDir: dataFolder });
  await rm(socketPath, { force: true });
  const server = new PGLiteSocketServer({ db, path: socketPath, maxConnections: MAX_CONNECTIONS });
  await server.start();

  const stop = async () => {
    await server.stop();
    await db.close();
  };
  parentPort?.once('message', () => void stop());
  parentPort?.postMessage('ready');
};

void serve(workerData as EmbeddedOptions);
