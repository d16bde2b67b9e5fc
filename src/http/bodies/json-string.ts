/** Decodes long JSON strings in pieces, because one `JSON.parse` of the whole would block the event loop. */
import { isAscii, isUtf8 } from 'node:buffer';
import { BACKSLASH } from '../../validation/json-marks.ts';

/** The longest escape (RFC 8259, section 7): `\u` and four digits. */
const ESCAPE_BYTES = 6;
/** The largest logo without escapes. Decoding it takes about 3 ms. */
const PLAIN_MAX_BYTES = 2 * 1024 * 1024;
/** Decoding this many bytes takes 8 ms at worst. */
const PIECE_BYTES = 256 * 1024;

/** Returns the text of a string of printable ASCII without escapes; `null` for any other, and for one above 2 MiB. */
export const decodePlain = (string: readonly Buffer[]): string | null => {
  if (string.reduce((sum, { length }) => sum + length, 0) > PLAIN_MAX_BYTES) return null;
  const bytes = Buffer.concat(string);
  if (bytes.includes(BACKSLASH) || !isAscii(bytes)) return null;
  const text = bytes.toString('latin1');
  return /\p{Cc}/u.test(text) ? null : text;
};

/** Returns the last index up to `wanted` that is neither within an escape nor within a character. */
const findCut = (bytes: Buffer, from: number, wanted: number): number => {
  if (wanted >= bytes.length) return bytes.length;
  let cut = wanted;
  while ((bytes[cut]! & 0xc0) === 0x80) cut -= 1;
  const start = cut - ESCAPE_BYTES + 1;
  const found = bytes.subarray(start, cut).lastIndexOf(BACKSLASH);
  if (found === -1) return cut;
  const last = start + found;
  let backslashes = 1;
  while (last - backslashes >= from && bytes[last - backslashes] === BACKSLASH) backslashes += 1;
  // An even number of backslashes consists of escaped backslashes only.
  return backslashes % 2 === 1 ? last : cut;
};

/**
 * Yields the text of any JSON string in pieces that each take a few milliseconds.
 *
 * @param bytes What stands between its quotation marks.
 * @param pieceBytes At least 16.
 * @throws {SyntaxError} For broken UTF-8, and for what JSON does not allow in strings.
 */
export function* decodeInPieces(bytes: Buffer, pieceBytes = PIECE_BYTES): Generator<string> {
  if (!isUtf8(bytes)) throw new SyntaxError('not UTF-8');
  for (let from = 0; from < bytes.length; ) {
    const to = findCut(bytes, from, from + pieceBytes);
    yield JSON.parse(`"${bytes.toString('utf8', from, to)}"`) as string;
    from = to;
  }
}
