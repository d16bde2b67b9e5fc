/**
 * Where the labels of a page and its crop marks are. Pure; all lengths in millimetres from the top left corner of the
 * page.
 */
import type { Area, Mark } from '../../workers/sheets/protocol.ts';

/** A page of equal labels in columns and rows. */
export interface Grid {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly columns: number;
  readonly rows: number;
  readonly labelWidthMm: number;
  readonly labelHeightMm: number;
  /** The first label's distance from the page's left edge and top edge. */
  readonly leftMm: number;
  readonly topMm: number;
  /** From a label's edge to the same edge of the next label. */
  readonly pitchXMm: number;
  readonly pitchYMm: number;
}

/** The place of a label: its column and row, from 0. */
interface Cell {
  readonly column: number;
  readonly row: number;
}

/** `rows` fills a row from left to right, and then the next; `columns` fills a column from top to bottom. */
export type Order = 'rows' | 'columns';

/** A length from top to bottom, and one from left to right. */
type Lengths = readonly [verticalMm: number, horizontalMm: number];

/**
 * Returns the grid of a page that is divided evenly between its margins. Labels may come out with no or a negative
 * size; the caller checks that.
 */
export const layEvenGrid = (
  page: { readonly widthMm: number; readonly heightMm: number },
  label: { readonly columns: number; readonly rows: number; readonly margin: Lengths; readonly gap: Lengths },
): Grid => {
  const { columns, rows, margin, gap } = label;
  const labelWidthMm = (page.widthMm - 2 * margin[1] - (columns - 1) * gap[1]) / columns;
  const labelHeightMm = (page.heightMm - 2 * margin[0] - (rows - 1) * gap[0]) / rows;
  return {
    widthMm: page.widthMm,
    heightMm: page.heightMm,
    columns,
    rows,
    labelWidthMm,
    labelHeightMm,
    leftMm: margin[1],
    topMm: margin[0],
    pitchXMm: labelWidthMm + gap[1],
    pitchYMm: labelHeightMm + gap[0],
  };
};

/** Returns the `place`th label of a page, from 0, in the order in which it is filled. */
export const cellAt = ({ columns, rows }: Grid, order: Order, place: number): Cell =>
  order === 'rows'
    ? { column: place % columns, row: Math.floor(place / columns) }
    : { column: Math.floor(place / rows), row: place % rows };

export const labelArea = (grid: Grid, { column, row }: Cell): Area => ({
  xMm: grid.leftMm + column * grid.pitchXMm,
  yMm: grid.topMm + row * grid.pitchYMm,
  widthMm: grid.labelWidthMm,
  heightMm: grid.labelHeightMm,
});

/** Returns how many pages take so many labels when the first one is put in place `startAt`, from 1. */
export const pagesFor = ({ columns, rows }: Grid, labels: number, startAt: number): number =>
  Math.ceil((startAt - 1 + labels) / (columns * rows));

/**
 * Returns the area that a label's background fills: the label, and the bleed around it. Between two labels each gets
 * half of the gap at most, so that no background reaches into another label.
 */
export const backgroundArea = (grid: Grid, cell: Cell, bleedMm: number): Area => {
  const { xMm, yMm, widthMm, heightMm } = labelArea(grid, cell);
  const innerX = Math.min(bleedMm, Math.max(0, grid.pitchXMm - widthMm) / 2);
  const innerY = Math.min(bleedMm, Math.max(0, grid.pitchYMm - heightMm) / 2);
  const left = cell.column === 0 ? bleedMm : innerX;
  const right = cell.column === grid.columns - 1 ? bleedMm : innerX;
  const top = cell.row === 0 ? bleedMm : innerY;
  const bottom = cell.row === grid.rows - 1 ? bleedMm : innerY;
  return {
    xMm: xMm - left,
    yMm: yMm - top,
    widthMm: widthMm + left + right,
    heightMm: heightMm + top + bottom,
  };
};

/** Length of a mark where the margin has room for it. */
export const MARK_MM = 4;
/** The least distance of a mark from a label: a cut that is a little off shows no mark. */
export const MARK_OFFSET_MM = 1;
/** A shorter mark helps nobody. */
const SHORTEST_MM = 1;

const edges = (count: number, from: number, pitch: number, size: number): readonly number[] => {
  const all = Array.from({ length: count }, (_, i) => [from + i * pitch, from + i * pitch + size]).flat();
  return all.filter((edge, i) => i === 0 || edge - all[i - 1]! > 0.01);
};

/**
 * Returns the marks of a page: at each edge of a label, in all four margins, outside the bleed. A margin that is too
 * narrow gets none.
 *
 * @param outsetMm How far the paper extends beyond the page on each side.
 */
export const cropMarks = (grid: Grid, bleedMm: number, outsetMm: number): readonly Mark[] => {
  const { columns, rows, leftMm, topMm, pitchXMm, pitchYMm, labelWidthMm, labelHeightMm } = grid;
  const offset = Math.max(MARK_OFFSET_MM, bleedMm);
  const right = leftMm + (columns - 1) * pitchXMm + labelWidthMm;
  const bottom = topMm + (rows - 1) * pitchYMm + labelHeightMm;
  const marks: Mark[] = [];
  const reach = (room: number): number => Math.min(MARK_MM, room - offset);
  const top = reach(topMm + outsetMm);
  const low = reach(grid.heightMm - bottom + outsetMm);
  const left = reach(leftMm + outsetMm);
  const far = reach(grid.widthMm - right + outsetMm);
  for (const x of edges(columns, leftMm, pitchXMm, labelWidthMm)) {
    if (top >= SHORTEST_MM)
      marks.push({ x1Mm: x, y1Mm: topMm - offset - top, x2Mm: x, y2Mm: topMm - offset });
    if (low >= SHORTEST_MM)
      marks.push({ x1Mm: x, y1Mm: bottom + offset, x2Mm: x, y2Mm: bottom + offset + low });
  }
  for (const y of edges(rows, topMm, pitchYMm, labelHeightMm)) {
    if (left >= SHORTEST_MM)
      marks.push({ x1Mm: leftMm - offset - left, y1Mm: y, x2Mm: leftMm - offset, y2Mm: y });
    if (far >= SHORTEST_MM)
      marks.push({ x1Mm: right + offset, y1Mm: y, x2Mm: right + offset + far, y2Mm: y });
  }
  return marks;
};
