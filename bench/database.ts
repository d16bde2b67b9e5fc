import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../src/db/database.ts';
import { say } from './say.ts';

/** Runs with the database at the URL, or with an embedded one that is gone afterwards. Prints its warnings. */
export const withDatabase = async (
  url: string | undefined,
  run: (database: Database) => Promise<void>,
): Promise<void> => {
  const tell = (_: object, message: string): void => say(message);
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-bench-'));
  try {
    const log = { debug: () => {}, info: () => {}, warn: tell, error: tell };
    const database = await openDatabase({ url: url ?? null, dataDir }, log);
    await run(database).finally(() => database.close());
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};
