/** The limits of an XLSX file, and the fault of one that is beyond them. All are checked before memory grows. */
import { CELL_MAX_LENGTH } from '../csv/columns.ts';

/** Size of the file, which is held in memory because the directory of a ZIP file is at its end. */
export const XLSX_MAX_BYTES = 32 * 1024 * 1024;

/** Entries of the ZIP file. */
export const ENTRIES_MAX = 4096;

/** Decompressed bytes of a part: a fixed allowance, plus this multiple of its compressed size. */
export const PART = { freeBytes: 16 * 1024 * 1024, ratio: 200, maxBytes: 2_000_000_000 } as const;

/** Decompressed bytes of the shared strings part. */
export const STRINGS_MAX_BYTES = 256 * 1024 * 1024;

/** Decompressed bytes of the parts that define the sheets and the styles. */
export const SMALL_PART_MAX_BYTES = 8 * 1024 * 1024;

/** The shared strings, which are held in memory as UTF-8. */
export const SHARED = { maxBytes: 64 * 1024 * 1024, maxTexts: 4_000_000 } as const;

/** Elements up to the end of a row. */
export const ROW_MAX_ELEMENTS = 1_000_000;

/** Bytes of XML without an element, and the depth of elements. */
export const XML = { tokenMaxLength: 1024 * 1024, depthMax: 64 } as const;

/** Says why a file cannot be read as XLSX, for its owner. */
export class XlsxFault extends Error {}

/** The message for a file with a cell longer than spreadsheets allow. */
export const CELL_TOO_LONG = `has a cell of more than ${CELL_MAX_LENGTH} characters`;

/** The message for a file that is not XLSX at all. */
export const NOT_XLSX =
  'is not an XLSX file that can be read; if it has a password or is of another kind, save it as XLSX or CSV';
