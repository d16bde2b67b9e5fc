/** Decodes long JSON strings in pieces, because one `JSON.parse` of the whole would block the event loop. */
import { isAscii, isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { AppError } from '../../errors.ts';
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

/** The largest part. It is parsed in one turn of the event loop, which takes about 10 ms at worst. */
const PART_MAX_BYTES = 1024 * 1024;
const PART_MAX_TOKENS = 16_384;
/** A value with fewer tokens does not become a part of its own. */
const PART_MIN_TOKENS = 64;
/** All parts together: a hundred items with every option, written as escapes. */
const PARTS_MAX_BYTES = 16 * 1024 * 1024;

/** A JSON text, or one value of it, with marks in place of its long strings. */
export interface Part {
  readonly chunks: Buffer[];
  bytes: number;
  tokens: number;
  hasLongStrings: boolean;
}

/** A long string: its text when that was cheap to decode, otherwise the bytes between its quotation marks. */
export type LongString = string | Buffer[];

/** A JSON text that was cut into parts. */
export interface Scan {
  /** The text with `{"<mark>":n}` in place of part `n`, and `"<mark>n"` in place of long string `n`. */
  readonly root: Part;
  readonly parts: readonly Part[];
  readonly longStrings: readonly LongString[];
  /** Random, so that no body can contain it. */
  readonly mark: string;
}

const newPart = (): Part => ({ chunks: [], bytes: 0, tokens: 0, hasLongStrings: false });

/** Returns a 413 for the body. */
export const tooLarge = (message: string): AppError => new AppError('body_too_large', `body: ${message}`);

/** Builds the parts of one JSON text from what a scanner finds in it. @param maxTokens As of `createScanner`. */
export const createParts = (maxTokens: number) => {
  const mark = randomBytes(16).toString('hex');
  const root = newPart();
  const parts: Part[] = [];
  const longStrings: LongString[] = [];
  let current = root;
  let tokens = 0;
  let bytes = 0;

  /** Counts a token. @throws {AppError} 400 for too many. */
  const count = (): void => {
    tokens += 1;
    current.tokens += 1;
    if (tokens <= maxTokens && current.tokens <= PART_MAX_TOKENS) return;
    throw new AppError('invalid_body', 'body: has more values than this call accepts');
  };

  /** Adds bytes to the part that is open, otherwise to the root. @throws {AppError} 413 for too many. */
  const keep = (chunk: Buffer): void => {
    if (chunk.length === 0) return;
    current.chunks.push(chunk);
    current.bytes += chunk.length;
    bytes += chunk.length;
    if (bytes > PARTS_MAX_BYTES)
      throw tooLarge(`must have at most ${PARTS_MAX_BYTES} bytes beside its logos`);
    if (current.bytes <= PART_MAX_BYTES) return;
    throw tooLarge(
      current === root
        ? `must have at most ${PART_MAX_BYTES} bytes beside its items and logos`
        : `an item must have at most ${PART_MAX_BYTES} bytes beside its logo`,
    );
  };

  /** Takes a long string out. It is decoded at once where that is cheap, which frees the memory of its bytes. */
  const takeOut = (string: Buffer[]): void => {
    keep(Buffer.from(`${mark}${longStrings.length}`));
    longStrings.push(decodePlain(string) ?? string);
    current.hasLongStrings = true;
  };

  const beginPart = (): void => {
    current = newPart();
  };

  const endPart = (): void => {
    const part = current;
    current = root;
    if (part.tokens > PART_MIN_TOKENS) {
      keep(Buffer.from(`{"${mark}":${parts.length}}`));
      root.tokens += PART_MIN_TOKENS / 16;
      parts.push(part);
      return;
    }
    bytes -= part.bytes;
    root.tokens += part.tokens;
    root.hasLongStrings ||= part.hasLongStrings;
    for (const chunk of part.chunks) keep(chunk);
  };

  /** Returns the parts. Call it once, at the end of the text. */
  const finish = (): Scan => {
    // An unclosed part is not JSON. Its bytes go into the root, which then is not JSON either.
    if (current !== root) {
      const { chunks } = current;
      current = root;
      for (const chunk of chunks) keep(chunk);
    }
    return { root, parts, longStrings, mark };
  };

  return { count, keep, takeOut, isInPart: () => current !== root, beginPart, endPart, finish };
};
