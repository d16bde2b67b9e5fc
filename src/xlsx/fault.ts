import { CELL_MAX_LENGTH } from '../csv/columns.ts';

/** Says why a file cannot be read as XLSX, for its owner. */
export class XlsxFault extends Error {}

/** The message for a file with a cell longer than spreadsheets allow. */
export const CELL_TOO_LONG = `has a cell of more than ${CELL_MAX_LENGTH} characters`;

/** The message for a file that is not XLSX at all. */
export const NOT_XLSX =
  'is not an XLSX file that can be read; if it has a password or is of another kind, save it as XLSX or CSV';
