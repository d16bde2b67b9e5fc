/** The batch store, once it is verified to be the one that all gateways of the installation share. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { findStoreMark, saveStoreMark } from '../db/tables/batches/parts.ts';
import { AppError } from '../errors.ts';
import { countLoopFailure } from '../execution/loops.ts';
import { waitAtMost } from '../execution/time-limits.ts';
import type { Log } from '../log.ts';
import { type ObjectStore, StoreFault } from '../storage/store.ts';

const LOOK_EVERY_MS = 10_000;
/** How long startup waits for a store that does not answer. */
const START_MS = 3000;

/**
 * Compares the store's mark with the one in Postgres, now and every ten seconds. The first gateway of an installation
 * chooses the mark: the store's existing one, or a new one, which it writes before its transaction ends.
 */
export const openOwnStore = async (
  { sql }: Pick<Database, 'sql'>,
  store: ObjectStore,
  log: Pick<Log, 'info' | 'warn' | 'error'>,
) => {
  let state: 'unknown' | 'proved' | 'foreign' = 'unknown';
  let isFailing = false;

  const claim = async (): Promise<void> => {
    const found = await store.readMark();
    await sql.begin(async (tx) => {
      const mark = found ?? randomUUID();
      if ((await saveStoreMark(tx, mark)) && found === null) await store.writeMark(mark);
    });
  };

  const look = async (): Promise<void> => {
    if ((await findStoreMark(sql)) === null) await claim();
    const [wanted, found] = [await findStoreMark(sql), await store.readMark()];
    const before = state;
    state = found !== null && found === wanted ? 'proved' : 'foreign';
    if (state === before) return;
    if (before === 'foreign') log.info({}, 'BATCH_STORE is the store of this installation again');
    if (state === 'foreign')
      log.error({ wanted, found }, 'BATCH_STORE is not the store of this installation; no batches are taken');
  };

  // A verified store stays verified while the store or the database does not answer.
  const tryToLook = async (): Promise<void> => {
    try {
      await look();
      isFailing = false;
    } catch (err) {
      countLoopFailure('batch_store');
      if (!isFailing) log.warn({ err }, 'BATCH_STORE cannot be compared with Postgres; will retry');
      isFailing = true;
    }
  };

  let looking: Promise<void> | null = null;
  const lookOnce = (): Promise<void> => {
    looking ??= tryToLook().finally(() => {
      looking = null;
    });
    return looking;
  };
  await waitAtMost(lookOnce(), START_MS);
  const timer = setInterval(lookOnce, LOOK_EVERY_MS).unref();

  /** @throws {AppError | StoreFault} While it is not verified. */
  const require = (): void => {
    if (state === 'unknown') throw new StoreFault('it is not known yet whose store this is');
    if (state === 'foreign')
      throw new AppError(
        'unavailable',
        'The store of batches of this gateway is not that of the service; ask its operator to check BATCH_STORE.',
        { retryAfterS: 5 },
      );
  };

  return {
    /** The store. Its calls fail while it is not verified. */
    store: {
      ...store,
      async put(key, bytes) {
        require();
        await store.put(key, bytes);
      },
      async *read(key, range) {
        require();
        yield* store.read(key, range);
      },
      async removeAll(folder) {
        require();
        await store.removeAll(folder);
      },
    } satisfies ObjectStore,
    isProved: (): boolean => state === 'proved',
    require,
    close(): void {
      clearInterval(timer);
      // Closing the database makes a check in progress fail.
      isFailing = true;
    },
  };
};
