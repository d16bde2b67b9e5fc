/**
 * What a run has done so far, a JSON line each event, on the disk before anything builds on it.
 *
 * A batch is `begun` before it is sent for the first time and `done` once its pictures are on the disk. One that
 * is begun and not done may have been paid for: sent again under the same Idempotency-Key it costs nothing.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, truncate } from 'node:fs/promises';
import { failed } from '../fault.ts';
import { readLines } from './input/lines.ts';

/** What became of a row. */
export interface RowResult {
  readonly row: number;
  readonly content: string;
  /** Of a row that was made. */
  readonly file?: string;
  readonly sha256?: string;
  /** Of a dynamic one. */
  readonly slug?: string;
  /** Of a row that failed. */
  readonly error?: string;
}

export interface Begun {
  readonly begun: number;
  readonly at: string;
}

export interface Done {
  readonly done: number;
  readonly rows: readonly RowResult[];
}

export interface Journal {
  begin(batch: number): Promise<void>;
  end(batch: number, rows: readonly RowResult[]): Promise<void>;
  close(): Promise<void>;
}

/** A hundred rows of content, all of it as escapes, are below 3 MB. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * The entries in the order in which they were written, each with its end in the file. An entry that a kill cut
 * short is the last one, and is left out.
 */
export async function* readJournal(
  path: string,
): AsyncGenerator<{ readonly entry: Begun | Done; readonly endByte: number }> {
  const chunks = createReadStream(path) as AsyncIterable<Buffer>;
  for await (const { text, endByte } of readLines(chunks, MAX_LINE_BYTES, 'drop')) {
    let entry: Begun | Done;
    try {
      entry = JSON.parse(text) as Begun | Done;
    } catch {
      throw failed(`${path} is damaged before byte ${endByte}; begin again with a new --out folder`);
    }
    yield { entry, endByte };
  }
}

/** @param bytes Where the last whole entry ends; what stands behind it is cut off. */
export const openJournal = async (path: string, bytes: number): Promise<Journal> => {
  const file: FileHandle = await open(path, 'a');
  await truncate(path, bytes);
  let last: Promise<void> = Promise.resolve();

  const write = async (entry: Begun | Done): Promise<void> => {
    await file.appendFile(`${JSON.stringify(entry)}\n`);
    await file.datasync();
  };
  /** One at a time. After a failure all fail: the file may end in half an entry. */
  const append = (entry: Begun | Done): Promise<void> => {
    last = last.then(() => write(entry));
    return last;
  };

  return {
    begin: (batch) => append({ begun: batch, at: new Date().toISOString() }),
    end: (batch, rows) => append({ done: batch, rows }),
    close: () => file.close(),
  };
};
