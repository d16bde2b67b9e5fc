/**
 * What a run has done so far: a JSON line for each event, on the disk before the run goes on.
 *
 * A call is `begun` before it is sent for the first time, and `done` once its pictures are on the disk. A call that
 * is begun and not done may have been paid for. It costs nothing when it is sent again under the same Idempotency-Key.
 * A call is `refused` when the gateway has certainly not made it.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, truncate } from 'node:fs/promises';
import type { CodeFile } from '../../csv/file-columns.ts';
import { readLines } from '../../csv/lines.ts';
import { failed } from '../fault.ts';

/** What became of a row. */
export interface RowResult {
  readonly row: number;
  /** The caller's own id of the row, when it has one. */
  readonly id?: string;
  readonly content: string;
  /** In the order of the run's formats, when the row was made. */
  readonly files?: readonly CodeFile[];
  /** Grade of the files, 0 to 4. */
  readonly grade?: number;
  /** Why it is below 4; as `Tessera-Warnings` has them. */
  readonly warnings?: string;
  /** When the row is dynamic and was made. */
  readonly slug?: string;
  /** What a dynamic code says, when the command knows it. */
  readonly shortUrl?: string;
  /** When the row failed. */
  readonly error?: string;
}

/** The entry before a call is sent: its number and the time (ISO 8601). */
export interface Begun {
  readonly begun: number;
  readonly at: string;
}

/** The entry when a call is made: its number and its rows. */
export interface Done {
  readonly done: number;
  readonly rows: readonly RowResult[];
}

/** The entry when a call has certainly made nothing: its number. */
export interface Refused {
  readonly refused: number;
}

/** Any entry. */
export type Entry = Begun | Done | Refused;

/** An open journal. Each call resolves when its entry is on the disk. */
export interface Journal {
  begin(call: number): Promise<void>;
  end(call: number, rows: readonly RowResult[]): Promise<void>;
  refuse(call: number): Promise<void>;
  close(): Promise<void>;
}

/** Well above the entry of a call: a hundred rows of content, escaped throughout, are below 3 MB. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * Reads the entries in the order in which they were written, each with its end in the file in bytes. A last entry that
 * a kill cut short is left out.
 *
 * @throws {CliFault} when an entry is damaged.
 */
export async function* readJournal(
  path: string,
): AsyncGenerator<{ readonly entry: Entry; readonly endByte: number }> {
  const chunks = createReadStream(path) as AsyncIterable<Buffer>;
  for await (const { text, endByte } of readLines(chunks, MAX_LINE_BYTES, 'drop')) {
    let entry: Entry;
    try {
      entry = JSON.parse(text) as Entry;
    } catch {
      throw failed(`${path} is damaged before byte ${endByte}; begin again with a new --out folder`);
    }
    yield { entry, endByte };
  }
}

/**
 * Opens the journal to append to it.
 *
 * @param bytes Where the last whole entry ends. The rest of the file is cut off.
 */
export const openJournal = async (path: string, bytes: number): Promise<Journal> => {
  const file: FileHandle = await open(path, 'a');
  await truncate(path, bytes);
  let last: Promise<void> = Promise.resolve();

  const write = async (entry: Entry): Promise<void> => {
    await file.appendFile(`${JSON.stringify(entry)}\n`);
    await file.datasync();
  };
  /** Appends one entry after another. After a failure all fail, because the file may end in half an entry. */
  const append = (entry: Entry): Promise<void> => {
    last = last.then(() => write(entry));
    return last;
  };

  return {
    begin: (call) => append({ begun: call, at: new Date().toISOString() }),
    end: (call, rows) => append({ done: call, rows }),
    refuse: (call) => append({ refused: call }),
    close: () => file.close(),
  };
};
