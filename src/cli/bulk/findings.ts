/** What a batch that has ended says about its rows: errors and duplicates, for files and for people. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type FoundDuplicates, SHOWN_MAX } from '../duplicates.ts';
import { type CliFault, commandError } from '../fault.ts';
import { type BatchBody, type ErrorLine, formatError, getDuplicates, getErrors } from './batch.ts';
import { writeWhole } from './store.ts';
import type { Work } from './work.ts';

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

/** Writes the errors and the duplicates of a batch, and returns them. */
export const writeFindings = async ({ call, out }: Work, batch: BatchBody): Promise<Findings> => {
  const { id, failed, duplicates: count } = batch;
  const errors = batch.errors + failed === 0 ? [] : await getErrors(call, id);
  await writeLines(out, 'errors.ndjson', errors);
  const lines = count === 0 ? [] : await getDuplicates(call, id);
  await writeLines(out, 'duplicates.ndjson', lines);
  const first = lines
    .slice(0, SHOWN_MAX)
    .map(({ row, file_row: fileRow, first_row: firstRow, first_file_row: firstFileRow, kind }) => ({
      ...{ row, fileRow, firstRow, firstFileRow, kind },
    }));
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
