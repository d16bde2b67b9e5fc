import { ok, type Result } from '../result.ts';
import { type LogoFault, refuse } from './outcome.ts';

/** Specification 2.1: `image` has at most this many characters. */
const MAX_CHARACTERS = 2_000_000;
/** Longer than any accepted header. Bounds the search for the comma. */
const MAX_HEADER_CHARACTERS = 80;

const HEADER = /^data:image\/(png|jpeg|jpg|webp|gif|svg\+xml)(?:;charset=(?:utf-8|us-ascii))?;base64$/i;

/** A `data:` URI whose header is accepted. Its payload is not checked yet. */
export interface DataUri {
  /** Whether the header says SVG; otherwise it says PNG, JPEG, WebP or GIF. */
  readonly labelledSvg: boolean;
  /** Base64. */
  readonly payload: string;
}

/** Whether the text begins as a `data:` URI, acceptable or not. */
export const isDataUri = (image: string): boolean => /^data:/i.test(image);

/** Reads the header of a `data:` URI (RFC 2397). Takes no notable time, because it does not read the payload. */
export const parseDataUri = (image: string): Result<DataUri, LogoFault> => {
  if (image.length > MAX_CHARACTERS) {
    return refuse('syntax', `is longer than ${MAX_CHARACTERS} characters; send a smaller logo`);
  }
  const comma = image.slice(0, MAX_HEADER_CHARACTERS).indexOf(',');
  const header = HEADER.exec(image.slice(0, Math.max(0, comma)));
  if (!header) {
    return refuse('syntax', 'data URI must start with data:image/<png, jpeg, webp, gif or svg+xml>;base64,');
  }
  if (comma + 1 === image.length) return refuse('syntax', 'data URI is empty');
  return ok({ labelledSvg: header[1]?.toLowerCase() === 'svg+xml', payload: image.slice(comma + 1) });
};

/**
 * Decodes base64 (RFC 4648, either alphabet), padded or not. White space is skipped, because long URIs are often
 * folded. Returns `null` for any other text.
 *
 * `Buffer` reads a character beyond ASCII as the one with the same low byte, and drops what it cannot read. A dropped
 * character makes the result shorter than expected from the length, unless the length leaves a remainder of one
 * character, which valid base64 never does.
 */
export const decodeBase64 = (payload: string): Buffer | null => {
  const characters = payload.replace(/\s+/g, '').replace(/={1,2}$/, '');
  const { length } = characters;
  if (length === 0 || length % 4 === 1 || Buffer.byteLength(characters) !== length) return null;
  const bytes = Buffer.from(characters, 'base64');
  return bytes.length === Math.floor((length * 3) / 4) ? bytes : null;
};
