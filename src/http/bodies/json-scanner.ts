import { randomBytes } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { createPlainTexts } from './json-string.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_RECORD = 0x7b;
const CLOSE_RECORD = 0x7d;

/** A string with more bytes is a logo, and is kept out of the parse. */
export const LONG_STRING_BYTES = 65_536;
/** The longest string, in bytes: a logo of 2,000,000 characters, each written as an escape of six bytes. */
export const STRING_MAX_BYTES = 12 * 1024 * 1024;
/** The largest part. It is parsed in one turn of the event loop, which takes about 10 ms at worst. */
const PART_MAX_BYTES = 1024 * 1024;
const PART_MAX_TOKENS = 16_384;
/** A value with fewer tokens does not become a part of its own. */
const PART_MIN_TOKENS = 64;
/** All parts together: a hundred items with every option, written as escapes. */
const PARTS_MAX_BYTES = 16 * 1024 * 1024;
/** The depth of an item: in an array in the top-level object. */
const ITEM_DEPTH = 3;

/** A JSON text, or one value of it, with marks in place of its long strings. */
export interface Part {
  readonly chunks: Buffer[];
  bytes: number;
  tokens: number;
  /** Whether it has marks of long strings. */
  hasLongStrings: boolean;
}

/** A long string: its text when that was cheap to decode, otherwise the bytes between its quotation marks. */
export type LongString = string | readonly Buffer[];

/** A JSON text that was cut into parts. */
export interface Scan {
  /** The text with `{"<mark>":n}` in place of part `n`, and `"<mark>n"` in place of long string `n`. */
  readonly root: Part;
  readonly parts: readonly Part[];
  readonly longStrings: readonly LongString[];
  /** Random, so that no body can hold it. */
  readonly mark: string;
}

/** Takes a JSON text in chunks. */
export interface Scanner {
  /** Takes the next chunk. @throws {AppError} 400 for too many tokens, 413 for too many bytes. */
  push(chunk: Buffer): void;
  /** Returns the parts. Call it once, after the last chunk. */
  end(): Scan;
}

const newPart = (): Part => ({ chunks: [], bytes: 0, tokens: 0, hasLongStrings: false });

const tooLarge = (message: string): AppError => new AppError('body_too_large', `body: ${message}`);

/**
 * Creates a scanner. It cuts a JSON text into parts while the text arrives, so that no part takes long to parse. Each
 * larger value in an array of the top-level object becomes a part, and long strings (RFC 8259, section 7) are kept out
 * of all parts. It does not validate: the text is JSON if and only if the root and all parts are.
 *
 * @param maxTokens Strings, opening brackets, commas and colons together; escaped quotation marks count too.
 * @param longBytes A string with more bytes is long.
 */
export const createScanner = (maxTokens: number, longBytes = LONG_STRING_BYTES): Scanner => {
  const mark = randomBytes(16).toString('hex');
  const root = newPart();
  const parts: Part[] = [];
  const longStrings: LongString[] = [];
  const plainText = createPlainTexts();
  let current = root;
  let depth = 0;
  let tokens = 0;
  let bytes = 0;
  /** The pieces of a string that continues in the next chunk; `null` outside of such a string. */
  let open: Buffer[] | null = null;
  let openBytes = 0;
  /** Whether the last byte was a backslash that escapes the next byte. */
  let escapes = false;

  const count = (): void => {
    tokens += 1;
    current.tokens += 1;
    if (tokens <= maxTokens && current.tokens <= PART_MAX_TOKENS) return;
    throw new AppError('invalid_body', 'body: has more values than this call takes');
  };

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
  const takeOut = (string: readonly Buffer[]): void => {
    keep(Buffer.from(`${mark}${longStrings.length}`));
    longStrings.push(plainText(string) ?? string);
    current.hasLongStrings = true;
  };

  /** Returns the index of the quotation mark that ends the string which is open at `from`; -1: not in this chunk. */
  const endOfString = (chunk: Buffer, from: number): number => {
    let at = escapes ? from + 1 : from;
    for (;;) {
      const quote = chunk.indexOf(QUOTE, at);
      const end = quote === -1 ? chunk.length : quote;
      let backslashes = 0;
      while (end - backslashes > at && chunk[end - backslashes - 1] === BACKSLASH) backslashes += 1;
      escapes = backslashes % 2 === 1;
      if (quote === -1 || !escapes) return quote;
      escapes = false;
      count();
      at = quote + 1;
    }
  };

  const lengthen = (string: Buffer[], bytes: Buffer): void => {
    string.push(bytes);
    openBytes += bytes.length;
    if (openBytes > STRING_MAX_BYTES) throw tooLarge(`a string must have at most ${STRING_MAX_BYTES} bytes`);
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

  /** Reads on in the string that is open at `at`; returns the index after it. */
  const readString = (chunk: Buffer, at: number, string: Buffer[]): number => {
    const quote = endOfString(chunk, at);
    const end = quote === -1 ? chunk.length : quote;
    lengthen(string, chunk.subarray(at, end));
    if (quote === -1) return end;
    if (openBytes > longBytes) takeOut(string);
    else for (const piece of string) keep(piece);
    open = null;
    keep(chunk.subarray(quote, quote + 1));
    return quote + 1;
  };

  /** Reads values up to a string that is long or continues in the next chunk; returns the index after them. */
  const readValues = (chunk: Buffer, start: number): number => {
    let from = start;
    for (let at = start; at < chunk.length; at += 1) {
      switch (chunk[at]) {
        case QUOTE: {
          count();
          const quote = endOfString(chunk, at + 1);
          if (quote !== -1 && quote - at - 1 <= longBytes) {
            at = quote;
            break;
          }
          keep(chunk.subarray(from, at + 1));
          if (quote === -1) {
            open = [];
            openBytes = 0;
            lengthen(open, chunk.subarray(at + 1));
            return chunk.length;
          }
          takeOut([chunk.subarray(at + 1, quote)]);
          from = quote;
          at = quote;
          break;
        }
        case COMMA:
        case COLON:
          count();
          break;
        case OPEN_LIST:
        case OPEN_RECORD:
          depth += 1;
          if (depth === ITEM_DEPTH && current === root) {
            keep(chunk.subarray(from, at));
            from = at;
            beginPart();
          }
          count();
          break;
        case CLOSE_LIST:
        case CLOSE_RECORD:
          depth -= 1;
          if (depth === ITEM_DEPTH - 1 && current !== root) {
            keep(chunk.subarray(from, at + 1));
            from = at + 1;
            endPart();
          }
          break;
      }
    }
    keep(chunk.subarray(from));
    return chunk.length;
  };

  return {
    push(chunk) {
      let at = 0;
      while (at < chunk.length) at = open === null ? readValues(chunk, at) : readString(chunk, at, open);
    },
    end() {
      for (const piece of open ?? []) keep(piece);
      // A part that nothing closes is not JSON. Its bytes go into the root, so that is not JSON either.
      if (current !== root) {
        const { chunks } = current;
        current = root;
        for (const chunk of chunks) keep(chunk);
      }
      return { root, parts, longStrings, mark };
    },
  };
};
