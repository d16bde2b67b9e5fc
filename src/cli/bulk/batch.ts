/** Reads batches from the gateway, and what one that has ended says about its rows, for files and for people. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Call } from '../../../clients/typescript/src/call.ts';
import { readLines } from '../../csv/lines.ts';
import type { DuplicateKind } from '../../duplicates/rules.ts';
import { withOptionNames } from '../api.ts';
import { type FoundDuplicates, SHOWN_MAX, type TellableDuplicate } from '../duplicates.ts';
import { writeWhole } from '../files.ts';
import { type CliFault, commandError } from '../terminal.ts';
import type { Work } from './run-folder.ts';

/** The fields of a batch that the command line uses. */
export interface BatchBody {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly formats: readonly string[];
  readonly rows: number;
  readonly encoding: string | null;
  readonly empty_rows: number;
  readonly first_empty_rows: number[];
  readonly errors: number;
  readonly duplicates: number;
  readonly made: number;
  readonly failed: number;
  readonly position: number | null;
  readonly remaining_s: number | null;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly expires_at: string;
}

/** A line of a batch's errors. */
interface ErrorLine {
  readonly row: number;
  readonly file_row: number | null;
  readonly external_id: string | null;
  readonly field: string;
  readonly message: string;
}

/** A line of a batch's duplicates. */
interface DuplicateLine {
  readonly row: number;
  readonly file_row: number;
  readonly external_id: string | null;
  readonly first_row: number;
  readonly first_file_row: number;
  readonly kind: DuplicateKind;
  /** The batch of the earlier row, if it is another. */
  readonly first_batch?: string;
}

const GET = { method: 'GET', auth: 'key' } as const;
const MAX_LINE_BYTES = 64 * 1024;

/** Returns a batch. @throws {TesseraError} */
export const getBatch = async (call: Call, id: string): Promise<BatchBody> =>
  (await call({ ...GET, path: '/api/v1/batches/{id}' }, { path: { id } })).data as BatchBody;

const getLines = async <Line>(call: Call, id: string, name: string): Promise<readonly Line[]> => {
  const path = `/api/v1/batches/{id}/${name}`;
  const { data } = await call({ ...GET, path, answer: 'file', whole: true }, { path: { id } });
  const lines: Line[] = [];
  for await (const text of readLines(data as AsyncIterable<Buffer>, MAX_LINE_BYTES))
    lines.push(JSON.parse(text) as Line);
  return lines;
};

/** Returns the kept errors of a batch in the order of their rows: some 10,000 at most. */
export const getErrors = (call: Call, id: string): Promise<readonly ErrorLine[]> =>
  getLines<ErrorLine>(call, id, 'errors');

/** Returns the listed duplicates of a batch in the order of their rows: 10,000 at most. */
const getDuplicates = (call: Call, id: string): Promise<readonly DuplicateLine[]> =>
  getLines<DuplicateLine>(call, id, 'duplicates');

/** Writes an error for the manifest and for people. */
export const formatError = ({ field, message }: ErrorLine): string =>
  withOptionNames(field === 'row' ? message : `${field}: ${message}`);

/** The errors and the duplicates of a batch. */
interface Findings {
  readonly errors: readonly ErrorLine[];
  readonly duplicates: FoundDuplicates;
}

const ERRORS_SHOWN = 20;

/** Whether a batch ended before anything was made, for a reason that may be gone: too few units, for example. */
export const isWorthAnother = ({ state, errors, made }: BatchBody): boolean =>
  state === 'failed' && errors === 0 && made === 0;

/** Writes lines beside the manifest, and removes those of an earlier run when there are none. */
const writeLines = (out: string, name: string, lines: readonly object[]): Promise<void> => {
  const path = join(out, name);
  if (lines.length === 0) return rm(path, { force: true });
  return writeWhole(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
};

const toDuplicate = (line: DuplicateLine): TellableDuplicate => ({
  row: line.row,
  fileRow: line.file_row,
  firstRow: line.first_row,
  firstFileRow: line.first_file_row,
  kind: line.kind,
  ...(line.first_batch === undefined ? {} : { firstBatchId: line.first_batch }),
});

/** Writes the errors and the duplicates of a batch, and returns them. */
export const writeFindings = async ({ call, out }: Work, batch: BatchBody): Promise<Findings> => {
  const { id, failed, duplicates: count } = batch;
  const errors = batch.errors + failed === 0 ? [] : await getErrors(call, id);
  await writeLines(out, 'errors.ndjson', errors);
  const lines = count === 0 ? [] : await getDuplicates(call, id);
  await writeLines(out, 'duplicates.ndjson', lines);
  const first = lines.slice(0, SHOWN_MAX).map(toDuplicate);
  return { errors, duplicates: { count, first } };
};

/** Returns why a batch that has ended has not made all rows; `null` when it ended as done. */
export const reasonOf = (batch: BatchBody, errors: readonly ErrorLine[]): CliFault | null => {
  if (batch.state === 'done') return null;
  const lines = batch.errors > 0 && batch.made === 0 ? errors : [];
  const shown = lines.slice(0, ERRORS_SHOWN).map((line) => {
    const place = line.file_row == null ? '' : `row ${line.file_row} of the file: `;
    return `\n  ${place}${formatError(line)}`;
  });
  const more = batch.errors > shown.length && shown.length > 0 ? '\n  … see errors.ndjson' : '';
  return commandError(`the batch ended as ${batch.state}: ${batch.reason ?? ''}${shown.join('')}${more}`);
};
