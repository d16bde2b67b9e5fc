/** Hostile bodies, generated while they are sent. */
import { gzipSync } from 'node:zlib';

const MEGABYTE = 1024 * 1024;

/** Yields this many bytes by repeating one text, without buffering them. */
export function* repeated(text: string, bytes: number): Generator<Buffer> {
  const block = Buffer.from(text.repeat(Math.max(1, Math.floor(MEGABYTE / text.length))));
  for (let left = bytes; left > 0; left -= block.length)
    yield left >= block.length ? block : block.subarray(0, left);
}

export function* joined(...parts: readonly (string | Buffer | Iterable<Buffer>)[]): Generator<Buffer> {
  for (const part of parts)
    if (typeof part === 'string') yield Buffer.from(part);
    else if (Buffer.isBuffer(part)) yield part;
    else yield* part;
}

/** A megabyte of spaces on one line. */
const LINE = Buffer.alloc(MEGABYTE, ' ');

/** Gzip that unpacks to this many megabytes of blank lines, about a thousand times its size. */
export const bomb = (megabytes: number): Buffer =>
  gzipSync(Buffer.concat(Array.from({ length: megabytes }, () => LINE)), { level: 9 });

/** Gzip with this many members, each with the same text. */
export const members = (texts: readonly string[]): Buffer =>
  Buffer.concat(texts.map((text) => gzipSync(text)));

export const utf16 = (text: string, { mark }: { readonly mark: boolean }): Buffer =>
  Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le');

/** A part of a multipart form. */
export const part = (name: string, type: string | null, body: string, more = ''): string =>
  `--x\r\ncontent-disposition: form-data; name="${name}"${more}\r\n${type === null ? '' : `content-type: ${type}\r\n`}\r\n${body}\r\n`;

export const ROWS = 'application/x-ndjson';
export const JSON_TYPE = 'application/json';
export const FORM = 'multipart/form-data; boundary=x';
export const CSV = 'text/csv';
