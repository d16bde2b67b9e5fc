/** Crop marks: hairlines in the margins of a page that show where to cut. Pure; lengths in millimetres. */
import type { Mark } from '../../workers/sheets/protocol.ts';
import type { Grid } from './grid.ts';

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
