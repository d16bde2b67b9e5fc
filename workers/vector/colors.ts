import { imageElement, svgElement } from '../design/markup.ts';
import type { HexColor, Inks, Logo, LogoStroke, SpotColor } from '../protocol.ts';
import { straightColor } from '../raster/pixels.ts';
import { type Pixels, rasterise } from '../raster/rasterise.ts';

/** Channels from 0 to 255, and alpha from 0 to 1. */
export type Rgba = Readonly<Record<'red' | 'green' | 'blue' | 'alpha', number>>;

/** Returns the channels of a colour. */
export const rgbaOf = (color: HexColor): Rgba => {
  const byte = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
  return { red: byte(1), green: byte(3), blue: byte(5), alpha: color.length === 9 ? byte(7) / 255 : 1 };
};

/** Returns the visible colour of a colour over an opaque one. */
export const blendOver = (top: Rgba, below: Rgba): Rgba => ({
  ...mixed(top, below, (a, b) => a * top.alpha + b * (1 - top.alpha)),
  alpha: 1,
});

/** Returns the colour at a share of the way from one to another. */
export const mixColors = (from: Rgba, to: Rgba, share: number): Rgba =>
  mixed(from, to, (a, b) => a + (b - a) * share);

const mixed = (one: Rgba, other: Rgba, mix: (a: number, b: number) => number): Rgba => ({
  red: mix(one.red, other.red),
  green: mix(one.green, other.green),
  blue: mix(one.blue, other.blue),
  alpha: mix(one.alpha, other.alpha),
});

/** Whether a colour has no hue, whatever its transparency. */
export const isGrey = ({ red, green, blue }: Rgba): boolean => red === green && green === blue;

/** Returns the components of DeviceRGB, 0 to 1. */
const rgbOf = ({ red, green, blue }: Rgba): number[] => [red / 255, green / 255, blue / 255];

/**
 * Returns the components of DeviceCMYK, 0 to 1, by the plain formula of the PostScript Language Reference (7.2.3) with
 * all grey taken out: K is what the lightest channel lacks, and C, M, Y are what the others lack beyond that.
 */
const cmykOf = ({ red, green, blue }: Rgba): number[] => {
  const lightest = Math.max(red, green, blue);
  if (lightest === 0) return [0, 0, 0, 1];
  return [...[red, green, blue].map((channel) => 1 - channel / lightest), 1 - lightest / 255];
};

/** Device colour spaces by their numbers of components, and what prints nothing in them. */
export const DEVICES: Readonly<Record<number, readonly [name: string, nothing: number]>> = {
  1: ['DeviceGray', 1],
  3: ['DeviceRGB', 1],
  4: ['DeviceCMYK', 0],
};

/** A device colour space. */
export interface ColorSpace {
  readonly name: 'DeviceGray' | 'DeviceRGB' | 'DeviceCMYK';
  readonly count: 1 | 3 | 4;
  /** Returns the components of a colour, 0 to 1. */
  componentsOf(color: Rgba): number[];
}

const GRAY: ColorSpace = { name: 'DeviceGray', count: 1, componentsOf: ({ red }) => [red / 255] };
const RGB: ColorSpace = { name: 'DeviceRGB', count: 3, componentsOf: rgbOf };
const CMYK: ColorSpace = { name: 'DeviceCMYK', count: 4, componentsOf: cmykOf };

/**
 * Returns the colour space of what is printed in one space: of greys DeviceGray, else RGB, or CMYK when asked for.
 * DeviceGray is K alone on paper, as CMYK without C, M and Y is. But a device with only black dots converts CMYK through
 * a profile, in which full K is a dark grey, and screens it; black in DeviceGray is solid on every device. Only of CMYK
 * do inks that are not named stay when something prints over them (ISO 32000-1, 8.6.7).
 */
export const spaceOf = (isGreyOnly: boolean, { color, overprint }: Inks): ColorSpace => {
  if (isGreyOnly) return overprint ? CMYK : GRAY;
  return color === 'cmyk' ? CMYK : RGB;
};

/** Returns the ink of its own that a colour is printed with; `null`: none. */
export const spotOf = ({ red, green, blue, alpha }: Rgba, { spots = [] }: Inks): SpotColor | null => {
  if (alpha < 1) return null;
  return (
    spots.find(({ color }) => {
      const ink = rgbaOf(color);
      return ink.red === red && ink.green === green && ink.blue === blue;
    }) ?? null
  );
};

/** Whether a fill prints over the background instead of leaving it out. */
export const isOverprinted = (color: Rgba, inks: Inks): boolean =>
  inks.overprint === true && color.alpha === 1 && (isBlack(color) || spotOf(color, inks) !== null);

const isBlack = ({ red, green, blue }: Rgba): boolean => red + green + blue === 0;

/** Returns the components of a colour in print. */
export const inkOf = (color: Rgba, inks: Inks): number[] => spaceOf(isGrey(color), inks).componentsOf(color);

/**
 * Decodes the PNG of a logo into words of straight R, G, B, A from the lowest byte. It reads the size from the first
 * chunk (PNG specification, 11.2.1).
 */
export const pixelsOf = ({ png }: Logo): Pixels => {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  const { widthPx, heightPx, colors } = rasterise(svgElement(size, imageElement(png, size)));
  return { widthPx, heightPx, colors: colors.map(straightColor) };
};

const rgbaOfWord = (word: number): Rgba => ({
  red: word & 255,
  green: (word >>> 8) & 255,
  blue: (word >>> 16) & 255,
  alpha: (word >>> 24) / 255,
});

/**
 * Returns the components of all pixels, a byte each, and their space. `look` may change a colour first, by the place of
 * its pixel.
 */
export const componentsOf = (
  { colors }: Pixels,
  inks: Inks,
  look: (color: Rgba, index: number) => Rgba = (color) => color,
): { readonly space: ColorSpace; readonly bytes: Uint8Array } => {
  const space = spaceOf(
    colors.every((word, i) => isGrey(look(rgbaOfWord(word), i))),
    inks,
  );
  const bytes = new Uint8Array(colors.length * space.count);
  for (const [i, word] of colors.entries()) {
    const parts = space.componentsOf(look(rgbaOfWord(word), i));
    for (const [at, part] of parts.entries()) bytes[i * space.count + at] = Math.round(part * 255);
  }
  return { space, bytes };
};

/** Returns the alpha of all pixels, a byte each; `null` when all are opaque. */
export const alphaOf = ({ colors }: Pixels): Uint8Array | null => {
  const alpha = Uint8Array.from(colors, (word) => word >>> 24);
  return alpha.every((value) => value === 255) ? null : alpha;
};

const CAPS = ['butt', 'round', 'square'] as const;
const JOINS = ['miter', 'round', 'bevel'] as const;

/** Sets width, cap, join and miter limit, by these operators. PDF and PostScript number caps and joins alike. */
export const strokeState = (
  { width, cap, join, miterLimit }: LogoStroke,
  operators: readonly [string, string, string, string],
): string =>
  [width, CAPS.indexOf(cap), JOINS.indexOf(join), miterLimit]
    .map((value, i) => `${value} ${operators[i]}`)
    .join(' ');
