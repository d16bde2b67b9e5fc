import { createHash } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { failed } from '../fault.ts';

/** Stores the pictures of a run. */
export interface Pictures {
  /**
   * Writes a picture, whole or not at all, and replaces an earlier one of the same name.
   *
   * @returns SHA-256 of its bytes, hexadecimal.
   * @throws {CliFault} when it is not a PNG data URL.
   */
  save(name: string, dataUrl: string): Promise<string>;
  /** Resolves when the folder's entries for the saved pictures are on the disk, too. */
  flush(): Promise<void>;
}

const PREFIX = 'data:image/png;base64,';

/**
 * Makes the store of a folder.
 *
 * @param temporary An existing folder on the same file system.
 */
export const createPictures = (folder: string, temporary: string): Pictures => ({
  async save(name, dataUrl) {
    if (!dataUrl.startsWith(PREFIX)) throw failed('the gateway answered with something other than a PNG');
    const png = Buffer.from(dataUrl.slice(PREFIX.length), 'base64');
    const path = join(temporary, name);
    const file = await open(path, 'w');
    try {
      await file.writeFile(png);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(path, join(folder, name));
    return createHash('sha256').update(png).digest('hex');
  },

  async flush() {
    const directory = await open(folder);
    await directory.sync().finally(() => directory.close());
  },
});
