/**
 * The stored options of a batch, what they ask of its files in addition to the design, and the column whose values must
 * be unique.
 */
import Value from 'typebox/value';
import type { FileFormat } from '../../../workers/lists.ts';
import type { Design, Fault } from '../../../workers/protocol.ts';
import { fillFile, type LaidOut, layOutFile } from '../../generate/file.ts';
import { type Print, toPrint } from '../../generate/request/print.ts';
import type { ValueOf } from '../../generate/request/words.ts';
import { aiOfColumn, toUniqueValue, UNIQUE_MISSING } from '../../gs1/columns.ts';
import { ok, type Result, refused } from '../../result.ts';
import { type ContentPlan, planContent } from './content.ts';
import { BatchOptions, type BatchRow, inOptions } from './schema.ts';

/** Reads the batch-wide options. @throws {Error} When they differ from what was validated. */
export const readOptions = (
  design: object,
): { readonly options: BatchOptions; readonly plan: ContentPlan } => {
  const plan = Value.Check(BatchOptions, design) ? planContent(design) : null;
  if (plan === null || !plan.ok) throw new Error('the stored design of a batch is damaged');
  return { options: design as BatchOptions, plan: plan.value };
};

/** Returns the size and the colours that validated options ask for; `null`: pixels and screen colours. */
export const printOf = ({ print }: BatchOptions): Result<Print | null, Fault> => {
  if (print === undefined) return ok(null);
  const read = toPrint(print);
  return read.ok ? read : refused(inOptions(read.fault));
};

/** What of a row decides its files. */
interface Printed {
  readonly design: Design;
  readonly print: Print | null;
  /** `null`: it has no short link. */
  readonly destination: string | null;
}

/** Returns what a caption says of a short link, which is known last; '' of none. */
const linkValues =
  (text: string, { destination }: Printed): ValueOf =>
  (name) => {
    const url = destination === null ? '' : text;
    if (name === 'short_url') return url;
    return name === 'slug' ? url.slice(url.lastIndexOf('/') + 1) : undefined;
  };

/** Lays out a row in a format, as the single-file call does. */
export const layOutRow = (text: string, row: Printed, format: FileFormat): Result<LaidOut, Fault> => {
  const { design, print } = row;
  const laid = layOutFile(text, design, fillFile({ format, print }, linkValues(text, row)));
  return laid.ok ? laid : refused(inOptions(laid.fault));
};

/** Fields of a row whose values are texts of its own. */
const TEXTS = ['data', 'external_id', 'name', 'file', 'slug'] as const;

/** Whether values of a column can be unique. @param names The columns that templates name. */
export const canBeUnique = (column: string, names: readonly string[]): boolean =>
  (TEXTS as readonly string[]).includes(column) || aiOfColumn(column) !== undefined || names.includes(column);

/** Returns the value of the column in a row, in the form in which it is compared. Every row must have one. */
export const readUnique = (row: BatchRow, column: string): Result<string, Fault> => {
  const written = row.values?.[column] ?? (row as Readonly<Record<string, unknown>>)[column];
  const value = toUniqueValue(column, written);
  return value === null ? refused({ field: column, message: UNIQUE_MISSING }) : ok(value);
};
