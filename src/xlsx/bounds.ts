/** The bounds of what an XLSX file may be. All are checked before memory grows. */

/** Of the file. It is held in memory, because the directory of a ZIP file is at its end. */
export const XLSX_MAX_BYTES = 32 * 1024 * 1024;

/** Entries of the ZIP file. */
export const ENTRIES_MAX = 4096;

/** Unpacked bytes of a part: so many, and beyond them so many times what is packed. */
export const PART = { freeBytes: 16 * 1024 * 1024, ratio: 200, maxBytes: 2_000_000_000 } as const;

/** Unpacked bytes of the part with the texts that cells share. */
export const STRINGS_MAX_BYTES = 256 * 1024 * 1024;

/** Unpacked bytes of the parts that say what the sheets and the styles are. */
export const SMALL_PART_MAX_BYTES = 8 * 1024 * 1024;

/** Texts that cells share. They are held in memory as UTF-8. */
export const SHARED = { maxBytes: 64 * 1024 * 1024, maxTexts: 4_000_000 } as const;

/** Elements up to the end of a row. */
export const ROW_MAX_ELEMENTS = 1_000_000;

/** Bytes of XML without an element, and the depth of elements. */
export const XML = { tokenMaxLength: 1024 * 1024, depthMax: 64 } as const;
