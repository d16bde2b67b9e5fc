import type { Grid } from './grid.ts';

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

type Row = readonly [
  columns: number,
  rows: number,
  widthMm: number,
  heightMm: number,
  leftMm: number,
  topMm: number,
  pitchXMm: number,
  pitchYMm: number,
];

const onPage =
  (page: keyof typeof PAGES) =>
  ([columns, rows, labelWidthMm, labelHeightMm, leftMm, topMm, pitchXMm, pitchYMm]: Row): Grid => ({
    ...PAGES[page],
    columns,
    rows,
    labelWidthMm,
    labelHeightMm,
    leftMm,
    topMm,
    pitchXMm,
    pitchYMm,
  });
const a4 = onPage('A4');
const letter = onPage('Letter');

/**
 * Label sheets by maker and product number: columns, rows, width and height of a label, margin at the left and at the
 * top, and the distance from one label's edge to the same edge of the next, across and down; all in millimetres.
 *
 * Source: sizes are those that Avery, Avery Zweckform and Herma publish with their sheets; margins and gaps are those
 * of the template database of gLabels (github.com/jimevins/glabels-qt, templates/) where it has the sheet. The makers
 * centre the labels on the sheet: where the database does not have it, or is off the centre by rounding, the centre is
 * taken.
 */
export const TEMPLATES = {
  'avery-l4732': a4([5, 16, 35.6, 16.9, 11, 13.3, 38.1, 16.9]),
  'avery-l4773': a4([3, 8, 63.5, 33.9, 7.2, 12.9, 66.05, 33.9]),
  'avery-l4785': a4([2, 5, 80, 50, 17.5, 13.5, 95, 55]),
  'avery-l7120': a4([5, 7, 35, 35, 7.5, 11, 40, 40]),
  'avery-l7159': a4([3, 8, 63.5, 33.9, 7.2, 12.9, 66.05, 33.9]),
  'avery-l7160': a4([3, 7, 63.5, 38.1, 7.2, 15.15, 66.05, 38.1]),
  'avery-l7161': a4([3, 6, 63.5, 46.6, 7.2, 8.7, 66.05, 46.6]),
  'avery-l7162': a4([2, 8, 99.1, 33.9, 4.65, 12.9, 101.6, 33.9]),
  'avery-l7163': a4([2, 7, 99.1, 38.1, 4.65, 15.15, 101.6, 38.1]),
  'avery-l7164': a4([3, 4, 63.5, 72, 7.2, 4.5, 66.05, 72]),
  'avery-l7165': a4([2, 4, 99.1, 67.7, 4.65, 13.1, 101.6, 67.7]),
  'avery-l7166': a4([2, 3, 99.1, 93.1, 4.65, 8.85, 101.6, 93.1]),
  'avery-l7168': a4([1, 2, 199.6, 143.5, 5.2, 5, 199.6, 143.5]),
  'avery-l7169': a4([2, 2, 99.1, 139, 4.65, 9.5, 101.6, 139]),
  'avery-l7173': a4([2, 5, 99.1, 57, 4.65, 6, 101.6, 57]),
  'avery-l7414': a4([2, 5, 90, 52, 15, 18.5, 90, 52]),
  'avery-l7651': a4([5, 13, 38.1, 21.2, 4.75, 10.7, 40.6, 21.2]),
  'avery-l7654': a4([4, 10, 45.7, 25.4, 9.7, 21.5, 48.3, 25.4]),
  'avery-c32011': a4([2, 5, 85, 54, 15, 13.5, 95, 54]),
  'avery-5160': letter([3, 10, 66.67, 25.4, 4.76, 12.7, 69.85, 25.4]),
  'avery-5161': letter([2, 10, 101.6, 25.4, 3.97, 12.7, 106.36, 25.4]),
  'avery-5162': letter([2, 7, 101.6, 33.87, 3.97, 21.17, 106.36, 33.87]),
  'avery-5163': letter([2, 5, 101.6, 50.8, 3.97, 12.7, 106.36, 50.8]),
  'avery-5164': letter([2, 3, 101.6, 84.67, 3.97, 12.7, 106.36, 84.67]),
  'avery-5167': letter([4, 20, 44.45, 12.7, 7.14, 12.7, 52.39, 12.7]),
  'avery-5195': letter([4, 15, 44.45, 16.93, 7.54, 12.7, 52.12, 16.93]),
  'avery-5371': letter([2, 5, 88.9, 50.8, 19.05, 12.7, 88.9, 50.8]),
  'herma-4283': a4([1, 6, 192, 39, 9, 11.5, 192, 47]),
  'herma-4346': a4([4, 12, 45.7, 21.2, 9.75, 21.3, 48.26, 21.2]),
  'herma-4464': a4([3, 8, 70, 37, 0, 0.5, 70, 37]),
  'herma-4607': a4([4, 16, 48.3, 16.9, 8.4, 13.3, 48.3, 16.9]),
  'herma-4608': a4([4, 11, 48.3, 25.4, 8.4, 8.8, 48.3, 25.4]),
  'herma-4614': a4([3, 8, 66, 33.8, 6, 13.3, 66, 33.8]),
  'herma-4620': a4([2, 8, 105, 37, 0, 0.5, 105, 37]),
  'herma-4625': a4([2, 7, 105, 42.3, 0, 0.45, 105, 42.3]),
  'herma-4667': a4([2, 5, 96, 50.8, 7.5, 21.5, 99, 50.8]),
  'herma-4677': a4([3, 7, 63.5, 38.1, 7.2, 15.15, 66.05, 38.1]),
  'herma-5028': a4([2, 5, 83.8, 50.8, 18.5, 21.5, 89.2, 50.8]),
  'herma-5070': a4([2, 6, 78.7, 46.5, 13.6, 9, 104.1, 46.5]),
  'zweckform-3474': a4([3, 8, 70, 37, 0, 0.5, 70, 37]),
  'zweckform-3475': a4([3, 8, 70, 36, 0, 4.5, 70, 36]),
  'zweckform-3477': a4([2, 7, 105, 41, 0, 5, 105, 41]),
  'zweckform-3651': a4([4, 10, 52.5, 29.7, 0, 0, 52.5, 29.7]),
  'zweckform-3659': a4([2, 6, 97, 42.4, 8, 21.3, 97, 42.4]),
  'zweckform-3669': a4([3, 5, 70, 50.8, 0, 21.5, 70, 50.8]),
  'zweckform-4760': a4([1, 7, 192, 38, 9, 15.5, 192, 38]),
  'zweckform-4761': a4([1, 4, 192, 61, 9, 26.5, 192, 61]),
  'zweckform-4781': a4([2, 6, 97, 42.3, 8, 21.6, 97, 42.3]),
  'zweckform-6091': a4([3, 8, 64.6, 33.8, 8.1, 13.3, 64.6, 33.8]),
} as const satisfies Readonly<Record<string, Grid>>;

/** The name of a label sheet, such as `avery-l7160`. */
type TemplateName = keyof typeof TEMPLATES;

/** All names, in the order of the table. */
export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as readonly TemplateName[];
