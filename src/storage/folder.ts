/** An object store in a file system folder, which several gateways may share. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type ByteRange,
  checkKey,
  MARK_KEY,
  MARK_MAX_CHARACTERS,
  type ObjectStore,
  StoreFault,
} from './store.ts';

const CHUNK_BYTES = 256 * 1024;

const MODE = { folder: 0o700, file: 0o600 };

/** @throws {StoreFault} Always. */
const fail = (error: unknown): never => {
  throw new StoreFault((error as Error).message, { cause: error });
};

/**
 * Creates a store below `root`, an absolute path. The folder is created with the first object, readable only by its
 * owner.
 */
export const createFolderStore = (root: string): ObjectStore => {
  const pathOf = (key: string): string => {
    checkKey(key);
    return join(root, key);
  };

  const write = async (path: string, bytes: Uint8Array): Promise<void> => {
    const file = await open(path, 'wx', MODE.file);
    try {
      await file.writeFile(bytes);
      // Without this, a power loss may leave an empty file under the final name.
      await file.sync();
    } finally {
      await file.close();
    }
  };

  async function* readRange(path: string, { start, end }: ByteRange): AsyncGenerator<Buffer, void> {
    const file = await open(path).catch(fail);
    try {
      for (let at = start; at < end; ) {
        const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - at));
        const { bytesRead } = await file.read(chunk, 0, chunk.length, at).catch(fail);
        if (bytesRead === 0) throw new StoreFault('a stored object is shorter than it was');
        yield chunk.subarray(0, bytesRead);
        at += bytesRead;
      }
    } finally {
      await file.close();
    }
  }

  /** Writes a temporary file, which `place` moves to its path, and cleans up after itself. */
  const store = async (
    key: string,
    bytes: Uint8Array,
    place: (from: string, to: string) => Promise<void>,
  ): Promise<void> => {
    const path = pathOf(key);
    const temporary = `${path}.${randomUUID()}.tmp`;
    try {
      await mkdir(dirname(path), { recursive: true, mode: MODE.folder });
      await write(temporary, bytes);
      await place(temporary, path);
    } catch (error) {
      fail(error);
    } finally {
      // Best effort: what is left is removed with its folder.
      await rm(temporary, { force: true }).catch(() => {});
    }
  };

  /** Falls back to `rename`, because some file systems have no hard links. */
  const placeFirst = (from: string, to: string): Promise<void> =>
    link(from, to).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') await rename(from, to);
    });

  return {
    put: (key, bytes) => store(key, bytes, rename),
    read: (key, range) => readRange(pathOf(key), range),
    removeAll: (folder) => rm(pathOf(folder), { recursive: true, force: true }).catch(fail),
    async readMark() {
      const text = await readFile(pathOf(MARK_KEY), 'utf8').catch((error: NodeJS.ErrnoException) =>
        error.code === 'ENOENT' ? '' : fail(error),
      );
      return text.slice(0, MARK_MAX_CHARACTERS).trim() || null;
    },
    writeMark: (mark) => store(MARK_KEY, Buffer.from(`${mark}\n`), placeFirst),
  };
};
