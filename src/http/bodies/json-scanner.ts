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

/** Strings of more bytes than that are logos: kept out of the parse. */
export const LONG_STRING_BYTES = 65_536;
/** A logo of 2,000,000 characters, each written as an escape of six bytes. */
export const STRING_MAX_BYTES = 12 * 1024 * 1024;
/** What is parsed in one turn of the event loop: at worst about 10 ms. */
const PART_MAX_BYTES = 1024 * 1024;
const PART_MAX_TOKENS = 16_384;
/** Parts with fewer tokens are not worth a parse of their own. */
const PART_MIN_TOKENS = 64;
/** A hundred items with every option, all of it as escapes. */
const PARTS_MAX_BYTES = 16 * 1024 * 1024;
/** In an array in the top-level object. */
const ITEM_DEPTH = 3;

/** A JSON text, or a value of one, without its long strings. */
export interface Part {
  readonly chunks: Buffer[];
  bytes: number;
  tokens: number;
  /** Long strings were taken out of it. */
  hasLongStrings: boolean;
}

/** A long string: its text where that was quick to tell, otherwise the bytes between its quotes. */
export type LongString = string | readonly Buffer[];

export interface Scan {
  /** The whole text, with `{"<mark>":n}` for the part `n` and `"<mark>n"` for the long string `n`. */
  readonly root: Part;
  readonly parts: readonly Part[];
  readonly longStrings: readonly LongString[];
  /** Random: nobody can write what stands for a part or a string without knowing it. */
  readonly mark: string;
}

export interface Scanner {
  /** @throws {AppError} 400 for more tokens, 413 for more bytes than a body of this call has. */
  push(chunk: Buffer): void;
  end(): Scan;
}

const newPart = (): Part => ({ chunks: [], bytes: 0, tokens: 0, hasLongStrings: false });

const tooLarge = (message: string): AppError => new AppError('body_too_large', `body: ${message}`);

/**
 * Cuts a JSON text into parts while it arrives, so that none takes long to parse: each larger value in a list of the
 * top-level object is a part of its own, and long strings (RFC 8259, section 7) are kept out of all of them.
 *
 * What is no JSON stays no JSON: a text is JSON if and only if its root is, and each part. The caller parses them.
 *
 * @param maxTokens Strings, opening brackets, commas and colons; quotation marks in strings count too.
 * @param longBytes Strings of more bytes than that are kept out.
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
  /** Of the string that goes on from one chunk into the next; `null` outside of strings. */
  let open: Buffer[] | null = null;
  let openBytes = 0;
  /** The last byte was a backslash that escapes the next one. */
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

  /** Texts are made at once, so that the memory of their bytes is free for those that come. */
  const takeOut = (string: readonly Buffer[]): void => {
    keep(Buffer.from(`${mark}${longStrings.length}`));
    longStrings.push(plainText(string) ?? string);
    current.hasLongStrings = true;
  };

  /** Where the string that is open at `from` ends in this chunk: the index of its quotation mark, or -1. */
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

  /** Reads on in a string that is open at `at`; gives the index behind it. */
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

  /** Reads outside of strings up to the next one that is long or goes on in the next chunk. */
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
      // Nothing closes it, so it is no JSON, and neither is the root with it.
      if (current !== root) {
        const { chunks } = current;
        current = root;
        for (const chunk of chunks) keep(chunk);
      }
      return { root, parts, longStrings, mark };
    },
  };
};
