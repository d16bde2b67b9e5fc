/** A table that a person is about to send: what the service read of its file, and all that they chose and changed. */
import type { Reading } from '../../../csv/charset.ts';
import type { DuplicateRule } from '../../../duplicates/rules.ts';
import type { BatchPreview, QrRequest } from '../../api/shapes.ts';
import type { PrintChoice } from '../print/choice.ts';
import type { FileKind } from './file/kind.ts';
import type { ContentChoice, Mapping } from './mapping.ts';

/** What is wrong with a row. */
interface RowFault {
  readonly field: string;
  readonly message: string;
  /** Of a cell without a text, whatever its column is. */
  readonly column?: number;
}

/** A row with all that is wrong with it. */
export interface FaultyRow {
  readonly file_row: number;
  readonly faults: readonly RowFault[];
}

/** A parameter of the batch that the check of its rows does not take. */
export type BatchParameter =
  | 'manifest_for'
  | 'manifest_encoding'
  | 'manifest_delimiter'
  | 'other_columns'
  | 'duplicates_in';

/** Where the codes are saved, their formats and sizes, and what happens to rows. */
export interface Settings {
  readonly folderName: string;
  readonly files: PrintChoice;
  readonly onError: 'skip' | 'stop';
  /** What is done about rows that repeat an earlier one. */
  readonly duplicates: DuplicateRule;
  /** The field whose values must be unique; '': none. */
  readonly unique: string;
  /** '' and absent: as usual. */
  readonly batch?: Readonly<Partial<Record<BatchParameter, string>>>;
}

export interface TableDraft {
  /** `null`: its rows are here, or the browser does not keep a file of that size. */
  readonly file: File | null;
  readonly name: string;
  readonly bytes: number;
  readonly kind: FileKind;
  /** What the service read of it; `null`: NDJSON, whose rows name their fields. */
  readonly read: BatchPreview | null;
  /** Whether that is all of its rows, so that they can be corrected here. */
  readonly isHeld: boolean;
  /** How a row reads in the likeliest encodings, if the file does not say its own. */
  readonly readings: readonly Reading[];
  /** Counts the changes of rows. */
  readonly changes: number;
  /** Rows of the file that were corrected, and those that are left out. */
  readonly edited: readonly number[];
  readonly leftOut: readonly number[];
  /** What a batch of these rows has found wrong. */
  readonly found: readonly FaultyRow[];
  readonly mapping: Mapping;
  readonly content: Partial<ContentChoice>;
  readonly settings: Settings;
  readonly request: QrRequest;
  /** The preset that the design began with; `null`: none; absent: none was chosen yet. */
  readonly presetId?: string | null;
}

/** Returns what is asked of the batch besides its rows. Only tables have columns. */
export const batchQuery = ({
  settings: { batch = {} },
  read,
}: TableDraft): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(batch).filter(
      ([name, value]) => value !== '' && (name !== 'other_columns' || read !== null),
    ),
  );

/** Changes a draft as it is at that moment. */
export type ChangeDraft = (now: TableDraft) => TableDraft;

/** Whether rows can be left out: not of a spreadsheet whose rows are not all here. */
export const mayLeaveOut = ({ kind, isHeld }: TableDraft): boolean => isHeld || kind.format !== 'xlsx';

const lineOf = (cells: readonly string[]): string =>
  cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');

/** Writes the rows that are held as CSV. Each stays in its row of the file; those that are left out become empty. */
export const writeRows = (
  { columns, rows, header_row, file_rows }: BatchPreview,
  leftOut: readonly number[],
): string => {
  const lines: string[] = [];
  lines[header_row - 1] = lineOf(columns.map(({ name }) => name));
  const left = new Set(leftOut);
  for (const [index, cells] of rows.entries()) {
    const fileRow = file_rows[index] ?? 0;
    if (!left.has(fileRow)) lines[fileRow - 1] = lineOf(cells);
  }
  return Array.from(lines, (line = '') => `${line}\n`).join('');
};

/** Returns a draft with another cell in a row of the file. A row without any text is left out. */
export const withCell = (draft: TableDraft, fileRow: number, column: number, text: string): TableDraft => {
  const { read, edited } = draft;
  if (read === null) return draft;
  const at = read.file_rows.indexOf(fileRow);
  const cells = read.columns.map((_, index) => (index === column ? text : (read.rows[at]?.[index] ?? '')));
  if (cells.every((cell) => cell.trim() === '')) return withoutRow(draft, [fileRow]);
  return {
    ...draft,
    read: {
      ...read,
      rows: read.rows.with(at, cells),
      cell_faults: read.cell_faults.filter((fault) => fault.file_row !== fileRow || fault.column !== column),
    },
    changes: draft.changes + 1,
    edited: [...edited.filter((row) => row !== fileRow), fileRow],
  };
};

/** Returns a draft that also leaves out these rows of the file. */
export const withoutRow = (draft: TableDraft, fileRows: readonly number[]): TableDraft => ({
  ...draft,
  leftOut: [...new Set([...draft.leftOut, ...fileRows])].sort((one, other) => one - other),
  changes: draft.changes + 1,
});

/** Returns a draft that leaves out no rows. */
export const withAllRows = (draft: TableDraft): TableDraft => ({
  ...draft,
  leftOut: [],
  changes: draft.changes + 1,
});

/**
 * Returns the rows that are wrong: those with cells that have no text, those that the check names and, while nobody has
 * changed them, those that a batch has found.
 */
export const faultyRows = (
  { read, found, edited, leftOut }: Pick<TableDraft, 'read' | 'found' | 'edited' | 'leftOut'>,
  mapping: Mapping,
  checked: readonly FaultyRow[],
): readonly FaultyRow[] => {
  const textless = (read?.cell_faults ?? [])
    .filter(({ column }) => (mapping[column] ?? null) !== null)
    .map(({ file_row, ...fault }) => ({
      file_row,
      faults: [{ field: mapping[fault.column] ?? '', ...fault }],
    }));
  const rows = new Map<number, RowFault[]>();
  for (const { file_row, faults } of [
    ...textless,
    ...checked,
    ...found.filter((row) => !edited.includes(row.file_row)),
  ]) {
    const known = rows.get(file_row) ?? [];
    const more = faults.filter(({ field }) => !known.some((fault) => fault.field === field));
    rows.set(file_row, [...known, ...more]);
  }
  for (const row of leftOut) rows.delete(row);
  return [...rows]
    .map(([file_row, faults]) => ({ file_row, faults }))
    .sort((one, other) => one.file_row - other.file_row);
};
