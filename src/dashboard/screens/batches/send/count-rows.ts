import type { FileKind } from './file-kind.ts';

/** The rows of a file: `null` while they are counted, or `unknown`: only the service can count them. */
export type RowCount = number | null | 'unknown';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
/** A row of these alone is empty. */
const DELIMITERS: readonly number[] = [0x22, 0x2c, 0x3b];

/**
 * Counts the non-empty lines of a file. With quotes, as in CSV, a line break in a cell does not end the line, and one
 * of delimiters alone is empty. Returns how many lines there are in the chunks so far.
 */
const createLineCount = (hasQuotes: boolean): ((chunk: Uint8Array) => number) => {
  let lines = 0;
  let isQuoted = false;
  let isEmpty = true;
  return (chunk) => {
    for (const byte of chunk) {
      if (byte > SPACE) {
        if (isEmpty && !(hasQuotes && DELIMITERS.includes(byte))) {
          lines += 1;
          isEmpty = false;
        }
        if (byte === QUOTE && hasQuotes) isQuoted = !isQuoted;
      } else if (!isQuoted && (byte === LINE_FEED || byte === CARRIAGE_RETURN)) isEmpty = true;
    }
    return lines;
  };
};

/**
 * Counts the rows of a file without holding it in memory, the header row of CSV aside.
 *
 * @param max Reading stops at the first row beyond these; the result is then more than `max`.
 * @throws {TypeError} For a file that cannot be read or unpacked.
 */
export const countRows = async (
  file: Blob,
  { format, gzip }: FileKind,
  { max = Number.POSITIVE_INFINITY, signal }: { readonly max?: number; readonly signal?: AbortSignal } = {},
): Promise<number> => {
  const bytes = gzip ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  const reader = bytes.getReader();
  const count = createLineCount(format === 'csv');
  const headers = format === 'csv' ? 1 : 0;
  let rows = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (value !== undefined) rows = Math.max(0, count(value) - headers);
    if (done) return rows;
    if (rows > max || signal?.aborted) break;
  }
  await reader.cancel();
  return rows;
};
