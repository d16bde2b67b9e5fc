import { isAscii, isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A string of JSON that is kept out of the document, as the bytes between its quotes. */
interface LongString {
  readonly parts: Buffer[];
  readonly escaped: boolean;
}

export interface Skeleton {
  /** The document with each long string replaced by a short one. */
  readonly text: Buffer;
  /** The long string for which a short one stands, or `undefined` for any other string. */
  restore(short: string): (() => string) | undefined;
}

export interface Scanner {
  push(chunk: Buffer): void;
  /** Bytes outside long strings so far. */
  readonly skeletonBytes: number;
  end(): Skeleton;
}

/**
 * Takes long strings out of a JSON document while it arrives (RFC 8259, section 7: a string ends at the first
 * quotation mark that no backslash escapes), so that a document of hundreds of megabytes, nearly all of it in a
 * few strings, costs the event loop a search for quotation marks a chunk instead of one long parse.
 *
 * What is no JSON stays no JSON: the caller parses the skeleton.
 *
 * @param longBytes Strings of more bytes than that are taken out.
 */
export const createScanner = (longBytes: number): Scanner => {
  /** Nobody can write a string that stands for a long one without knowing it. Made with the first that is long. */
  let mark = '';
  const long: LongString[] = [];
  const skeleton: Buffer[] = [];
  let skeletonBytes = 0;
  /** Bytes of the string that is being read; `null` outside of strings. */
  let open: { parts: Buffer[]; bytes: number; escaped: boolean } | null = null;
  /** The last byte was a backslash that escapes the next one. */
  let escapes = false;

  const keep = (part: Buffer): void => {
    if (part.length === 0) return;
    skeleton.push(part);
    skeletonBytes += part.length;
  };

  const close = (string: NonNullable<typeof open>): void => {
    if (string.bytes > longBytes) {
      mark ||= randomBytes(16).toString('hex');
      keep(Buffer.from(`${mark}${long.length}`));
      long.push({ parts: string.parts, escaped: string.escaped });
    } else {
      for (const part of string.parts) keep(part);
    }
  };

  /** Where the string that is open at `from` ends in this chunk: the index of its quotation mark, or -1. */
  const endOfString = (chunk: Buffer, from: number, string: NonNullable<typeof open>): number => {
    let at = from;
    let quote = chunk.indexOf(QUOTE, at);
    for (;;) {
      if (escapes) {
        if (at >= chunk.length) return -1;
        escapes = false;
        at += 1;
        if (quote !== -1 && quote < at) quote = chunk.indexOf(QUOTE, at);
      }
      const limit = quote === -1 ? chunk.length : quote;
      const backslash = chunk.subarray(at, limit).indexOf(BACKSLASH);
      if (backslash === -1) return quote;
      string.escaped = true;
      escapes = true;
      at += backslash + 1;
    }
  };

  return {
    get skeletonBytes() {
      return skeletonBytes;
    },
    push(chunk) {
      let at = 0;
      while (at < chunk.length) {
        if (open === null) {
          const quote = chunk.indexOf(QUOTE, at);
          const end = quote === -1 ? chunk.length : quote + 1;
          keep(chunk.subarray(at, end));
          at = end;
          if (quote !== -1) open = { parts: [], bytes: 0, escaped: false };
          continue;
        }
        const quote = endOfString(chunk, at, open);
        const end = quote === -1 ? chunk.length : quote;
        const part = chunk.subarray(at, end);
        open.parts.push(part);
        open.bytes += part.length;
        at = end;
        if (quote === -1) continue;
        close(open);
        open = null;
        keep(chunk.subarray(quote, quote + 1));
        at = quote + 1;
      }
    },
    end() {
      if (open !== null) close(open);
      return {
        text: Buffer.concat(skeleton),
        restore(short) {
          if (mark === '' || !short.startsWith(mark)) return undefined;
          const index = Number(short.slice(mark.length));
          return () => toText(long[index]!);
        },
      };
    },
  };
};

/** @throws {SyntaxError} When it is no UTF-8, its escapes are none, or it holds what a string may not. */
const toText = (string: LongString): string => {
  const bytes = Buffer.concat(string.parts);
  // Each is asked for once: its bytes need not be held beside the text.
  string.parts.length = 0;
  if (isAscii(bytes) && !string.escaped) return withoutControls(bytes.toString('latin1'));
  if (!isUtf8(bytes)) throw new SyntaxError('not UTF-8');
  const text = bytes.toString('utf8');
  return string.escaped ? (JSON.parse(`"${text}"`) as string) : withoutControls(text);
};

/** RFC 8259, section 7: U+0000 to U+001F must be escaped. */
const withoutControls = (text: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
  if (/[\u0000-\u001f]/.test(text)) throw new SyntaxError('control character in a string');
  return text;
};
