import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../config/config.ts';
import { type Finding, findingsOf, formatBytes } from '../finding.ts';
import { openBucket } from '../stores.ts';

const { ok, warn, fail } = findingsOf('disk');

/** Below this multiple of `DISK_FREE_MIN_BYTES` there is a warning. */
const SOON = 10;

/** Returns the folder, or the nearest one above it that exists. */
const nearest = async (folder: string): Promise<string> => {
  try {
    await access(folder);
    return folder;
  } catch {
    return dirname(folder) === folder ? folder : nearest(dirname(folder));
  }
};

const checkFolder = async (name: string, folder: string, minBytes: number): Promise<Finding> => {
  const existing = await nearest(folder);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
  } catch {
    return fail(
      `${name}: this user may not write in ${existing}: run this as the gateway's user, or change its owner.`,
    );
  }
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  const left = `The disk of ${name} has ${formatBytes(free)} left`;
  if (free < minBytes)
    return fail(`${left}, fewer than DISK_FREE_MIN_BYTES (${formatBytes(minBytes)}): free or add space.`);
  return free < SOON * minBytes ? warn(`${left}: free or add space soon.`) : ok(`${left}.`);
};

const checkBucket = async (place: Parameters<typeof openBucket>[0]): Promise<Finding> => {
  const bucket = await openBucket(place);
  return bucket.check().then(
    () => ok('The bucket of BATCH_STORE can be listed.'),
    (error: Error) =>
      fail(`The bucket of BATCH_STORE cannot be listed (${error.message}): batches wait for it.`),
  );
};

/** Checks the places on this machine, or in a bucket, where data are stored. */
export const checkDisk = async ({
  databaseUrl,
  dataDir,
  batches,
  diskFreeMinBytes,
}: Config): Promise<readonly Finding[]> => {
  const { store } = batches;
  const ofStore =
    'folder' in store ? checkFolder('BATCH_STORE', store.folder, diskFreeMinBytes) : checkBucket(store);
  const ofData = databaseUrl === null ? [checkFolder('DATA_DIR', dataDir, diskFreeMinBytes)] : [];
  return Promise.all([...ofData, ofStore]);
};
