import { statfs } from 'node:fs/promises';

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
