import type { Geometry } from '../design/geometry.ts';
import type { Box } from '../design/gradient.ts';
import { FINDER_MODULES, finderCells } from '../design/modules.ts';
import { composeDotsPaint, composeLogo, composeSvg } from '../design/svg.ts';
import type { Design, Logo } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { getLayer, logoHashOf, type Patch } from './kept-layers.ts';
import { type Pixels, rasterise } from './rasterise.ts';

/**
 * Everything of a picture but its dots, as the reference draws it: finder patterns, a logo whose modules are hidden, and
 * a background that is not one colour. Over one colour these are the patches that differ from it; otherwise one patch
 * covers the canvas.
 */
export interface Backdrop {
  readonly patches: readonly Patch[];
  /** The one of the patches that holds the logo alone. */
  readonly logo: Patch | null;
}

/** Returns the backdrop of a picture, kept for the next one of its style, version, size and logo. */
export const backdropOf = (
  symbol: QrSymbol,
  design: Design,
  geometry: Geometry,
  logo: Logo | null,
): Backdrop => {
  const placed = geometry.hidden === null ? null : logo;
  const { symbol: _, ...style } = design;
  const key = `backdrop ${JSON.stringify([style, geometry])} ${placed && logoKeyOf(geometry, placed)}`;
  const patches = getLayer(key, () => {
    const blank = { ...symbol, modules: new Uint8Array(symbol.modules.length) };
    const pixels = rasterise(composeSvg({ geometry }, blank, design, placed));
    return isOneColor(design) ? patchBoxes(geometry).map((box) => crop(pixels, box)) : [toPatch(pixels)];
  });
  return { patches, logo: placed && isOneColor(design) ? patches.at(-1)! : null };
};

/** Returns a key of a logo's content and place, a collision-resistant hash. */
export const logoKeyOf = ({ logo: box }: Geometry, logo: Logo): string =>
  `${logoHashOf(logo)} ${JSON.stringify(box)}`;

/** Returns a logo under which the dots show, drawn by the reference over black and over white. */
export const logoLayersOf = (design: Design, geometry: Geometry, logo: Logo): readonly Patch[] => {
  const { widthPx, heightPx } = design;
  return getLayer(`logo ${widthPx} ${heightPx} ${logoKeyOf(geometry, logo)}`, () =>
    ['#000000', '#ffffff'].map((canvas) =>
      crop(rasterise(composeLogo(design, geometry, logo, canvas)), outward(geometry.logo!)),
    ),
  );
};

/** Returns the colour that the dots' paint has in each pixel of the canvas. */
export const dotsLayerOf = (design: Design): Int32Array => {
  const { widthPx, heightPx, dots } = design;
  const [layer] = getLayer(`dots ${JSON.stringify([widthPx, heightPx, dots.paint])}`, () => [
    toPatch(rasterise(composeDotsPaint(design))),
  ]);
  return layer!.colors;
};

/** Whether the background is one colour over the whole canvas. */
const isOneColor = ({ background }: Design): boolean =>
  background.round === 0 && typeof background.paint === 'string';

const patchBoxes = ({ xPx, yPx, modulePx, moduleCount, logo, hidden }: Geometry): readonly Box[] => {
  const side = FINDER_MODULES * modulePx;
  const finders = finderCells(moduleCount).map(([row, column]) => ({
    x: xPx + column * modulePx,
    y: yPx + row * modulePx,
    width: side,
    height: side,
  }));
  return logo === null || hidden === null ? finders : [...finders, outward(logo)];
};

/** Returns the smallest box of whole pixels around a box. */
const outward = ({ x, y, width, height }: Box): Box => {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
};

const toPatch = (pixels: Pixels): Patch =>
  crop(pixels, { x: 0, y: 0, width: pixels.widthPx, height: pixels.heightPx });

/** Copies a box, so that the memory of resvg can be freed. */
const crop = ({ widthPx, colors }: Pixels, box: Box): Patch => {
  const copy = new Int32Array(box.width * box.height);
  for (let row = 0; row < box.height; row += 1) {
    const from = (box.y + row) * widthPx + box.x;
    copy.set(colors.subarray(from, from + box.width), row * box.width);
  }
  return { ...box, colors: copy };
};
