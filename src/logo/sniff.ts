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
