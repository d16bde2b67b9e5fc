import { type Grid, gridPath } from '../design/dots.ts';
import { isInvisible } from '../design/fill.ts';
import { type Geometry, roundingOf } from '../design/geometry.ts';
import type { Box } from '../design/gradient.ts';
import { type Layer, markLayer, symbolLayers } from '../design/layers.ts';
import { boxPath } from '../design/markup.ts';
import type { RenderPlan } from '../plan.ts';
import { outlineText, textPaint } from '../print/letters.ts';
import type { Design, HexColor, Logo, TextBlock } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';

/**
 * Returns the outlines of a grid's drawn cells as path data in cells, the grid's top left corner at (`x`, `y`). It is
 * to be filled by the even-odd rule, under which lines may cross: where two cells touch at a corner alone, both lines
 * go straight on. So the data has half the length of separate outlines, and no seams between cells.
 */
export const traceGrid = ({ size, cells }: Grid, x = 0, y = 0): string => {
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
};

/** Where the units of a path lie on the canvas. */
export type Frame = Readonly<Record<'xPx' | 'yPx' | 'scalePx', number>>;

/** A path, filled by the even-odd rule. Its units are those of its frame; the box of the fill is in pixels. */
export interface Shape extends Layer {
  readonly frame: Frame;
}

/** A picture as shapes, in the pixels of its design. */
export interface Scene {
  readonly widthPx: number;
  readonly heightPx: number;
  /** How far the background reaches over the canvas on each side. */
  readonly bleedPx: number;
  /** Whether edges are smooth; otherwise renderers are asked for hard edges. */
  readonly isSmooth: boolean;
  /** `null` when it is invisible. */
  readonly background: Shape | null;
  /** The mark if there is one, and over it symbol and text: one shape for each fill, of which no two overlap. */
  readonly shapes: readonly Shape[];
  /** Lies over everything else. */
  readonly logo: { readonly box: Box; readonly logo: Logo } | null;
  /** The text below, a block for each size of letters; these are among the shapes. */
  readonly texts: readonly TextBlock[];
}

/** Returns the canvas with its bleed, in pixels. */
export const spreadOf = ({
  widthPx,
  heightPx,
  bleedPx,
}: Pick<Scene, 'widthPx' | 'heightPx' | 'bleedPx'>): Box => ({
  x: -bleedPx,
  y: -bleedPx,
  width: widthPx + 2 * bleedPx,
  height: heightPx + 2 * bleedPx,
});

/** Returns a box of pixels in the units of a frame. */
export const inFrame = ({ x, y, width, height }: Box, { xPx, yPx, scalePx }: Frame): Box => ({
  x: (x - xPx) / scalePx,
  y: (y - yPx) / scalePx,
  width: width / scalePx,
  height: height / scalePx,
});

/** Pixels from the corner of the canvas. */
export const CANVAS: Frame = { xPx: 0, yPx: 0, scalePx: 1 };

/**
 * Returns a picture as shapes: those of the reference renderer with the same fills, written for short files. The
 * modules of a colour are one path in whole modules. `logo` must be the one that the plan was made for. Text makes the
 * canvas taller; no paint extends into the added height.
 */
export const sceneOf = (
  { geometry }: Pick<RenderPlan, 'geometry'>,
  symbol: QrSymbol,
  design: Design,
  logo: Logo | null,
  bleedPx = 0,
  text: TextBlock | null = null,
): Scene => {
  const { widthPx, dots } = design;
  const box = spreadOf({ ...design, bleedPx });
  const textPx = text?.heightPx ?? 0;
  const background = backgroundOf(design, box, textPx);
  const mark = design.mark === undefined ? [] : [{ ...markLayer(design, box), frame: CANVAS }];
  const texts = text === null ? [] : [text];
  const letters = texts.map((block) => textShape(block, textPaint(design), box));
  const figures = [...mark, ...symbolShapes(design, geometry, symbol, box), ...letters];
  return {
    widthPx,
    heightPx: design.heightPx + textPx,
    bleedPx,
    isSmooth: dots.roundSize,
    texts,
    background: isInvisible(background.paint) ? null : background,
    shapes: figures.filter(({ paint }) => !isInvisible(paint)),
    logo: logo === null || geometry.logo === null ? null : { box: geometry.logo, logo },
  };
};

/** Returns the whole box with the text below or, with round corners, the largest square in its middle. */
const backgroundOf = ({ background: { paint, round }, dots }: Design, box: Box, textPx: number): Shape => {
  const fill = { paint, box, frame: CANVAS };
  if (round === 0) return { ...fill, path: boxPath(box.x, box.y, box.width, box.height + textPx) };
  const side = Math.min(box.width, box.height);
  const place = roundingOf(dots);
  const radius = (side / 2) * round;
  const [x, y] = [box.x + place((box.width - side) / 2), box.y + place((box.height - side) / 2)];
  return { ...fill, path: boxPath(x, y, side, side, [radius, radius, radius, radius]) };
};

/** Returns the letters of a text. @param box The box of the canvas. */
export const textShape = (text: TextBlock, paint: HexColor, box: Box): Shape => {
  const { path, scalePx } = outlineText(text);
  return { path, paint, box, frame: { ...CANVAS, scalePx } };
};

const symbolShapes = (
  design: Design,
  geometry: Geometry,
  symbol: QrSymbol,
  canvas: Box,
): readonly Shape[] => {
  const { xPx, yPx, modulePx: scalePx } = geometry;
  const frame = { xPx, yPx, scalePx };
  const { type } = design.dots;
  const drawGrid = (grid: Grid, x: number, y: number): string =>
    type === 'square' ? traceGrid(grid, x, y) : gridPath(grid, type, x, y, 1);
  return symbolLayers(design, geometry, symbol, { xPx: 0, yPx: 0, modulePx: 1 }, drawGrid).map((layer) => {
    // What spans the whole canvas spans the bleed too.
    const isWhole = layer.box.width === design.widthPx && layer.box.x === 0;
    return { ...layer, frame, box: isWhole ? canvas : layer.box };
  });
};
