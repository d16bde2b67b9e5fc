/** The bitmap formats that are accepted as logos. */
export type BitmapType = 'png' | 'jpeg' | 'webp' | 'gif';
/** What the first bytes of a logo may say. `gzip` is recognised only for the text of its refusal. */
export type ImageType = BitmapType | 'svg' | 'gzip';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const UTF16_LE = [0xff, 0xfe, 0x3c, 0x00];
const UTF16_BE = [0xfe, 0xff, 0x00, 0x3c];

const startsWith = (bytes: Uint8Array, magic: readonly number[], at = 0): boolean =>
  magic.every((byte, i) => bytes[at + i] === byte);

const ascii = (text: string): number[] => [...text].map((c) => c.charCodeAt(0));

/**
 * Whether the bytes are markup of any kind, perhaps after a byte-order mark and white space. `readSvg` decides whether
 * it is SVG.
 */
const isMarkup = (bytes: Uint8Array): boolean => {
  if (startsWith(bytes, UTF16_LE) || startsWith(bytes, UTF16_BE)) return true;
  let at = startsWith(bytes, [0xef, 0xbb, 0xbf]) ? 3 : 0;
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) at++;
  return bytes[at] === 0x3c;
};

/** Returns the type by the first bytes, whatever label the logo came with, or `null` for unsupported types. */
export const sniff = (bytes: Uint8Array): ImageType | null => {
  if (startsWith(bytes, PNG)) return 'png';
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'jpeg';
  if (startsWith(bytes, ascii('GIF87a')) || startsWith(bytes, ascii('GIF89a'))) return 'gif';
  if (startsWith(bytes, ascii('RIFF')) && startsWith(bytes, ascii('WEBP'), 8)) return 'webp';
  if (startsWith(bytes, [0x1f, 0x8b])) return 'gzip';
  return isMarkup(bytes) ? 'svg' : null;
};

/** Width and height of a picture. Those of an SVG may be fractions. */
export interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A logo that is longer would show as a line over a row of modules. */
const MAX_RATIO = 20;

/** Longest side of a written logo. The largest canvas is 2000 px and a logo covers at most 30 % of its area. */
export const MAX_SIDE_PX = 1024;

const ratioOf = ({ widthPx, heightPx }: Size): number =>
  Math.max(widthPx, heightPx) / Math.min(widthPx, heightPx);

/** Returns what is wrong with the aspect ratio, or `null`. Both sides must be above 0. */
export const ratioFault = (size: Size): string | null =>
  ratioOf(size) <= MAX_RATIO
    ? null
    : `is ${ratioOf(size).toFixed(0)} times as long as it is wide; at most ${MAX_RATIO} times is accepted`;

/** Returns the size in whole pixels, at least 1, when `natural` is scaled so that its longest side is `longestPx`. */
export const scaleTo = (natural: Size, longestPx: number): Size => {
  const scale = longestPx / Math.max(natural.widthPx, natural.heightPx);
  return {
    widthPx: Math.max(1, Math.round(natural.widthPx * scale)),
    heightPx: Math.max(1, Math.round(natural.heightPx * scale)),
  };
};
