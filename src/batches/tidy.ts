import { forgetReceiving, takeAbandoned } from '../db/tables/batches/receiving.ts';
import { forgetExpired, saveExpired, takeExpired } from '../db/tables/batches/steps.ts';
import { removeEach, type Uploads } from './uploads/uploads.ts';
import type { WorkParts } from './work/parts.ts';

/** What is tidied. */
export interface TidyParts extends Pick<WorkParts, 'sql' | 'store' | 'log'> {
  readonly uploads: Pick<Uploads, 'tidy'>;
}

/**
 * Removes the leftovers of batches that were not fully received, expired results, and old uploads. Failed removals are
 * logged and retried after a pause.
 */
export const removeLeftovers = async ({ sql, store, log, uploads }: TidyParts): Promise<void> => {
  const forget = (take: () => Promise<string | null>, save: (id: string) => Promise<void>): Promise<void> =>
    removeEach(
      take,
      async (id) => {
        await store.removeAll(id);
        await save(id);
      },
      (err, batch) => log.warn({ err, batch }, 'batch files could not be removed; will retry'),
    );
  await forget(
    () => takeAbandoned(sql),
    (id) => forgetReceiving(sql, id),
  );
  await forget(
    () => takeExpired(sql),
    (id) => saveExpired(sql, id),
  );
  await forgetExpired(sql);
  await uploads.tidy();
};
