/** The rows of PNG files: their filters, and their samples as luma. */
import { lumaOf } from '../luma.ts';
import { CHANNELS, INDEXED, type PngParts } from './parts.ts';

/** The filter that adds the row above: PNG, 9.2. */
export const UP = 2;

const paeth = (left: number, up: number, upLeft: number): number => {
  const estimate = left + up - upLeft;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toUpLeft = Math.abs(estimate - upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
};

/** Undoes the filter of a row in place (PNG, 9.2). @param bpp Bytes a pixel, at least 1. */
export const unfilter = (filter: number, row: Uint8Array, above: Uint8Array, bpp: number): void => {
  if (filter === 0) return;
  if (filter === UP) {
    for (let i = 0; i < row.length; i += 1) row[i] = row[i]! + above[i]!;
    return;
  }
  for (let i = 0; i < row.length; i += 1) {
    const left = i < bpp ? 0 : row[i - bpp]!;
    const up = above[i]!;
    if (filter === 1) row[i] = row[i]! + left;
    else if (filter === 3) row[i] = row[i]! + ((left + up) >> 1);
    else row[i] = row[i]! + paeth(left, up, i < bpp ? 0 : above[i - bpp]!);
  }
};

/** Returns the luma of each value that a sample of a picture with one channel may have. */
const tableOf = ({ header, palette, alphas }: PngParts): Uint8Array => {
  const values = 2 ** Math.min(8, header.bitDepth);
  return Uint8Array.from({ length: values }, (_, value) => {
    if (palette === null || header.colorType !== INDEXED) return (value * 255) / (values - 1);
    const at = 3 * value;
    return lumaOf(palette[at] ?? 0, palette[at + 1] ?? 0, palette[at + 2] ?? 0, alphas[value] ?? 255);
  });
};

/**
 * Returns the function that turns an unfiltered row into luma.
 *
 * @param out Takes as many bytes as the row has pixels.
 */
export const createLumaReader = (parts: PngParts): ((row: Uint8Array, out: Uint8Array) => void) => {
  const { bitDepth, colorType } = parts.header;
  const sampleBytes = bitDepth === 16 ? 2 : 1;
  const table = tableOf(parts);
  if (colorType === 0 || colorType === INDEXED) {
    if (bitDepth >= 8) {
      return (row, out) => {
        for (let x = 0; x < out.length; x += 1) out[x] = table[row[x * sampleBytes]!]!;
      };
    }
    const mask = 2 ** bitDepth - 1;
    return (row, out) => {
      for (let x = 0; x < out.length; x += 1) {
        const bit = x * bitDepth;
        out[x] = table[(row[bit >> 3]! >> (8 - bitDepth - (bit & 7))) & mask]!;
      }
    };
  }
  const channels = CHANNELS.get(colorType)!;
  const [green, blue] = channels > 2 ? [sampleBytes, 2 * sampleBytes] : [0, 0];
  const alpha = channels % 2 === 0 ? (channels - 1) * sampleBytes : null;
  return (row, out) => {
    for (let x = 0; x < out.length; x += 1) {
      const at = x * channels * sampleBytes;
      out[x] = lumaOf(row[at]!, row[at + green]!, row[at + blue]!, alpha === null ? 255 : row[at + alpha]!);
    }
  };
};
