/** Codes as printers that have only black dots print them. */
import type { Geometry } from '../../design/geometry.ts';
import { composeSvg } from '../../design/svg.ts';
import type { Design, Logo } from '../../protocol.ts';
import { fieldOf, sampleField, tonesOf } from '../../quality/light.ts';
import { chooseLane, wholePixels } from '../../raster/lane.ts';
import { rasterise } from '../../raster/rasterise.ts';
import type { QrSymbol } from '../../symbol/symbol.ts';
import { type Canvas, toCanvas } from './bitmap.ts';

const BLACK = '#000000';
const WHITE = '#ffffff';

/**
 * Returns a design in black and white: dots and corners are black on white, whatever their colours and gradients, so that
 * no part is lost. Where the dots are lighter than their background, they are white on black.
 */
export const inBlackAndWhite = (design: Design, geometry: Geometry): Design => {
  const { isInverted } = tonesOf(sampleField(fieldOf(design, 'luma'), geometry));
  const { dots, cornersSquare, cornersDot, background } = design;
  return {
    ...design,
    dots: { ...dots, paint: isInverted ? WHITE : BLACK },
    cornersSquare: { ...cornersSquare, paint: null },
    cornersDot: { ...cornersDot, paint: null },
    background: { ...background, paint: isInverted ? BLACK : WHITE },
  };
};

/** A pixel at the edge of a figure that is covered by less than half stays white. */
const MIDDLE = 128;

/** Draws a code in black and white. `design`, `geometry` and `logo` must be those that belong together in whole dots. */
export const drawCode = (symbol: QrSymbol, design: Design, geometry: Geometry, logo: Logo | null): Canvas => {
  if (chooseLane(design, geometry).lane === 'plain') return drawModules(symbol, design, geometry);
  return toCanvas(rasterise(composeSvg({ geometry }, symbol, design, logo)), MIDDLE);
};

/** Draws square modules from the symbol itself, as the rasteriser would draw them. */
const drawModules = (
  { size, modules }: QrSymbol,
  { widthPx, heightPx, background }: Design,
  geometry: Geometry,
): Canvas => {
  const { xPx, yPx, modulePx } = wholePixels(geometry);
  const ground = background.paint === BLACK ? 1 : 0;
  const dots = new Uint8Array(widthPx * heightPx).fill(ground);
  for (let row = 0; row < size; row += 1) {
    const at = (yPx + row * modulePx) * widthPx;
    for (let column = 0; column < size; column += 1) {
      if (modules[row * size + column] === 0) continue;
      const from = at + xPx + column * modulePx;
      dots.fill(1 - ground, from, from + modulePx);
    }
    for (let copy = 1; copy < modulePx; copy += 1) dots.copyWithin(at + copy * widthPx, at, at + widthPx);
  }
  return { widthDots: widthPx, heightDots: heightPx, dots };
};
