/** The rows of a file as they are written, and the columns that it may have. */
import { columnsOf, type FieldColumn, type FieldSchema } from '../../csv/columns.ts';
import { readLines } from '../../csv/lines.ts';
import { FILE, foldName, type Mapping, tellMissingData } from '../../csv/match.ts';
import { createNotes, nextFileRow, noteEmptyRows } from '../../csv/notes.ts';
import {
  type ColumnOptions,
  DATA_NEEDED,
  HeaderFault,
  type HeaderRules,
  readRows,
  textColumn,
} from '../../csv/read.ts';
import type { TableRecord } from '../../csv/records.ts';
import { printParameters } from '../../generate/request/print.ts';
import { BulkItem } from '../../generate/request/request.ts';
import { aiOfColumn, GS1_COLUMNS } from '../../gs1/columns.ts';
import { commandError, toPrintable } from '../terminal.ts';
import { type Composed, NOTHING_SAID, type Source } from './source.ts';

/** One row of the input as it was read, from CSV, XLSX or NDJSON. */
export interface Written {
  /** An element of `items` in a bulk request. */
  readonly item: Readonly<Record<string, unknown>>;
  /** The wanted name of the row's files. */
  readonly file: string | null;
  /** The caller's own id of the row's code; `null`: it has none. */
  readonly externalId: string | null;
  /** The texts of the row by the names of their columns: all cells of a table, the fields of NDJSON without objects. */
  readonly cells: Readonly<Record<string, string>>;
  /** Its row in the file. */
  readonly fileRow: number;
  /** What is wrong with the row, which is then not sent; else `null`. */
  readonly fault: string | null;
}

/** Greatest length of a row. A logo of 2,000,000 characters fits into it, even when it is written as escapes. */
export const MAX_ROW_BYTES = 8 * 1024 * 1024;

/**
 * What happens to columns that are not item fields. `kept`: a file of `tessera sheets` may have them for its captions.
 * `gs1`: as `kept`, and items have the GS1 columns too. `batch`: columns of batch rows are accepted, and others as the
 * command says.
 */
export type Others = 'kept' | 'batch' | 'gs1';

/** Those of all rows, for example `dotsOptions.color`. `name` names the row's files, as in a batch. */
const OWN = [...columnsOf(BulkItem as FieldSchema), textColumn('name')];
/** Sizes and colours for print, of the rows of a batch. */
const PRINT = columnsOf({
  properties: {
    print: { type: 'object', properties: printParameters as NonNullable<FieldSchema['properties']> },
  },
});
const GS1 = Object.keys(GS1_COLUMNS).map(textColumn);
const COLUMNS: Readonly<Record<Others, readonly FieldColumn[]>> = {
  kept: [...OWN, textColumn('external_id')],
  batch: [...OWN, textColumn('external_id'), textColumn('slug'), textColumn('symbology'), ...PRINT, ...GS1],
  gs1: [...OWN, textColumn('external_id'), ...GS1],
};

/** Whether a column can only be GS1 data: others, such as `count` and `serial`, may be anything. */
const isOnlyGs1 = (name: string): boolean =>
  foldName(name) === 'gtin' || (name.startsWith('(') && aiOfColumn(name) !== undefined);

/** The header row of a file for labels without GS1 columns: it needs a column `data`. */
const LABEL_RULES: HeaderRules = {
  ...DATA_NEEDED,
  findMissing(matched, names, byHand) {
    if (matched.includes('data')) return null;
    const about = names.some(isOnlyGs1) ? 'columns of GS1 data, which need --gs1, but ' : '';
    return tellMissingData(names, byHand, about);
  },
};

/** Returns what a file for a batch must have, as far as known here: only the gateway knows its counters and presets. */
const batchRules = (composed: Composed): HeaderRules => ({
  further: (name) => (aiOfColumn(name) === undefined ? null : textColumn(name)),
  unused: () => [],
  findMissing: (matched, names, byHand) =>
    composed !== null || matched.some((field) => field === 'data' || aiOfColumn(field ?? '') !== undefined)
      ? null
      : tellMissingData(names, byHand),
  needsData: () => composed === null,
});

/**
 * Returns the columns that a file may have, by their fields. Those of a batch include what the command names, so that
 * refusing unknown ones is left to the gateway.
 */
export const columnsFor = (
  others: Others,
  mapping: Mapping,
  named: readonly string[],
): ReadonlyMap<string, FieldColumn> => {
  const said = [...Object.keys(mapping), ...named].filter((field) => field !== FILE);
  return new Map([...said.map(textColumn), ...COLUMNS[others]].map((column) => [column.name, column]));
};

/** Returns the fields that a bulk item has. A batch has more, which the gateway reads itself. */
const itemOf = (fields: object, others: Others): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) =>
        Object.hasOwn(BulkItem.properties, name) || (others === 'gs1' && aiOfColumn(name) !== undefined),
    ),
  );

/** A row's fields that name something. */
interface Named {
  readonly name?: string;
  readonly external_id?: string;
}

/** Of a command that says nothing about its file. */
const PLAIN = { columns: NOTHING_SAID, composed: null, captioned: [] };

/**
 * Reads the rows of a table of CSV or XLSX.
 *
 * @throws {CliFault} for a header row that is not understood, and the errors of the records.
 */
export async function* readTable(
  records: AsyncIterable<TableRecord>,
  others: Others,
  { columns: said, composed, captioned }: Pick<Source, 'columns' | 'composed' | 'captioned'> = PLAIN,
): AsyncGenerator<Written> {
  const options: ColumnOptions = {
    columns: columnsFor(others, said.mapping, [...(composed ?? []), ...captioned]),
    mapping: said.mapping,
    byHand: '--column',
    leaveOut: '--other-columns skip',
    others: others === 'batch' ? said.others : 'kept',
    rules: others === 'kept' ? LABEL_RULES : batchRules(composed),
  };
  try {
    for await (const {
      item,
      file,
      cells,
      fileRow,
      faults: [fault],
    } of readRows(records, options)) {
      const { name = file, external_id: externalId = null, ...fields } = item as Named;
      const told = fault === undefined ? null : `${fault.field}: ${fault.message}`;
      yield { item: itemOf(fields, others), file: name, externalId, cells, fileRow, fault: told };
    }
  } catch (error) {
    if (!(error instanceof HeaderFault)) throw error;
    const place = error.fileRow === null ? '' : `row ${error.fileRow} of the file: `;
    throw commandError(toPrintable(`${place}${error.message}`));
  }
}

const parseLine = (text: string, line: number): Record<string, unknown> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw commandError(`line ${line} is not JSON`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw commandError(`line ${line} is not a JSON object`);
};

const textsOf = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      typeof value === 'object' ? [] : [[name, String(value)]],
    ),
  );

/**
 * Reads one bulk item from each line. Its field `name` or `file` names the pictures; validation of all other fields is
 * left to the gateway.
 *
 * @throws {CliFault} for a line that is not a JSON object; a `TypeError` for bytes that are not UTF-8.
 */
export async function* readNdjson(
  chunks: AsyncIterable<Buffer>,
  others: Others,
  notes = createNotes(),
): AsyncGenerator<Written> {
  let rows = 0;
  notes.encoding = 'utf-8';
  const noteEmpty = (): void => noteEmptyRows(notes, rows);
  for await (const text of readLines(chunks, MAX_ROW_BYTES, noteEmpty)) {
    const line = nextFileRow(notes, rows);
    rows += 1;
    const { file, ...fields } = parseLine(text, line);
    const { name = file, ...rest } = fields;
    const cells = textsOf(fields);
    const row = {
      item: itemOf(rest, others),
      externalId: cells.external_id ?? null,
      cells,
      fileRow: line,
    };
    const [wrong] = Object.entries({ file, name }).filter(
      ([, value]) => value !== undefined && typeof value !== 'string',
    );
    yield wrong === undefined
      ? { ...row, file: typeof name === 'string' ? name : null, fault: null }
      : { ...row, file: null, fault: `${wrong[0]}: must be text` };
  }
}
