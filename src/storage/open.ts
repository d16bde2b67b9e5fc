import type { Log } from '../log.ts';
import { createFolderStore } from './folder.ts';
import type { Bucket } from './s3.ts';
import type { ObjectStore } from './store.ts';

/** Where batches keep their rows and results: below a folder, an absolute path, or in a bucket. */
export type StorePlace = { readonly folder: string } | Bucket;

/**
 * Opens a store. An unusable bucket is only logged, not fatal: it may recover, and everything except batches works
 * without it.
 */
export const openStore = async (place: StorePlace, log: Pick<Log, 'warn'>): Promise<ObjectStore> => {
  if ('folder' in place) return createFolderStore(place.folder);
  // Loading the SDK takes a tenth of a second and some megabytes.
  const { createS3Store } = await import('./s3.ts');
  const store = createS3Store(place);
  store.check().catch((err) => log.warn({ err }, 'BATCH_STORE is unavailable; batches wait for it'));
  return store;
};
