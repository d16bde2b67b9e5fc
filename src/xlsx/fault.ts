import { CELL_MAX_LENGTH } from '../csv/columns.ts';

/** Says why a file cannot be read as XLSX, for its owner. */
export class XlsxFault extends Error {}

/** What a file is told with a cell of more characters than spreadsheets have. */
export const CELL_TOO_LONG = `has a cell of more than ${CELL_MAX_LENGTH} characters`;

/** What a file is told that is no XLSX at all. */
export const NOT_XLSX =
  'is not an XLSX file that can be read; if it has a password or is of another kind, save it as XLSX or CSV';
