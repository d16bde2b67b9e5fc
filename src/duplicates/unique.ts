/** Values of a column that must be unique. */
import { aiOfColumn, readColumnValue } from '../gs1/columns.ts';

/** What is wrong with a row that has none. */
export const UNIQUE_MISSING = 'is required: its values must be unique';

/** Returns a value in the form in which it is compared; `null`: there is none. */
export const toUniqueValue = (column: string, written: unknown): string | null => {
  const text = typeof written === 'string' ? written.trim().normalize('NFC') : '';
  if (text === '') return null;
  const ai = aiOfColumn(column);
  const read = ai === undefined ? null : readColumnValue(ai, text);
  return read?.ok ? read.value : text;
};
