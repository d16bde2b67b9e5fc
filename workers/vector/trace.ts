import type { Grid } from '../design/dots.ts';

/**
 * Returns the outlines of a grid's drawn cells as path data in cells, the grid's top left corner at (`x`, `y`). It is
 * to be filled by the even-odd rule, under which lines may cross: where two cells touch at a corner alone, both lines
 * go straight on. So the data has half the length of separate outlines, and no seams between cells.
 */
export function traceGrid({ size, cells }: Grid, x = 0, y = 0): string {
  const cellAt = (column: number, row: number): number =>
    column >= 0 && row >= 0 && column < size && row < size ? cells[row * size + column]! : 0;
  /** Whether a side of a cell separates a drawn one from an empty one: the side below, or right of, a corner. */
  const isEdge = (column: number, row: number, isAcross: boolean): boolean =>
    cellAt(column, row) !== (isAcross ? cellAt(column, row - 1) : cellAt(column - 1, row));

  const traced = new Uint8Array((size + 1) * (size + 1));
  let data = '';
  let [lastX, lastY] = [-x, -y];

  /** Walks from a corner to the right and back to it. Writes every line but the last, which closing the path draws. */
  const trace = (startX: number, startY: number): string => {
    let [atX, atY, isAcross, way] = [startX, startY, true, 1];
    let lines = '';
    for (;;) {
      const [fromX, fromY] = [atX, atY];
      do {
        if (isAcross) traced[atY * (size + 1) + Math.min(atX, atX + way)] = 1;
        if (isAcross) atX += way;
        else atY += way;
      } while (isEdge(atX - Number(isAcross && way < 0), atY - Number(!isAcross && way < 0), isAcross));
      if (atX === startX && atY === startY) return lines;
      lines += isAcross ? `h${atX - fromX}` : `v${atY - fromY}`;
      isAcross = !isAcross;
      way = isEdge(atX, atY, isAcross) ? 1 : -1;
    }
  };

  for (let row = 0; row <= size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const isStart = isEdge(column, row, true) && !isEdge(column - 1, row, true);
      if (!isStart || traced[row * (size + 1) + column] === 1) continue;
      const [dx, dy] = [column - lastX, row - lastY];
      data += `${data === '' ? 'M' : 'm'}${dx}${dy < 0 ? '' : ' '}${dy}${trace(column, row)}z`;
      [lastX, lastY] = [column, row];
    }
  }
  return data;
}
