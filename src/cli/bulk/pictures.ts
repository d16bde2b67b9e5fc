import { createHash } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { failed } from '../fault.ts';

export interface Pictures {
  /**
   * Writes a picture whole or not at all, over an earlier one of the same name.
   *
   * @returns SHA-256 of its bytes, hexadecimal.
   */
  save(name: string, dataUrl: string): Promise<string>;
  /** Resolves once the names of what was saved are on the disk, too. */
  flush(): Promise<void>;
}

const PREFIX = 'data:image/png;base64,';

/** @param temporary On the same file system as `folder`. */
export const createPictures = (folder: string, temporary: string): Pictures => ({
  async save(name, dataUrl) {
    if (!dataUrl.startsWith(PREFIX)) throw failed('the gateway answered with something else than a PNG');
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
