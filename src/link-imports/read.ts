/** Reads files of links: CSV with the columns of a service or of people, and JSON a line: links, or pages of an API. */
import { readText } from '../csv/formula.ts';
import { readLines } from '../csv/lines.ts';
import { listNames, quoteName } from '../csv/match.ts';
import { noteEmptyRows, type TableNotes, tooManyEmptyRows } from '../csv/notes.ts';
import { HeaderFault } from '../csv/read.ts';
import { type RecordBounds, RowFault, readCsvRecords } from '../csv/records.ts';
import { chunksInSlices } from '../execution/time-limits.ts';
import { ok, type Result, refused } from '../result.ts';
import { isWithin } from '../validation/json.ts';
import type { LeftOutNotes } from './left-out.ts';
import { isOn, type MovedFault, type MovedLink, type RowValues, readMovedLink } from './row.ts';
import {
  bareName,
  type LinkSource,
  SOURCE_FIELDS,
  SOURCES,
  type SourceField,
  type SourceForm,
} from './sources.ts';

/** How a file is read. */
export interface LinkReading {
  readonly source: LinkSource;
  readonly format: 'csv' | 'ndjson';
  /** The encoding of CSV that the call names; `null`: it names none. */
  readonly encoding: string | null;
  /** The columns that people name for fields. */
  readonly columns: Readonly<Partial<Record<SourceField, string>>>;
  /** Whether columns of `tessera` that are no field are left out, and links move without what they do beside leading. */
  readonly isDropAccepted: boolean;
  readonly bounds: RecordBounds;
  readonly notes: TableNotes;
  /** Filled in while the file is read. */
  readonly leftOut: LeftOutNotes;
}

/** A link of a file, or what is wrong with its row. */
export interface ReadLink {
  /** Its row in the file, as spreadsheets count; in JSON the number of the link. */
  readonly fileRow: number;
  readonly link: Result<MovedLink, MovedFault>;
  /** What a row with a fault calls its link, to find it by. */
  readonly called: { readonly slug: string | null; readonly externalId: string | null };
}

const NAMED_BY = 'columns';

/** Returns the indexes of the columns of each field, the best first. @throws {HeaderFault} */
const findFields = (
  { names: known }: SourceForm,
  names: readonly string[],
  { source, columns, isDropAccepted }: LinkReading,
): ReadonlyMap<SourceField, readonly number[]> => {
  const bare = names.map(bareName);
  const found = new Map<SourceField, readonly number[]>();
  for (const field of SOURCE_FIELDS) {
    const named = columns[field];
    const wanted = named === undefined ? (known[field] ?? []) : [bareName(named)];
    const at = wanted.flatMap((name) => bare.flatMap((own, index) => (own === name ? [index] : [])));
    if (named !== undefined && at.length === 0)
      throw new HeaderFault(
        `the header row has no column ${quoteName(named)}, which ${NAMED_BY} names for ${field}; its columns are: ${listNames(names)}`,
      );
    // Of a service it is known which of two columns counts.
    if (at.length > 1 && source === 'tessera')
      throw new HeaderFault(
        `the columns ${quoteName(names[at[0]!]!)} and ${quoteName(names[at[1]!]!)} can both be ${field}; say with ${NAMED_BY} which one is`,
      );
    if (at.length > 0) found.set(field, at);
  }
  const missing = !found.has('destination')
    ? 'destination'
    : found.has('slug') || found.has('short_url')
      ? null
      : 'slug';
  if (missing !== null)
    throw new HeaderFault(
      `the header row has no column for ${missing}; its columns are: ${listNames(names)}; say with ${NAMED_BY} which one it is`,
    );
  const taken = new Set([...found.values()].flat());
  const unknown = names.find((_, index) => !taken.has(index));
  if (source === 'tessera' && !isDropAccepted && unknown !== undefined)
    throw new HeaderFault(
      `the header row has a column ${quoteName(unknown)} that is not a field; name it with ${NAMED_BY}, or leave it out with dropped=accept`,
    );
  return found;
};

/** Undoes what our export does to a cell like a formula. */
const cellText = (source: LinkSource, text: string): string => (source === 'tessera' ? readText(text) : text);

/** What our own export says of a link that moves without its password. */
const withoutPassword = ({ source, isDropAccepted }: LinkReading, values: RowValues): readonly string[] =>
  source === 'tessera' &&
  isDropAccepted &&
  isOn(values.of('not_in_file')) &&
  !isOn(values.of('password')) &&
  !isOn(values.of('password_hash'))
    ? ['not_in_file']
    : [];

async function* readCsv(chunks: AsyncIterable<Buffer>, reading: LinkReading): AsyncGenerator<ReadLink> {
  const { source, encoding, bounds, notes, leftOut, isDropAccepted } = reading;
  const form = SOURCES[source];
  let fields: ReadonlyMap<SourceField, readonly number[]> | undefined;
  let bare: readonly string[] = [];
  let others: readonly (readonly [name: string, index: number])[] = [];
  const records = readCsvRecords(chunksInSlices(chunks), bounds, { encoding, wanted: 'rows', notes });
  for await (const { texts, fileRow } of records) {
    if (fields === undefined) {
      const names = Array.from(texts, (text = '') => text.trim());
      bare = names.map(bareName);
      try {
        fields = findFields(form, names, reading);
        const taken = new Set([...fields.values()].flat());
        others = names.flatMap((name, i) => (taken.has(i) ? [] : [[name || `column ${i + 1}`, i] as const]));
      } catch (error) {
        if (error instanceof HeaderFault) error.fileRow = fileRow;
        throw error;
      }
      continue;
    }
    const at = fields;
    const cell = (index: number): string => cellText(source, texts[index] ?? '');
    const values: RowValues = {
      of: (field) =>
        at
          .get(field)
          ?.map(cell)
          .find((text) => text.trim() !== ''),
      under: (name) => (bare.includes(name) ? cell(bare.indexOf(name)) : undefined),
    };
    const namesOut = others.filter(([, index]) => isOn(texts[index])).map(([name]) => name);
    leftOut.note([...namesOut, ...withoutPassword(reading, values)]);
    yield toReadLink(form, values, fileRow, isDropAccepted);
  }
  if (fields === undefined) throw new HeaderFault('the file is empty; it needs a header row');
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names of a file that are kept, and their length: each line may have others, as long as itself. */
const NAMES_KEPT_MAX = 1000;
const NAME_KEPT_MAX = 100;

/** Creates a `bareName` that keeps the names of one file, where every line has the same ones. */
const createBareName = (): typeof bareName => {
  const kept = new Map<string, string>();
  return (name) => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const bare = bareName(name);
    if (kept.size < NAMES_KEPT_MAX && name.length <= NAME_KEPT_MAX) kept.set(name, bare);
    return bare;
  };
};

/** The fields of an object by bare names, those of inner objects behind dots. */
const flatten = (
  object: Readonly<Record<string, unknown>>,
  toBare: typeof bareName,
): ReadonlyMap<string, unknown> => {
  const flat = new Map<string, unknown>();
  for (const [name, value] of Object.entries(object)) {
    const bare = toBare(name);
    flat.set(bare, value);
    if (isObject(value))
      for (const [inner, own] of Object.entries(value)) flat.set(`${bare}.${toBare(inner)}`, own);
  }
  return flat;
};

/** Returns the links of a value: it is one, a list of them, or a page of an API with them. `null`: it is none of these. */
const linksIn = (
  { pages, names }: SourceForm,
  value: unknown,
  toBare: typeof bareName,
): readonly Readonly<Record<string, unknown>>[] | null => {
  if (Array.isArray(value)) return value.every(isObject) ? value : null;
  if (!isObject(value)) return null;
  const flat = flatten(value, toBare);
  if (names.destination!.some((name) => flat.has(name))) return [value];
  for (const page of pages) {
    const found = flat.get(page);
    if (Array.isArray(found) && found.every(isObject)) return found;
    // YOURLS numbers its links: {"link_1": {}, "link_2": {}}.
    if (isObject(found) && Object.values(found).every(isObject)) return Object.values(found) as never;
  }
  return pages.length === 0 ? [value] : null;
};

async function* readJsonLines(chunks: AsyncIterable<Buffer>, reading: LinkReading): AsyncGenerator<ReadLink> {
  const { source, columns, bounds, notes, leftOut, isDropAccepted } = reading;
  const form = SOURCES[source];
  const namesOf = (field: SourceField): readonly string[] =>
    columns[field] === undefined ? (form.names[field] ?? []) : [bareName(columns[field])];
  const known = new Set(SOURCE_FIELDS.flatMap(namesOf));
  const toBare = createBareName();
  notes.encoding = 'utf-8';
  let fileRow = 0;
  const noteEmpty = (): void => {
    noteEmptyRows(notes, fileRow);
    if (notes.emptyRows > bounds.maxEmptyRows) throw tooManyEmptyRows(bounds.maxEmptyRows);
  };
  for await (const line of readLines(chunksInSlices(chunks), bounds.maxRowBytes, noteEmpty)) {
    const links = linksIn(form, parse(line), toBare);
    if (links === null)
      throw new RowFault(
        'is neither a link nor a page of links as JSON on one line, or has too many values for one line',
        {
          row: fileRow + 1,
          fileRow: fileRow + 1,
        },
      );
    for (const link of links) {
      fileRow += 1;
      const flat = flatten(link, toBare);
      const values: RowValues = {
        of: (field) =>
          namesOf(field)
            .map((name) => flat.get(name))
            .find((value) => value !== undefined && value !== null && value !== '' && !isEmptyList(value)),
        under: (name) => flat.get(name),
      };
      const namesOut = namesLeftOut(known, link, toBare);
      leftOut.note([...namesOut, ...withoutPassword(reading, values)]);
      const read = toReadLink(form, values, fileRow, isDropAccepted);
      const isRefused = source === 'tessera' && !isDropAccepted && namesOut.length > 0;
      yield isRefused ? { ...read, link: refused(unknownField(namesOut[0]!)) } : read;
    }
  }
}

/** Returns the names under which a link has values that become nothing. @param known Bare names. */
const namesLeftOut = (
  known: ReadonlySet<string>,
  link: Readonly<Record<string, unknown>>,
  toBare: typeof bareName,
): readonly string[] => {
  const isPartlyKnown = (name: string) => [...known].some((one) => one.startsWith(`${name}.`));
  return Object.entries(link).flatMap(([name, value]) => {
    const bare = toBare(name);
    if (known.has(bare) || !isOn(value)) return [];
    if (!isObject(value) || !isPartlyKnown(bare)) return [name];
    return Object.entries(value).flatMap(([inner, own]) =>
      known.has(`${bare}.${toBare(inner)}`) || !isOn(own) ? [] : [`${name}.${inner}`],
    );
  });
};

const unknownField = (name: string): MovedFault => ({
  field: name.slice(0, SHOWN_MAX),
  message: `is not a field of a link; name it with ${NAMED_BY}, or leave it out with dropped=accept`,
});

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Pages of services with 8 MiB have fewer. A line with more takes hundreds of megabytes in memory. */
const TOKENS_MAX = 500_000;

const parse = (line: string): unknown => {
  try {
    return isWithin(line, TOKENS_MAX) ? JSON.parse(line) : undefined;
  } catch {
    return undefined;
  }
};

const SHOWN_MAX = 100;

const shown = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, SHOWN_MAX) : null;

const toReadLink = (
  form: SourceForm,
  values: RowValues,
  fileRow: number,
  isDropAccepted: boolean,
): ReadLink => ({
  fileRow,
  link: readMovedLink(form, values, isDropAccepted),
  called: {
    slug: shown(values.of('slug') ?? values.of('short_url')),
    externalId: shown(values.of('external_id')),
  },
});

/**
 * Yields the links of a file, and what is wrong with those that are none.
 *
 * @throws {HeaderFault}, {EncodingFault}, {KindFault}, {RowFault}, {RangeError} for what makes the rest unreadable.
 */
export const readLinks = (chunks: AsyncIterable<Buffer>, reading: LinkReading): AsyncGenerator<ReadLink> =>
  reading.format === 'csv' ? readCsv(chunks, reading) : readJsonLines(chunks, reading);

/** Reads the columns that a call names for fields. The fault continues a sentence that begins with `columns`. */
export const readNamedColumns = (text: string): Result<LinkReading['columns'], string> => {
  const value = parse(text);
  if (!isObject(value) || Object.values(value).some((name) => typeof name !== 'string'))
    return refused('must be JSON such as {"destination": "Long link"}');
  const known: readonly string[] = SOURCE_FIELDS;
  const unknown = Object.keys(value).find((field) => !known.includes(field));
  if (unknown !== undefined)
    return refused(`names ${quoteName(unknown)}, which is none of: ${known.join(', ')}`);
  return ok(value as LinkReading['columns']);
};
