import { forgetReceiving, takeAbandoned } from '../db/tables/batches/receiving.ts';
import { findExpired, forgetExpired, saveExpired } from '../db/tables/batches/steps.ts';
import type { Uploads } from './uploads/uploads.ts';
import type { WorkParts } from './work/parts.ts';

/** What is tidied. */
export interface TidyParts extends Pick<WorkParts, 'sql' | 'store'> {
  readonly uploads: Pick<Uploads, 'tidy'>;
}

/** Removes what is left of batches that were not received, of those whose results have expired, and of old uploads. */
export const tidy = async ({ sql, store, uploads }: TidyParts): Promise<void> => {
  for (let id = await takeAbandoned(sql); id !== null; id = await takeAbandoned(sql)) {
    await store.removeAll(id);
    await forgetReceiving(sql, id);
  }
  for (let old = await findExpired(sql); old !== null; old = await findExpired(sql)) {
    await store.removeAll(old.id);
    await saveExpired(sql, old.id);
  }
  await forgetExpired(sql);
  await uploads.tidy();
};
