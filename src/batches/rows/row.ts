/** Reads a stored row of a batch: what will be drawn and saved, or the first thing that is wrong with it. */
import type { Design, Fault } from '../../../workers/protocol.ts';
import type { LinkDomain } from '../../db/tables/domains/served.ts';
import { toCodeName, toTags } from '../../db/tables/names.ts';
import type { OwnSlug } from '../../db/tables/slugs.ts';
import { toDesign } from '../../generate/request/design.ts';
import { findDynamicGs1Fault } from '../../generate/request/gs1.ts';
import { mergeOptions } from '../../generate/request/options.ts';
import { DATA_MAX_CHARACTERS } from '../../generate/request/picture-options.ts';
import type { Print } from '../../generate/request/print.ts';
import type { LinkRules } from '../../generate/slugs.ts';
import { GS1_COLUMNS } from '../../gs1/columns.ts';
import { checkOwnSlug } from '../../links/slug.ts';
import type { RowFormat } from '../../lists.ts';
import { ok, type Result, refused } from '../../result.ts';
import { barcodeOf, findQrField, type RowBarcode, readHeld, toRowBarcode } from './barcodes.ts';
import { captionedBy, fillRowCaption } from './captions.ts';
import { createContent, formOf, valuesOf } from './content.ts';
import { printOf, readOptions, readUnique } from './options.ts';
import { type BatchOptions, type BatchRow, isParsable } from './schema.ts';
import { CELL_FAULT, withoutCells } from './stored.ts';
import type { CounterNumber, Counters } from './texts.ts';

/** A row that can be made. */
export interface Row {
  /** From 1. */
  readonly row: number;
  /** The caller's own id of its code; `null`: none. */
  readonly externalId: string | null;
  /** The name of the code; `null`: none. */
  readonly name: string | null;
  /** Words for its file names, if it has no name. */
  readonly file: string | null;
  readonly tags: readonly string[];
  /** Of a barcode, the GS1 data that it holds. */
  readonly content: string;
  /** Whether it was validated with a placeholder number, so GS1 data must be checked again. */
  readonly isNumbered: boolean;
  /** Where the short link leads; `null` when the row is not dynamic. */
  readonly destination: string | null;
  /** The slug that the caller chose, or what is wrong with it; `null`: none. */
  readonly ownSlug: Result<OwnSlug, string> | null;
  /** `null`: a QR code. A barcode has no design, print or image besides. */
  readonly barcode: RowBarcode | null;
  /** Rows without options of their own share one object. */
  readonly design: Design;
  /** `null`: pixels and screen colours. */
  readonly print: Print | null;
  readonly image: string | undefined;
  /** The value of the column whose values must be unique; `null`: the batch has no such column. */
  readonly uniqueValue: string | null;
  /** All cells of its row in the file, if the batch keeps them for its manifest. */
  readonly cells: readonly string[];
}

/** What is wrong with a row, and its external id if readable. */
export interface RowFault extends Fault {
  readonly externalId: string | null;
}

/** Returns what is wrong with a value, or `null`. */
export type Check = (value: unknown) => Fault | null;

/** What reading rows needs. */
export interface RowParts {
  readonly checkRow: Check;
  readonly links: Pick<LinkRules, 'checkDestination'>;
}

/** The batch-wide settings of all rows. */
export interface BatchDesign {
  readonly format: RowFormat;
  /** As it is stored. */
  readonly design: object;
  readonly counters: Counters;
  /** The column whose values must be unique; `null`: none. */
  readonly uniqueColumn: string | null;
  /** The own domain of its short links; `null`: the shared one. */
  readonly domain: Pick<LinkDomain, 'id' | 'place'> | null;
}

const NOT_READABLE = {
  ndjson: { field: 'row', message: 'must be a JSON object on one line' },
  csv: { field: 'row', message: 'must have the cells of the header row' },
  xlsx: { field: 'row', message: 'must have the cells of the header row' },
} as const;

const TOO_MUCH = {
  field: 'row',
  message: 'has too many values, or values that are nested too deeply',
} as const;

/** Rows of other services often have one, and codes have ids that are not the caller's. */
const NO_ID = 'is not a known field: your own id of a row is external_id';

const parse = (text: string): Record<string, unknown> | readonly unknown[] | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
};

const idOf = ({ external_id: id }: { readonly external_id?: unknown }): string | null =>
  typeof id === 'string' && /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(id) ? id : null;

/** Returns the caller's own id of a stored row that was validated; `null`: it has none. */
export const idOfStored = (text: string): string | null => idOf(Object(withoutCells(parse(text))));

/** Returns the name and the tags of the code of a row, or what is wrong with them. */
const readLabels = ({
  name = '',
  tags = [],
}: BatchRow): Result<{ readonly name: string | null; readonly tags: readonly string[] }, Fault> => {
  const named = name.trim() === '' ? ok(null) : toCodeName(name);
  if (!named.ok) return refused({ field: 'name', message: named.fault });
  const tagged = toTags(tags);
  if (tagged.ok) return ok({ name: named.value, tags: tagged.value });
  const { place, message } = tagged.fault;
  return refused({ field: place === null ? 'tags' : `tags.${place}`, message });
};

/** Returns what is wrong with the data of a row, or `null`. */
const findDataFault = (data: string): Fault | null => {
  if (data.trim() === '') return { field: 'data', message: 'must not be blank' };
  return data.length > DATA_MAX_CHARACTERS
    ? { field: 'data', message: `must have at most ${DATA_MAX_CHARACTERS} characters` }
    : null;
};

/** Returns the number of a counter for a row. */
export type NumberOf = (counter: string, row: number) => number;

/**
 * Creates the steps in which the stored rows of a batch are read.
 *
 * @throws {Error} When the design of the batch differs from what was validated.
 */
export const createRowSteps = (
  { checkRow, links }: RowParts,
  { format, design: stored, counters, uniqueColumn, domain }: BatchDesign,
) => {
  const { options: base, plan } = readOptions(stored);
  const contentOf = createContent(plan, counters);
  const isNumbered = Object.keys(counters).length > 0;
  const baseDesign = toDesign(base);
  const basePrint = printOf(base);

  /** Parses a line that was checked before. */
  const parseChecked = (text: string): Result<BatchRow, RowFault> => {
    if (!isParsable(text)) return refused({ ...TOO_MUCH, externalId: null });
    const parsed = parse(text);
    const value = format === 'ndjson' ? parsed : (withoutCells(parsed) as typeof parsed);
    if (value === null || (Array.isArray(value) && (format === 'ndjson' || value[0] !== CELL_FAULT)))
      return refused({ ...NOT_READABLE[format], externalId: null });
    if (!Array.isArray(value)) return ok(value as BatchRow);
    const [, field, message, externalId] = value as string[];
    return refused({ field: field!, message: message!, externalId: idOf({ external_id: externalId }) });
  };

  /** Returns the print of a row with what its caption says; or what is wrong with the caption. */
  const withCaption = (print: Print | null, row: BatchRow, content: string, numberOf: CounterNumber) =>
    print?.caption === undefined
      ? ok(print)
      : fillRowCaption(print, { row, values: valuesOf(row), content, counters, numberOf, names: plan.names });

  return {
    parseChecked,

    /** Parses a line and checks its fields. */
    parseRow(text: string): Result<BatchRow, RowFault> {
      const parsed = parseChecked(text);
      if (!parsed.ok) return parsed;
      // Checking writes defaults into the value, and these must not override the batch's settings.
      const own = structuredCloneOf(text, parsed.value);
      const fault = checkRow(parsed.value);
      if (fault === null) return ok(own);
      const told = fault.field === 'id' ? { ...fault, message: NO_ID } : fault;
      return refused({ ...told, externalId: idOf(parsed.value) });
    },

    /** Returns what will be drawn and saved of a parsed row, with its numbers. */
    toRow(read: BatchRow, row: number, numberOf: NumberOf): Result<Row, RowFault> {
      const { external_id: written = '', file = null, slug } = read;
      const dynamic = read.dynamic ?? base.dynamic ?? false;
      const own = Object.fromEntries(Object.entries(read).filter(([field]) => !FLAT.has(field)));
      const externalId = written === '' ? null : written;
      const refuse = (fault: Fault) => refused({ ...fault, externalId });
      const isPlain = Object.keys(own).length === 0;
      const options = isPlain ? base : mergeOptions<BatchOptions>(base, own);
      const kind = { symbology: read.symbology ?? base.symbology ?? 'qr' };
      const symbology = barcodeOf(kind);
      const qrFault = symbology === null ? null : findQrField(read, { ...options, dynamic }, symbology);
      if (qrFault !== null) return refuse(qrFault);
      const barcode = symbology === null ? null : toRowBarcode(symbology, options);
      const print = barcode !== null ? ok(null) : isPlain ? basePrint : printOf(options);
      if (!print.ok) return refuse(print.fault);
      const number = (counter: string) => numberOf(counter, row);
      const captioned = isPlain || print.value === null ? [] : captionedBy(print.value);
      const content = contentOf(read, formOf({ ...options, ...kind }), number, captioned);
      if (!content.ok) return refuse(content.fault);
      const dataFault = findDataFault(content.value);
      if (dataFault !== null) return refuse(dataFault);
      const held = barcode === null ? content : readHeld(barcode, content.value);
      if (!held.ok) return refuse(held.fault);
      const data = held.value;
      const labels = readLabels(read);
      if (!labels.ok) return refuse(labels.fault);
      const destination = dynamic ? links.checkDestination(data) : null;
      if (destination?.ok === false) return refuse({ field: 'data', message: destination.fault });
      if (slug !== undefined && !dynamic) return refuse({ field: 'slug', message: 'needs dynamic: true' });
      const unique = uniqueColumn === null ? ok(null) : readUnique(read, uniqueColumn);
      if (!unique.ok) return refuse(unique.fault);
      const printed = withCaption(print.value, read, data, number);
      if (!printed.ok) return refuse({ field: 'print.caption', message: printed.fault });
      const design = isPlain || barcode !== null ? baseDesign : toDesign(options);
      const gs1Fault = destination === null ? null : findDynamicGs1Fault(design.symbol);
      if (gs1Fault !== null) return refuse(gs1Fault);
      return ok({
        ...labels.value,
        row,
        externalId,
        file,
        content: data,
        isNumbered,
        destination: destination?.value ?? null,
        ownSlug: slug === undefined ? null : checkOwnSlug(slug, domain?.id ?? null),
        barcode,
        design,
        print: printed.value,
        image: barcode === null ? options.image : undefined,
        uniqueValue: unique.value,
        cells: NO_CELLS,
      });
    },
  };
};

const NO_CELLS: readonly string[] = [];

/** Fields that are not design options, and so have no defaults. */
const FLAT: ReadonlySet<string> = new Set([
  'data',
  'values',
  'external_id',
  'name',
  'file',
  'tags',
  'dynamic',
  'slug',
  'symbology',
  ...Object.keys(GS1_COLUMNS),
]);

const structuredCloneOf = (text: string, value: BatchRow): BatchRow =>
  Object.keys(value).every((name) => FLAT.has(name))
    ? { ...value }
    : (withoutCells(JSON.parse(text)) as BatchRow);

/** Creates a function that reads a stored line, with the numbers that `numberOf` returns. */
export const createRowReader = (parts: RowParts, batch: BatchDesign, numberOf: NumberOf) => {
  const { parseRow, toRow } = createRowSteps(parts, batch);
  return (text: string, row: number): Result<Row, RowFault> => {
    const parsed = parseRow(text);
    return parsed.ok ? toRow(parsed.value, row, numberOf) : parsed;
  };
};

/** Reads a stored line. */
export type RowReader = ReturnType<typeof createRowReader>;
