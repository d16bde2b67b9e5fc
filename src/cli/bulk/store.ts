import { createHash } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Stores the files of a run. */
export interface Store {
  /**
   * Writes a file, whole or not at all, and replaces an earlier one of the same path.
   *
   * @param path In the folder of the run. Its own folder is made when it is missing. No two files have the same name.
   * @returns SHA-256 of the bytes, hexadecimal.
   */
  save(path: string, bytes: Uint8Array): Promise<string>;
  /** Resolves when the folders' entries for the saved files are on the disk, too. */
  flush(): Promise<void>;
}

/**
 * Makes the store of a folder.
 *
 * @param temporary An existing folder on the same file system.
 */
export const createStore = (folder: string, temporary: string): Store => {
  const made = new Map<string, Promise<unknown>>();
  const make = (path: string): Promise<unknown> => {
    const making = made.get(path) ?? mkdir(path, { recursive: true });
    made.set(path, making);
    return making;
  };

  return {
    async save(path, bytes) {
      const target = join(folder, path);
      await make(dirname(target));
      const draft = join(temporary, basename(path));
      const file = await open(draft, 'w');
      try {
        await file.writeFile(bytes);
        await file.datasync();
      } finally {
        await file.close();
      }
      await rename(draft, target);
      return createHash('sha256').update(bytes).digest('hex');
    },

    async flush() {
      for (const path of new Set([folder, ...made.keys()])) {
        const directory = await open(path);
        await directory.sync().finally(() => directory.close());
      }
    },
  };
};
