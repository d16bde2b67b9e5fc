/** What the codes of the first rows of a file would say, what is wrong with these rows, and which repeat an earlier one. */
import type { Fault } from '../../../workers/protocol.ts';
import { HeaderFault, readRows, type TableRow } from '../../csv/read.ts';
import type { TableRecord } from '../../csv/records.ts';
import { createDuplicateFinder } from '../../duplicates/first-seen.ts';
import {
  type DuplicateRule,
  isRefused,
  type PlacedDuplicate,
  tellDuplicate,
} from '../../duplicates/rules.ts';
import { createTimeSlices } from '../../execution/time-limits.ts';
import { planPicture } from '../../generate/plan.ts';
import { pluralise } from '../../texts.ts';
import { toRowTask } from '../rows/barcodes.ts';
import { layOutRow } from '../rows/options.ts';
import type { Row, RowReader } from '../rows/row.ts';
import { duplicateField, keysOfRow } from '../work/duplicates.ts';
import type { ColumnTerms } from './columns.ts';
import { COLUMNS } from './fields.ts';
import type { Preview } from './preview.ts';
import { readingOf, toLine } from './table.ts';

/** Maximum number of rows whose codes a preview shows. */
export const COMPOSED_MAX = 100;
/** Maximum number of rows that a preview reads, checks and compares, and of duplicates that it lists. */
export const COMPARED_MAX = 10_000;
const DUPLICATES_LISTED = 100;
/** Maximum number of faults that are told of a row. */
const FAULTS_MAX = 10;

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

/** A row that a batch would refuse. */
export interface FaultyRow {
  /** Its row in the file. */
  readonly fileRow: number;
  readonly faults: readonly Fault[];
}

/** The rows that were compared, and those of them that repeat an earlier one. */
export interface Compared {
  readonly comparedRows: number;
  readonly duplicates: number;
  readonly refusedDuplicates: number;
  readonly firstDuplicates: readonly PreviewedDuplicate[];
}

async function* recordsOf({
  columns,
  rows,
  headerRow,
  fileRows,
  cellFaults,
}: Preview): AsyncGenerator<TableRecord> {
  yield { texts: columns.map(({ name }) => name), fileRow: headerRow, fault: null };
  const slices = createTimeSlices();
  let isOver = slices.slice();
  for (const [index, texts] of rows.slice(0, COMPARED_MAX).entries()) {
    yield { texts, fileRow: fileRows[index]!, fault: cellFaults[index]! };
    if (!isOver()) continue;
    await slices.next();
    isOver = slices.slice();
  }
}

/** The rows of a preview as a batch would read them. */
export interface ReadPreview extends Compared {
  readonly composed: readonly ComposedRow[];
  readonly faultyRows: readonly FaultyRow[];
}

type Item = TableRow['item'];

/** Returns the item without a field, or `null` if it does not have it. Of a list, all of it goes. */
const without = (item: Item, [name = '', ...rest]: readonly string[]): Item | null => {
  if (!Object.hasOwn(item, name)) return null;
  const inner = item[name];
  const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  const left = isObject && rest.length > 0 ? without(inner as Item, rest) : null;
  const others = Object.fromEntries(Object.entries(item).filter(([own]) => own !== name));
  return left === null ? others : { ...others, [name]: left };
};

/** Only such rows have the field. */
const NEEDS: Readonly<Record<string, string>> = { dynamic: 'slug' };

/** Stands for the content of a row whose own is wrong, so that its other fields are read. Every symbology holds it. */
const ANY_DATA = 'https://id.gs1.org/01/00012345678905';

const mend = (item: Item, field: string): Item | null => {
  if (field === 'data') return item.data === ANY_DATA ? null : { ...item, data: ANY_DATA };
  const left = without(item, field.split('.'));
  const needing = NEEDS[field];
  return needing === undefined ? left : (without(left ?? item, [needing]) ?? left);
};

/** Returns why a row has no symbol, or `null`. Of a dynamic row, it encodes a short link that is not known yet. */
const symbolFault = (row: Row): Fault | null => {
  if (row.barcode !== null) {
    const task = toRowTask(row.barcode, row.content, 'svg');
    return task.ok ? null : task.fault;
  }
  if (row.destination !== null) return null;
  const laid = layOutRow(row.content, row, 'svg');
  if (!laid.ok) return laid.fault;
  const plan = planPicture(row.content, laid.value.design, null);
  return plan.ok ? null : plan.fault;
};

/**
 * Returns all that is wrong with a row. Reading ends at the first fault, so what is at fault is taken out, and the rest is
 * read again.
 *
 * @param first What was found when it was read.
 */
const faultsOf = (row: TableRow, first: Fault | null, read: (row: TableRow) => Fault | null) => {
  const faults: Fault[] = [...row.faults];
  let item: Item | null = row.item;
  for (const { field } of row.faults) item = mend(item, field) ?? item;
  let fault = row.faults.length > 0 ? read({ ...row, item, faults: [] }) : first;
  while (fault !== null && faults.length < FAULTS_MAX) {
    const { field, message } = fault;
    if (faults.some((known) => known.field === field)) break;
    faults.push({ field, message });
    item = mend(item, field);
    if (item === null) break;
    fault = read({ ...row, item, faults: [] });
  }
  return faults;
};

/** What rows must fulfil besides being read. */
interface PreviewRules {
  /** What is done about rows that repeat an earlier one. */
  readonly rule: DuplicateRule;
  /** The column whose values must be unique; `null`: none. */
  readonly uniqueColumn: string | null;
  /** Whether each row must have as many cells as the header row. */
  readonly hasCells: boolean;
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
  { rule, uniqueColumn, hasCells }: PreviewRules,
): Promise<ReadPreview> => {
  const composed: ComposedRow[] = [];
  const faultyRows: FaultyRow[] = [];
  const width = preview.columns.length;
  const find = createDuplicateFinder();
  const firstDuplicates: PreviewedDuplicate[] = [];
  let [comparedRows, duplicates, refusedDuplicates] = [0, 0, 0];
  for await (const row of readRows(recordsOf(preview), readingOf(COLUMNS, terms))) {
    const cells = preview.rows[comparedRows]!.length;
    comparedRows += 1;
    const number = comparedRows;
    const judge = (some: TableRow) => {
      const read = readRow(toLine(some), number);
      return { read, fault: read.ok ? symbolFault(read.value) : read.fault };
    };
    const { read, fault } = judge(row);
    if (composed.length < COMPOSED_MAX)
      composed.push({
        data: read.ok ? read.value.content : null,
        fault: fault === null ? null : `${fault.field}: ${fault.message}`,
      });
    const found = find(row.fileRow, read.ok ? keysOfRow(read.value) : {});
    const refused = found !== null && isRefused(rule, found.kind);
    const faults = [
      ...(hasCells && cells !== width
        ? [{ field: 'row', message: `has ${pluralise(cells, 'cell')}, and the header row has ${width}` }]
        : []),
      ...(fault === null ? [] : faultsOf(row, fault, (some) => judge(some).fault)),
      ...(refused
        ? [{ field: duplicateField(found.kind, uniqueColumn), message: tellDuplicate(found) }]
        : []),
    ];
    if (faults.length > 0) faultyRows.push({ fileRow: row.fileRow, faults });
    if (found === null) continue;
    duplicates += 1;
    refusedDuplicates += refused ? 1 : 0;
    const externalId = read.ok ? read.value.externalId : null;
    if (firstDuplicates.length < DUPLICATES_LISTED) firstDuplicates.push({ ...found, externalId, refused });
  }
  return { composed, faultyRows, comparedRows, duplicates, refusedDuplicates, firstDuplicates };
};

/** Reads the rows of a preview as a batch would, or returns why the columns are refused. */
export const readPreviewRows = async (
  preview: Preview,
  terms: ColumnTerms,
  readRow: RowReader,
  rules: PreviewRules,
): Promise<ReadPreview | { readonly fault: string }> => {
  if (preview.fault !== null) return { fault: preview.fault };
  try {
    return await readAll(preview, terms, readRow, rules);
  } catch (error) {
    if (!(error instanceof HeaderFault)) throw error;
    return { fault: error.message };
  }
};
