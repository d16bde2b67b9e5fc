import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_RECORD,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_RECORD,
  QUOTE,
} from '../../validation/json.ts';
import { createParts, type Scan, tooLarge } from './json-parts.ts';

/** A string with more bytes is a logo, and is kept out of the parse. */
export const LONG_STRING_BYTES = 65_536;
/** The longest string, in bytes: a logo of 2,000,000 characters, each written as an escape of six bytes. */
export const STRING_MAX_BYTES = 12 * 1024 * 1024;
/** The depth of an item: in an array in the top-level object. */
const ITEM_DEPTH = 3;

/** Takes a JSON text in chunks. */
export type Scanner = ReturnType<typeof createScanner>;

/**
 * Creates a scanner. It cuts a JSON text into parts while the text arrives, so that no part takes long to parse. Each
 * larger value in an array of the top-level object becomes a part, and long strings (RFC 8259, section 7) are kept out
 * of all parts. It does not validate: the text is JSON if and only if the root and all parts are.
 *
 * @param maxTokens Strings, opening brackets, commas and colons together; escaped quotation marks count too.
 * @param longBytes A string with more bytes is long.
 */
export const createScanner = (maxTokens: number, longBytes = LONG_STRING_BYTES) => {
  const { count, keep, takeOut, isInPart, beginPart, endPart, finish } = createParts(maxTokens);
  let depth = 0;
  /** The pieces of a string that continues in the next chunk; `null` outside of such a string. */
  let open: Buffer[] | null = null;
  let openBytes = 0;
  /** Whether the last byte was a backslash that escapes the next byte. */
  let escapes = false;

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

  /** Continues reading the string that is open at `at`; returns the index after it. */
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
          if (depth === ITEM_DEPTH && !isInPart()) {
            keep(chunk.subarray(from, at));
            from = at;
            beginPart();
          }
          count();
          break;
        case CLOSE_LIST:
        case CLOSE_RECORD:
          depth -= 1;
          if (depth === ITEM_DEPTH - 1 && isInPart()) {
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
    /** Takes the next chunk. @throws {AppError} 400 for too many tokens, 413 for too many bytes. */
    push(chunk: Buffer): void {
      let at = 0;
      while (at < chunk.length) at = open === null ? readValues(chunk, at) : readString(chunk, at, open);
    },
    /** Returns the parts. Call it once, after the last chunk. */
    end(): Scan {
      for (const piece of open ?? []) keep(piece);
      return finish();
    },
  };
};
