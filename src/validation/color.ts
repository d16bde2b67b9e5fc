import { clampRgb, converter, formatHex, formatHex8, parse } from 'culori';
import type { HexColor } from '../../workers/protocol.ts';

const toRgb = converter('rgb');

/** A colour as `parseColor` returns it. */
const HEX = /^#[\da-f]{6}$/;

/** Above the rounding errors of the conversion, below what a channel of 255 steps can show. */
const EPSILON = 1e-6;
const cutOff = (channel: number): number => Math.floor(channel * 255 + EPSILON) / 255;

/** The parser throws on a few texts that are not colours, for example on a slash before a number with letters. */
const parseLeniently = (text: string): ReturnType<typeof parse> => {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Reads a CSS colour (CSS Color Module Level 4: hex 3/4/6/8 with `#`, named, `rgb()`, `hsl()`, `transparent`, …).
 * Returns `#rrggbb`, or `#rrggbbaa` when it is translucent, or `null` when the text is not a colour. Only this spelling
 * is passed on, so that a caller's text never reaches markup.
 *
 * The channels of `hsl()` are rounded down to whole steps, as in the rasteriser of the reference pictures. Browsers
 * round to the nearest step, which is at most one of 255 more.
 */
export const parseColor = (text: string): HexColor | null => {
  if (HEX.test(text)) return text as HexColor;
  // The parser takes hex digits without `#` too; CSS does not. Real colours are far shorter than 64.
  if (text.length > 64 || /^[\da-f]+$/i.test(text)) return null;
  const color = parseLeniently(text);
  if (color === undefined) return null;
  const exact = clampRgb(toRgb(color));
  const { r, g, b } = exact;
  const rgb = color.mode === 'hsl' ? { ...exact, r: cutOff(r), g: cutOff(g), b: cutOff(b) } : exact;
  return (rgb.alpha ?? 1) >= 1 ? formatHex(rgb) : formatHex8(rgb);
};
