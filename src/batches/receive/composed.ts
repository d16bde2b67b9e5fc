/** What the codes of the first rows of a file would say, and which of these rows repeat an earlier one. */
import { HeaderFault, readRows } from '../../csv/read.ts';
import type { TableRecord } from '../../csv/records.ts';
import { createDuplicateFinder } from '../../duplicates/first-seen.ts';
import { type DuplicateRule, isRefused, type PlacedDuplicate } from '../../duplicates/rules.ts';
import { createTimeSlices } from '../../execution/time-limits.ts';
import { findGs1Fault } from '../../generate/request/gs1.ts';
import type { RowReader } from '../rows/row.ts';
import { keysOfRow } from '../work/duplicates.ts';
import type { ColumnTerms } from './columns.ts';
import { COLUMNS } from './fields.ts';
import type { Preview } from './preview.ts';
import { readingOf, toLine } from './table.ts';

/** Maximum number of rows whose codes a preview shows. */
export const COMPOSED_MAX = 100;
/** Maximum number of rows that a preview compares, and of duplicates that it lists. */
export const COMPARED_MAX = 10_000;
const DUPLICATES_LISTED = 100;

/** What the code of a row would say, or what is wrong with the row. */
export interface ComposedRow {
  readonly data: string | null;
  readonly fault: string | null;
}

/** A row that repeats an earlier one. */
export interface PreviewedDuplicate extends PlacedDuplicate {
  readonly externalId: string | null;
  /** Whether it is an error of a batch. */
  readonly refused: boolean;
}

/** The rows that were compared, and those of them that repeat an earlier one. */
export interface Compared {
  readonly comparedRows: number;
  readonly duplicates: number;
  readonly refusedDuplicates: number;
  readonly firstDuplicates: readonly PreviewedDuplicate[];
}

async function* recordsOf({ columns, rows, headerRow, fileRows }: Preview): AsyncGenerator<TableRecord> {
  yield { texts: columns.map(({ name }) => name), fileRow: headerRow, fault: null };
  const slices = createTimeSlices();
  let isOver = slices.slice();
  for (const [index, texts] of rows.slice(0, COMPARED_MAX).entries()) {
    yield { texts, fileRow: fileRows[index]!, fault: null };
    if (!isOver()) continue;
    await slices.next();
    isOver = slices.slice();
  }
}

/** The rows of a preview as a batch would read them. */
export interface ReadPreview extends Compared {
  readonly composed: readonly ComposedRow[];
}

/**
 * Reads the rows of a preview as a batch would.
 *
 * @throws {HeaderFault} when a batch would refuse the columns.
 */
const readAll = async (
  preview: Preview,
  terms: ColumnTerms,
  readRow: RowReader,
  rule: DuplicateRule,
): Promise<ReadPreview> => {
  const composed: ComposedRow[] = [];
  const find = createDuplicateFinder();
  const firstDuplicates: PreviewedDuplicate[] = [];
  let [comparedRows, duplicates, refusedDuplicates] = [0, 0, 0];
  for await (const row of readRows(recordsOf(preview), readingOf(COLUMNS, terms))) {
    comparedRows += 1;
    const read = readRow(toLine(row), comparedRows);
    if (composed.length < COMPOSED_MAX) {
      const fault = read.ok ? findGs1Fault(read.value.content, read.value.design.symbol) : read.fault;
      composed.push({
        data: read.ok ? read.value.content : null,
        fault: fault === null ? null : `${fault.field}: ${fault.message}`,
      });
    }
    const found = find(row.fileRow, read.ok ? keysOfRow(read.value) : {});
    if (found === null) continue;
    const refused = isRefused(rule, found.kind);
    duplicates += 1;
    refusedDuplicates += refused ? 1 : 0;
    const externalId = read.ok ? read.value.externalId : null;
    if (firstDuplicates.length < DUPLICATES_LISTED) firstDuplicates.push({ ...found, externalId, refused });
  }
  return { composed, comparedRows, duplicates, refusedDuplicates, firstDuplicates };
};

/**
 * Reads the rows of a preview as a batch would, or returns why the columns are refused.
 *
 * @param rule What is done about rows that repeat an earlier one.
 */
export const readPreviewRows = async (
  preview: Preview,
  terms: ColumnTerms,
  readRow: RowReader,
  rule: DuplicateRule,
): Promise<ReadPreview | { readonly fault: string }> => {
  if (preview.fault !== null) return { fault: preview.fault };
  try {
    return await readAll(preview, terms, readRow, rule);
  } catch (error) {
    if (!(error instanceof HeaderFault)) throw error;
    return { fault: error.message };
  }
};
