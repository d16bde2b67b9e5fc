/**
 * Reads XLSX in threads, because a small file may expand to a lot. Each thread reads one file and then ends, so there
 * are never more threads than uploads.
 */

import type { FieldSchema } from '../../csv/columns.ts';
import type { TableNotes } from '../../csv/notes.ts';
import { AppError } from '../../errors.ts';
import { startThread } from '../../execution/asked-thread.ts';
import { XLSX_MAX_BYTES, XlsxFault } from '../../xlsx/bounds.ts';
import type { ColumnTerms } from './columns.ts';
import { ROW_SCHEMA } from './fields.ts';
import { UNPACKED } from './limits.ts';
import type { Preview } from './preview.ts';
import { type EndPlace, type ReadLine, Unreadable } from './table.ts';

/** What a thread is started with. */
export interface SpreadsheetTask {
  readonly file: Uint8Array<ArrayBuffer>;
  /** The schema of a row. Building it takes longer than reading many a file. */
  readonly schema: FieldSchema;
  /** All rows, by the columns that the call names, or only the first `previewRows`. */
  readonly wanted: { readonly columns: ColumnTerms; readonly previewRows?: number };
}

/** What a thread answers when asked to continue. Nothing follows `end` and `unreadable`. */
export type SpreadsheetAnswer =
  | { readonly kind: 'lines'; readonly lines: readonly ReadLine[] }
  | { readonly kind: 'preview'; readonly preview: Preview; readonly notes: TableNotes }
  | { readonly kind: 'unreadable'; readonly message: string; readonly place: EndPlace }
  | { readonly kind: 'end'; readonly notes: TableNotes };

/**
 * Rows at their limits take less than 64. A thread that gets little CPU time collects garbage late, so this also bounds
 * its garbage: including the file and the shared strings outside the heap, it stays below 250.
 */
const MAX_HEAP_MB = 96;
/** A preview is free of charge, so it must not take long. */
const PREVIEW_MAX_MS = 15_000;

/** Reads the whole file. Its rows stay compressed and are decompressed one after the other. */
const gather = async (chunks: AsyncIterable<Buffer>): Promise<Uint8Array<ArrayBuffer>> => {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > XLSX_MAX_BYTES)
      throw new AppError(
        'body_too_large',
        `body: an XLSX file must have at most ${XLSX_MAX_BYTES} bytes; save it as CSV`,
      );
    parts.push(chunk);
  }
  const file = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
};

const start = (task: SpreadsheetTask) =>
  startThread<'next', SpreadsheetAnswer>(new URL('./spreadsheet-worker', import.meta.url), {
    workerData: task,
    transferList: [task.file.buffer],
    maxHeapMb: MAX_HEAP_MB,
  });

const isOutOfMemory = (error: unknown): boolean =>
  ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** Asks for the next answer. @throws {Unreadable}; {XlsxFault} for a file that takes too much memory. */
const askNext = async (
  thread: ReturnType<typeof start>,
): Promise<Exclude<SpreadsheetAnswer, { kind: 'unreadable' }>> => {
  try {
    const answer = await thread.ask('next');
    if (answer.kind === 'unreadable') throw new Unreadable(answer.message, answer.place);
    return answer;
  } catch (error) {
    throw isOutOfMemory(error) ? new XlsxFault('takes too much memory to read; save it as CSV') : error;
  }
};

/** @param notes Those of a gateway, to which a thread's are added. */
const addNotes = (notes: TableNotes, { emptyRows, firstEmptyRows, keptColumns }: TableNotes): void => {
  notes.emptyRows += emptyRows;
  notes.firstEmptyRows.push(...firstEmptyRows);
  notes.keptColumns.push(...keptColumns);
};

/**
 * Yields one line of JSON per row.
 *
 * @throws {Unreadable} for a faulty file; {XlsxFault} for one that takes too much memory; {AppError} 413.
 */
export async function* readSpreadsheetLines(
  chunks: AsyncIterable<Buffer>,
  columns: ColumnTerms,
  notes: TableNotes,
): AsyncGenerator<ReadLine> {
  const file = await gather(chunks);
  let left = UNPACKED.freeBytes + file.length * UNPACKED.ratio;
  const thread = start({ file, schema: ROW_SCHEMA, wanted: { columns } });
  try {
    let answer = await askNext(thread);
    for (; answer.kind === 'lines'; answer = await askNext(thread)) {
      left -= answer.lines.reduce((sum, { text }) => sum + text.length, 0);
      if (left < 0)
        throw new AppError(
          'body_too_large',
          `body: its rows take more than ${UNPACKED.ratio} times its size; save it as CSV`,
        );
      yield* answer.lines;
    }
    addNotes(notes, answer.notes);
  } finally {
    await thread.close();
  }
}

/** Reads the first rows. @throws As `readSpreadsheetLines`, and for a file that takes too long. */
export const readSpreadsheetPreview = async (
  chunks: AsyncIterable<Buffer>,
  columns: ColumnTerms,
  previewRows: number,
  notes: TableNotes,
): Promise<Preview> => {
  const thread = start({ file: await gather(chunks), schema: ROW_SCHEMA, wanted: { columns, previewRows } });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void thread.close();
  }, PREVIEW_MAX_MS);
  try {
    const answer = await askNext(thread);
    if (answer.kind !== 'preview') throw new Error(`a preview was answered with ${answer.kind}`);
    addNotes(notes, answer.notes);
    return answer.preview;
  } catch (error) {
    throw isLate ? new Unreadable('takes too long to read; save it as CSV') : error;
  } finally {
    clearTimeout(timer);
    await thread.close();
  }
};
