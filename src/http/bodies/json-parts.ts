import { randomBytes } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { decodePlain } from './json-string.ts';

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
