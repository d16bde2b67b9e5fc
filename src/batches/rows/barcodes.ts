/** Rows that are barcodes beside the QR code: what they may ask for, what they hold, and how they are drawn. */
import { findMisfit } from '../../../workers/barcode/fit.ts';
import type { BarcodeTask } from '../../../workers/barcode/protocol.ts';
import { type FileFormat, SYMBOLOGIES, type Symbology } from '../../../workers/lists.ts';
import type { Fault } from '../../../workers/protocol.ts';
import type { RowKeys } from '../../duplicates/rules.ts';
import { BarcodeQuery } from '../../generate/barcode/request.ts';
import { toBarcodeTask } from '../../generate/barcode/task.ts';
import { isOptions } from '../../generate/request/options.ts';
import { PictureOptions } from '../../generate/request/picture-options.ts';
import { keysOfContent } from '../../gs1/check.ts';
import { ok, type Result, refused } from '../../result.ts';
import { type BatchOptions, type BatchRow, inOptions } from './schema.ts';

/** A barcode as its row asks for it. */
export interface RowBarcode {
  readonly symbology: Symbology;
  readonly query: BarcodeQuery;
}

/** Returns the symbology of a row, or of all rows; `null`: QR codes. */
export const barcodeOf = ({ symbology = 'qr' }: Pick<BatchRow, 'symbology'>): Symbology | null =>
  symbology === 'qr' ? null : symbology;

/** Fields of rows that only QR codes have, because they are drawn in a design, and saved. */
const QR_FIELDS: readonly string[] = [...Object.keys(PictureOptions.properties), 'tags', 'slug'];

/** Returns the name of the first column with a value. */
const columnOf = (name: string, value: unknown): string => {
  const [inner] = isOptions(value) ? Object.entries(value) : [];
  return inner === undefined ? name : columnOf(`${name}.${inner[0]}`, inner[1]);
};

type Printed = Pick<BatchOptions, 'print'>;

const refuseField = (field: string, symbology: Symbology): Fault => ({
  field,
  message: `is only for QR codes, and this is ${SYMBOLOGIES[symbology].name}: leave it out`,
});

const findPrintFault = ({ print = {} }: Printed, symbology: Symbology): Fault | null => {
  const other = Object.keys(print).find((name) => !Object.hasOwn(BarcodeQuery.properties, name));
  if (other !== undefined) return refuseField(`print.${other}`, symbology);
  const { quiet_zone: quietZone = 0 } = print;
  if (Number.isInteger(quietZone)) return null;
  return { field: 'print.quiet_zone', message: `must be a whole number for ${SYMBOLOGIES[symbology].name}` };
};

/**
 * Returns the first field of a row, or of the options for all rows, that says something of a QR code; `null`: none.
 *
 * @param options What it says itself. @param all What counts for it: also what is said for all rows.
 */
export const findQrField = (
  options: object,
  all: Printed & Pick<BatchOptions, 'dynamic'>,
  symbology: Symbology,
): Fault | null => {
  const own = Object.entries(options).find(([name]) => QR_FIELDS.includes(name));
  if (own !== undefined) return refuseField(columnOf(...own), symbology);
  if (all.dynamic)
    return {
      field: 'dynamic',
      message: `must be false: ${SYMBOLOGIES[symbology].name} holds GS1 data and no short link`,
    };
  return findPrintFault(all, symbology);
};

/** Returns a barcode as options with nothing of a QR code ask for it. */
export const toRowBarcode = (symbology: Symbology, { print = {} }: Printed): RowBarcode => ({
  symbology,
  query: print as BarcodeQuery,
});

/**
 * Returns the GS1 data that the symbol of a row holds: elements with their AIs in brackets, or the digits of a GTIN; or
 * what is wrong with the data.
 */
export const readHeld = ({ symbology, query }: RowBarcode, data: string): Result<string, Fault> => {
  const task = toBarcodeTask({ symbology, data }, query, 'png');
  if (!task.ok) return refused(inOptions(task.fault));
  const { text } = task.value;
  // A reader gets 13 digits of both, but people know the 12 of UPC-A.
  return ok(symbology === 'upc-a' ? text.slice(1) : text);
};

/** Returns the task of a row's file, or why it cannot be drawn, as far as that is known before. */
export const toRowTask = (
  { symbology, query }: RowBarcode,
  data: string,
  format: FileFormat,
): Result<BarcodeTask, Fault> => {
  const task = toBarcodeTask({ symbology, data }, query, format);
  const fault = task.ok ? findMisfit(task.value) : task.fault;
  return fault === null ? task : refused(inOptions(fault));
};

/** Returns what tells a barcode from others: the same data in another symbology is another picture, of the same thing. */
export const keysOfBarcode = (content: string, { symbology }: RowBarcode): RowKeys => {
  // The digits of a GTIN may look like other GS1 data.
  const keys = keysOfContent(content, symbology === 'gs1-datamatrix');
  return Object.fromEntries(Object.entries(keys).map(([kind, key]) => [kind, `${symbology} ${key}`]));
};
