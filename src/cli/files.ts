/** Files on the disk: their hashes, and writing them whole or not at all. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Returns the SHA-256 of bytes or of text in UTF-8, hexadecimal. */
export const hashOf = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Returns the SHA-256 of a file, hexadecimal. */
export const hashOfFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
};

/** Stores the files of a run. */
export type Store = ReturnType<typeof createStore>;

/**
 * Writes a file atomically. Resolves when it is on the disk; leaves nothing if it fails.
 *
 * @param content What it throws while it is read, is thrown.
 */
export const writeWhole = async (
  path: string,
  content: Uint8Array | string | AsyncIterable<Uint8Array>,
  draft = `${path}.new`,
): Promise<void> => {
  const file = await open(draft, 'w');
  try {
    const pieces = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
    // Each is appended.
    for await (const piece of pieces) await file.writeFile(piece);
    await file.datasync();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(draft, path);
};

/**
 * Makes the store of a folder.
 *
 * @param temporary An existing folder on the same file system.
 */
export const createStore = (folder: string, temporary: string) => {
  const made = new Map<string, Promise<unknown>>();
  const make = (path: string): Promise<unknown> => {
    const making = made.get(path) ?? mkdir(path, { recursive: true });
    made.set(path, making);
    return making;
  };

  return {
    /**
     * Writes a file atomically, and replaces another one at the same path. Returns the SHA-256 of its bytes.
     *
     * @param path In the folder of the run. A missing parent folder is created. No two files have the same name.
     */
    async save(path: string, bytes: Uint8Array): Promise<string> {
      const target = join(folder, path);
      const sha256 = hashOf(bytes);
      // An interrupted command has saved it.
      if ((await hashOfFile(target).catch(() => null)) === sha256) return sha256;
      await make(dirname(target));
      await writeWhole(target, bytes, join(temporary, basename(path)));
      return sha256;
    },

    /** Resolves when the folders' entries for the saved files are on the disk, too. */
    async flush(): Promise<void> {
      for (const path of new Set([folder, ...made.keys()])) {
        const directory = await open(path);
        await directory.sync().finally(() => directory.close());
      }
    },
  };
};
