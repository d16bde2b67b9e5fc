import { deflateSync } from 'node:zlib';
import { deflatePixels } from './deflate/deflate-pixels.ts';
import { isOpaque as areOpaque, indexColors, straightColor, straightColors } from './pixels.ts';
import { COLOR_TYPE, FILTER, pngOf } from './png-file.ts';
import { type Pixels, rasterise } from './rasterise.ts';
import { hasPhoto, type RowRange, trueColorScanlines } from './true-color.ts';

/** A picture of at most 256 colours. */
interface IndexedPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Straight RGBA, four bytes a colour, 1 to 256 colours. */
  readonly palette: Uint8Array;
  /** One byte for each pixel, row-major. */
  readonly indices: Uint8Array;
}

/** What is known of a picture before it is written. */
interface Known {
  /** Whether every pixel is opaque. */
  readonly isOpaque?: boolean;
  /** The rows in which a photograph may be. */
  readonly photos?: RowRange;
}

/** Over the corpus this makes three quarters of the bytes of level 1, in less than half the time of level 6. */
const INDEXED_DEFLATE = { level: 4 };
/** This takes a third less time than level 4 for an eighth more bytes, a quarter less than resvg's own files. */
const TRUE_COLOR_DEFLATE = { level: 3 };

/**
 * Writes a PNG of pixels as resvg draws them: channels multiplied by alpha. A picture of at most 256 colours becomes a
 * palette picture of 1, 2, 4 or 8 bits. A picture with more becomes RGB, or RGBA when a pixel is not opaque. It decodes
 * to the same pixels as resvg's own PNG. The array owns its whole buffer. The same pixels give the same bytes.
 * `known` saves scanning the pixels.
 */
export const encodePixels = (pixels: Pixels, known: Known = {}): Uint8Array<ArrayBuffer> => {
  const { widthPx, heightPx, colors } = pixels;
  const indexed = indexColors(colors);
  if (!indexed) return encodeTrueColor(pixels, known);
  const palette = new Uint8Array(indexed.colors.map(straightColor).buffer);
  return encodeIndexed({ widthPx, heightPx, palette, indices: indexed.indices });
};

/** Writes a palette PNG with the smallest bit depth that holds an index. The array owns its whole buffer. */
export const encodeIndexed = (picture: IndexedPicture): Uint8Array<ArrayBuffer> => {
  const { widthPx, heightPx, palette, indices } = picture;
  const bitDepth = indexBits(palette.length / 4);
  const stride = 1 + Math.ceil((widthPx * bitDepth) / 8);
  const scanlines = new Uint8Array(stride * heightPx);
  for (let row = 0; row < heightPx; row += 1) {
    packIndices(indices.subarray(row * widthPx, (row + 1) * widthPx), bitDepth, scanlines, row * stride + 1);
  }
  filterUp(scanlines, stride);
  const format = { widthPx, heightPx, bitDepth, colorType: COLOR_TYPE.indexed, palette };
  return pngOf(format, deflateSync(scanlines, INDEXED_DEFLATE));
};

/** Returns the smallest bit depth of PNG that holds an index into that many colours. */
const indexBits = (colors: number): 1 | 2 | 4 | 8 => {
  if (colors <= 2) return 1;
  if (colors <= 4) return 2;
  return colors <= 16 ? 4 : 8;
};

/** Writes a row of indices from byte `start` on, the leftmost pixel in the highest bits: PNG (third edition), 7.2. */
const packIndices = (indices: Uint8Array, bitDepth: number, into: Uint8Array, start: number): void => {
  if (bitDepth === 8) {
    into.set(indices, start);
    return;
  }
  for (let x = 0, at = start; x < indices.length; at += 1) {
    let byte = 0;
    for (let shift = 8 - bitDepth; shift >= 0 && x < indices.length; shift -= bitDepth, x += 1) {
      byte |= indices[x]! << shift;
    }
    into[at] = byte;
  }
};

/** Subtracts from every byte the byte above it, in place. `stride` is the length of a row with its filter byte. */
const filterUp = (scanlines: Uint8Array, stride: number): void => {
  // From the last row upwards, so that the row that is subtracted is not filtered yet.
  for (let start = scanlines.length - stride; start >= 0; start -= stride) {
    scanlines[start] = FILTER.up;
    if (start === 0) return;
    for (let i = start + 1; i < start + stride; i += 1) scanlines[i]! -= scanlines[i - stride]!;
  }
};

const encodeTrueColor = (
  { widthPx, heightPx, colors }: Pixels,
  { isOpaque = areOpaque(colors), photos }: Known,
): Uint8Array<ArrayBuffer> => {
  const [colorType, pixelBytes] = isOpaque ? ([COLOR_TYPE.rgb, 3] as const) : ([COLOR_TYPE.rgba, 4] as const);
  const pixels = pixelBytes === 3 ? colors : straightColors(colors);
  const format = { widthPx, heightPx, bitDepth: 8, colorType } as const;
  if (!hasPhoto(pixels, widthPx, photos))
    return pngOf(format, deflatePixels({ widthPx, pixels, pixelBytes }));
  const scanlines = trueColorScanlines(pixels, widthPx, pixelBytes);
  return pngOf(format, deflateSync(scanlines, TRUE_COLOR_DEFLATE));
};

/** Draws a document of `composeSvg` in the reference lane, by resvg. The array owns its whole buffer. */
export const drawReference = (svg: string): Uint8Array<ArrayBuffer> => encodePixels(rasterise(svg));
