/** Reads the files of link jobs: a line of JSON for each row, as batches have them. */
import { TABLE } from '../batches/receive/limits.ts';
import { readNdjson } from '../batches/receive/lines.ts';
import { explain, type ReadLine, toLine } from '../batches/receive/table.ts';
import { columnsOf, type FieldColumn, type FieldSchema } from '../csv/columns.ts';
import { listNames, type Mapping } from '../csv/match.ts';
import type { TableNotes } from '../csv/notes.ts';
import { type HeaderRules, type OtherColumns, readRows } from '../csv/read.ts';
import { readCsvRecords } from '../csv/records.ts';
import { chunksInSlices } from '../execution/time-limits.ts';
import { ok } from '../result.ts';

/** How the rows of a file are read. */
export interface JobReading {
  readonly format: 'csv' | 'ndjson';
  /** The encoding of CSV that the call names; `null`: it names none. */
  readonly encoding: string | null;
  /** What the call says about the columns of CSV. */
  readonly mapping: Mapping;
  readonly others: OtherColumns;
  /** Filled in while the file is read. */
  readonly notes: TableNotes;
}

/** A cell with this text takes the value away that the field has. */
const NO_VALUE = 'null';

/** A field that may be null. */
type NullableSchema = FieldSchema & { readonly anyOf?: readonly FieldSchema[] };

/** Returns the fields of a schema as those are that are not null. */
const withoutNull = ({ properties = {} }: FieldSchema): FieldSchema => ({
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, field]: [string, NullableSchema]) => [
      name,
      field.anyOf?.find(({ type }) => type !== 'null') ?? field,
    ]),
  ),
});

/** Returns the columns that rows of a schema may have. */
const columnsFor = (schema: FieldSchema): ReadonlyMap<string, FieldColumn> =>
  new Map(
    columnsOf(withoutNull(schema)).map((column) => [
      column.name,
      { ...column, read: (text) => (text.trim() === NO_VALUE ? ok(null) : column.read(text)) },
    ]),
  );

/** A file must have one of these columns. */
const rulesFor = (oneOf: readonly string[]): HeaderRules => ({
  further: () => null,
  unused: () => [],
  findMissing: (matched, names, byHand) =>
    oneOf.some((field) => matched.includes(field))
      ? null
      : `the header row has no column ${listNames(oneOf)}; its columns are: ${listNames(names)}; say with ${byHand} which one it is`,
  needsData: () => false,
});

async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  schema: FieldSchema,
  oneOf: readonly string[],
  { encoding, mapping, others, notes }: JobReading,
): AsyncGenerator<ReadLine> {
  const records = readCsvRecords(chunksInSlices(chunks), TABLE, { encoding, wanted: 'rows', notes });
  const columns = columnsFor(schema);
  const rows = readRows(records, {
    columns,
    mapping,
    others,
    rules: rulesFor(oneOf),
    byHand: 'columns',
    leaveOut: 'other_columns=skip',
    listed: `the fields are: ${[...columns.keys()].join(', ')}`,
  });
  for await (const row of rows) yield { text: toLine(row), fileRow: row.fileRow };
}

/**
 * Yields one line of JSON for each row of a file, without its line end.
 *
 * @param schema That of a row.
 * @param oneOf Columns of which CSV must have one.
 * @throws {Unreadable} for a row that is longer than 8 MiB, an invalid header row, broken quotes; {EncodingFault}.
 */
export async function* readJobLines(
  chunks: AsyncIterable<Buffer>,
  schema: FieldSchema,
  oneOf: readonly string[],
  reading: JobReading,
): AsyncGenerator<ReadLine> {
  try {
    if (reading.format === 'ndjson') yield* readNdjson(chunks, reading.notes);
    else yield* readCsv(chunks, schema, oneOf, reading);
  } catch (error) {
    throw explain(error);
  }
}
