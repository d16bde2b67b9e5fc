import type { Geometry } from '../design/geometry.ts';
import type { Design, Logo } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { deflateGlyphs } from './deflate/deflate-glyphs.ts';
import { glyphAtlasOf } from './glyph-atlas.ts';
import { glyphLinesOf } from './glyph-lines.ts';
import { wholePixels } from './lane.ts';
import { backdropOf, logoKeyOf } from './layers/backdrop.ts';
import { COLOR_TYPE, pngOf } from './png/file.ts';
import type { SolidColors } from './solid-colors.ts';

/**
 * Draws in the stamped lane: dots and corners of any style, in solid colours on whole pixels. resvg draws each glyph
 * once for each size; its coverage is kept as a mask. A picture is those glyphs side by side in an indexed image whose
 * palette is the ramp from the background to each colour. No two glyphs share a pixel, so each pixel has one colour
 * over the background. resvg uses some 30 levels of coverage between none and all, so three colours never need more
 * than 256 palette entries. A logo, whose modules must be hidden, is glyphs too; returns `null` when its colours do
 * not fit the palette.
 */
export function drawStamped(
  symbol: QrSymbol,
  design: Design,
  geometry: Geometry,
  solidColors: SolidColors,
  logo: Logo | null,
): Uint8Array<ArrayBuffer> | null {
  const { widthPx, heightPx } = design;
  const { xPx, yPx, modulePx, fillerRings } = wholePixels(geometry);
  const patch = logo && {
    key: `${logoKeyOf(geometry, logo)} ${xPx} ${yPx} ${JSON.stringify(geometry.hidden)}`,
    patch: () => backdropOf(symbol, design, geometry, logo).logo!,
  };
  const atlas = glyphAtlasOf({ design, solidColors, geometry }, patch);
  if (atlas === null) return null;
  const { palette, code } = atlas;
  const insetPx = fillerRings * modulePx;
  const lines = glyphLinesOf(symbol, design, geometry);
  const picture = { heightPx, stride: widthPx + 1, modulePx, yPx: yPx - insetPx, lines };
  const format = { widthPx, heightPx, bitDepth: 8, colorType: COLOR_TYPE.indexed, palette } as const;
  return pngOf(format, deflateGlyphs(picture, code));
}
