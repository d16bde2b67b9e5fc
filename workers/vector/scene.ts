import { type Grid, gridPath } from '../design/dots.ts';
import { isInvisible } from '../design/fill.ts';
import { type Geometry, roundingOf } from '../design/geometry.ts';
import type { Box } from '../design/gradient.ts';
import { type Layer, markLayer, symbolLayers } from '../design/layers.ts';
import { boxPath } from '../design/markup.ts';
import type { RenderPlan } from '../plan.ts';
import { outlineText, type PlacedOutline } from '../print/letters.ts';
import type { Design, HexColor, Logo, Surround, TextBlock } from '../protocol.ts';
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

/** A path. Its units are those of its frame; the box of the fill is in pixels. */
export interface Shape extends Layer {
  readonly frame: Frame;
  /** By which rule it is filled; absent: the even-odd rule. Only a path of one opaque colour has another one. */
  readonly rule?: 'nonzero';
  /** The same figures one by one, in the units of the frame. Only texts have them. */
  readonly letters?: readonly PlacedOutline[];
}

/** A picture as shapes, in the pixels of its design. */
export interface Scene {
  /** Where the canvas begins: not above 0, and 0 unless something stands left of or above the design. */
  readonly leftPx: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** The code with its quiet zone. */
  readonly code: Box;
  /** How far the background reaches over the canvas on each side. */
  readonly bleedPx: number;
  /** Whether edges are smooth; otherwise renderers are asked for hard edges. */
  readonly isSmooth: boolean;
  /** `null` when it is invisible. */
  readonly background: Shape | null;
  /** Frame and mark, and over them symbol and texts: one shape for each fill. Those that overlap are opaque. */
  readonly shapes: readonly Shape[];
  /** Lies over everything else. */
  readonly logo: { readonly box: Box; readonly logo: Logo } | null;
  /** The texts, a block for each size of letters; these are among the shapes. */
  readonly texts: readonly TextBlock[];
}

/** Returns the canvas with its bleed, in pixels. */
export const spreadOf = ({
  leftPx,
  topPx,
  widthPx,
  heightPx,
  bleedPx,
}: Pick<Scene, 'leftPx' | 'topPx' | 'widthPx' | 'heightPx' | 'bleedPx'>): Box => ({
  x: leftPx - bleedPx,
  y: topPx - bleedPx,
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
 * modules of a colour are one path in whole modules. `logo` must be the one that the plan was made for. What stands around
 * makes the canvas larger; no paint extends into the added part.
 */
export const sceneOf = (
  { geometry }: Pick<RenderPlan, 'geometry'>,
  symbol: QrSymbol,
  design: Design,
  logo: Logo | null,
  bleedPx = 0,
  around: Surround | null = null,
): Scene => {
  const canvas = canvasOf(design, around);
  const box = spreadOf({ ...canvasOf(design, null), bleedPx });
  const background = backgroundOf(design, box, spreadOf({ ...canvas, bleedPx }));
  const frame = around?.frame === undefined ? [] : [frameShape(around.frame, box)];
  const mark = design.mark === undefined ? [] : [{ ...markLayer(design, box), frame: CANVAS }];
  const texts = around?.texts ?? [];
  const letters = texts.map((block) => textShape(block, block.color, box));
  const figures = [...frame, ...mark, ...symbolShapes(design, geometry, symbol, box), ...letters];
  return {
    ...canvas,
    code: { x: 0, y: 0, width: design.widthPx, height: design.heightPx },
    bleedPx,
    isSmooth: design.dots.roundSize,
    texts,
    background: isInvisible(background.paint) ? null : background,
    shapes: figures.filter(({ paint }) => !isInvisible(paint)),
    logo: logo === null || geometry.logo === null ? null : { box: geometry.logo, logo },
  };
};

const canvasOf = (
  { widthPx, heightPx }: Design,
  around: Surround | null,
): Pick<Scene, 'leftPx' | 'topPx' | 'widthPx' | 'heightPx'> =>
  around === null
    ? { leftPx: 0, topPx: 0, widthPx, heightPx }
    : {
        leftPx: 0 - around.leftPx,
        topPx: 0 - around.topPx,
        widthPx: widthPx + around.leftPx + around.rightPx,
        heightPx: heightPx + around.topPx + around.bottomPx,
      };

/** Returns the whole canvas or, with round corners, the largest square in the middle of the design. */
const backgroundOf = ({ background: { paint, round }, dots }: Design, box: Box, whole: Box): Shape => {
  const fill = { paint, box, frame: CANVAS };
  if (round === 0) return { ...fill, path: boxPath(whole.x, whole.y, whole.width, whole.height) };
  const side = Math.min(box.width, box.height);
  const place = roundingOf(dots);
  const radius = (side / 2) * round;
  const [x, y] = [box.x + place((box.width - side) / 2), box.y + place((box.height - side) / 2)];
  return { ...fill, path: boxPath(x, y, side, side, [radius, radius, radius, radius]) };
};

const frameShape = ({ path, color }: NonNullable<Surround['frame']>, box: Box): Shape => ({
  path,
  paint: color,
  box,
  frame: CANVAS,
});

/** Returns the letters of a text. @param box The box of the canvas. */
export const textShape = (text: TextBlock, paint: HexColor, box: Box): Shape => {
  const { path, letters, scalePx, rule } = outlineText(text);
  return { path, letters, paint, box, frame: { ...CANVAS, scalePx }, ...(rule === 'nonzero' && { rule }) };
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
