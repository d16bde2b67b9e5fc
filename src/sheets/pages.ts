/** Sizes of pages by name, upright, in millimetres: ISO 216 (A), ANSI/ASME Y14.1 (Letter), ISO 217 (SRA). */
export const PAGES = {
  A4: { widthMm: 210, heightMm: 297 },
  Letter: { widthMm: 215.9, heightMm: 279.4 },
  A3: { widthMm: 297, heightMm: 420 },
  SRA3: { widthMm: 320, heightMm: 450 },
} as const;

/** The name of a page size. */
export type PageName = keyof typeof PAGES;
/** All names of page sizes. */
export const PAGE_NAMES = Object.keys(PAGES) as readonly PageName[];
