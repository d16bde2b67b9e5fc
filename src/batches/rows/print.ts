/** What a row asks of its files in addition to the design. */
import type { FileFormat } from '../../../workers/lists.ts';
import type { Design, Fault } from '../../../workers/protocol.ts';
import { type LaidOut, layOutFile } from '../../generate/file.ts';
import { isPrintField, type Print, toPrint } from '../../generate/request/print.ts';
import { ok, type Result, refused } from '../../result.ts';
import type { BatchOptions } from './schema.ts';

/** Renames a fault's field from the query parameter of the single-file call to the option of the batch. */
const inOptions = (fault: Fault): Fault =>
  isPrintField(fault.field) ? { ...fault, field: `print.${fault.field}` } : fault;

/** Returns the size and the colours that validated options ask for; `null`: pixels and screen colours. */
export const printOf = ({ print }: BatchOptions): Result<Print | null, Fault> => {
  if (print === undefined) return ok(null);
  const read = toPrint(print);
  return read.ok ? read : refused(inOptions(read.fault));
};

/** Lays out a row in a format, as the single-file call does. */
export const layOutRow = (
  text: string,
  { design, print }: { readonly design: Design; readonly print: Print | null },
  format: FileFormat,
): Result<LaidOut, Fault> => {
  const laid = layOutFile(text, design, { format, print });
  return laid.ok ? laid : refused(inOptions(laid.fault));
};
