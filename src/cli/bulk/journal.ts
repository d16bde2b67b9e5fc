/**
 * What a run has done so far: a JSON line for each event, on the disk before the run continues.
 *
 * A call is `begun` before it is sent for the first time, and `done` once its pictures are on the disk. A call that
 * is begun and not done may have been paid for. It costs nothing when it is sent again under the same Idempotency-Key.
 * A call is `refused` when the gateway has certainly not made it.
 */
import { createReadStream } from 'node:fs';
import { open, truncate } from 'node:fs/promises';
import Type, { type Static } from 'typebox';
import { CodeFile } from '../../csv/file-columns.ts';
import { readLines } from '../../csv/lines.ts';
import { readStored } from '../../stored-json.ts';
import { commandError } from '../fault.ts';

const RowResult = Type.Object({
  row: Type.Integer(),
  /** Its row in the file, where that is known. */
  fileRow: Type.Optional(Type.Integer()),
  /** The caller's own id of the row's code, when it has one. */
  externalId: Type.Optional(Type.String()),
  content: Type.String(),
  /** In the order of the run's formats, when the row was made. */
  files: Type.Optional(Type.Immutable(Type.Array(CodeFile))),
  /** Grade of the files, 0 to 4. */
  grade: Type.Optional(Type.Number()),
  /** Why it is below 4; as `Tessera-Warnings` has them. */
  warnings: Type.Optional(Type.String()),
  /** When the row is dynamic and was made. */
  slug: Type.Optional(Type.String()),
  /** What a dynamic code says, when the command knows it. */
  shortUrl: Type.Optional(Type.String()),
  /** When the row failed. */
  error: Type.Optional(Type.String()),
});
/** What became of a row. */
export type RowResult = Readonly<Static<typeof RowResult>>;

const Done = Type.Object({ done: Type.Integer(), rows: Type.Immutable(Type.Array(RowResult)) });
/** The entry when a call is made: its number and its rows. */
export type Done = Readonly<Static<typeof Done>>;

/** `begun` with the time in ISO 8601. */
const Entry = Type.Union([
  Done,
  Type.Object({ begun: Type.Integer(), at: Type.String() }),
  Type.Object({ refused: Type.Integer() }),
]);
type Entry = Static<typeof Entry>;

/** An open journal. */
export type Journal = Awaited<ReturnType<typeof openJournal>>;

/** Well above the entry of a call: a hundred rows of content, escaped throughout, are below 3 MB. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** The gateway keeps answers for 24 hours. One hour is left for sending the calls again. */
const KEPT_MS = 23 * 3_600_000;

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
    const entry = readStored(Entry, text);
    if (entry === null)
      throw commandError(`${path} is damaged before byte ${endByte}; begin again with a new --out folder`);
    yield { entry, endByte };
  }
}

/**
 * Opens the journal to append to it. Each call resolves when its entry is on the disk.
 *
 * @param bytes Where the last whole entry ends. The rest of the file is cut off.
 */
export const openJournal = async (path: string, bytes: number) => {
  const file = await open(path, 'a');
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
    begin: (call: number) => append({ begun: call, at: new Date().toISOString() }),
    end: (call: number, rows: readonly RowResult[]) => append({ done: call, rows }),
    refuse: (call: number) => append({ refused: call }),
    close: () => file.close(),
  };
};

/** Makes a set of numbers that stays small while almost all numbers below its greatest are in it. */
const createPrefixSet = () => {
  const beyond = new Set<number>();
  let below = 0;
  return {
    has: (number: number): boolean => number < below || beyond.has(number),
    add(number: number): void {
      beyond.add(number);
      while (beyond.delete(below)) below += 1;
    },
  };
};

/** What an earlier run has done. */
export type Resumed = Awaited<ReturnType<typeof resume>>;

/** Reads what an earlier run has done from its journal. Takes little memory, because calls finish almost in order. */
export const resume = async (path: string) => {
  const done = createPrefixSet();
  const pending = new Map<number, number>();
  let rowsDone = 0;
  let rowsFailed = 0;
  let journalBytes = 0;
  for await (const { entry, endByte } of readJournal(path)) {
    journalBytes = endByte;
    if ('begun' in entry) {
      // The first time counts, because the answer may be as old as that.
      if (!pending.has(entry.begun)) pending.set(entry.begun, Date.parse(entry.at));
    } else if ('refused' in entry) pending.delete(entry.refused);
    else {
      pending.delete(entry.done);
      done.add(entry.done);
      rowsDone += entry.rows.length;
      rowsFailed += entry.rows.filter(({ error }) => error !== undefined).length;
    }
  }
  const oldestMs = Date.now() - KEPT_MS;
  return {
    isDone: done.has,
    /** Whether a call was sent but its outcome is unknown. */
    isPending: (call: number): boolean => pending.has(call),
    /** Whether it is certain that no row was made. */
    madeNothing: pending.size === 0 && rowsDone === rowsFailed,
    rowsDone,
    rowsFailed,
    /** Calls that were begun and not done, so long ago that the gateway may have forgotten their Idempotency-Keys. */
    unknown: [...pending].filter(([, begunMs]) => begunMs < oldestMs).map(([call]) => call),
    /** Length of the journal's whole entries. */
    journalBytes,
  };
};
