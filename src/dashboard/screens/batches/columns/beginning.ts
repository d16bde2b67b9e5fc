/** The beginning of a file of CSV, cut after a whole row: a part of one might count as a row that repeats another. */
import type { FileKind } from '../send/file-kind.ts';

const QUOTE = 0x22;
const LINE_ENDS: readonly number[] = [0x0a, 0x0d];
/** A quote after these, a delimiter or another quote opens a cell. */
const BEFORE_CELLS: readonly number[] = [...LINE_ENDS, QUOTE, ...[...',;\t'].map((one) => one.charCodeAt(0))];

/** How the characters that end a row are written: their bytes, the one that tells which it is, and where they begin. */
const formOf = ([first, second, third]: Uint8Array, encoding = '') => {
  if (first === 0xff && second === 0xfe) return { size: 2, low: 0, start: 2 };
  if (first === 0xfe && second === 0xff) return { size: 2, low: 1, start: 2 };
  if (encoding === 'utf-16le') return { size: 2, low: 0, start: 0 };
  if (encoding === 'utf-16be') return { size: 2, low: 1, start: 0 };
  return { size: 1, low: 0, start: first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0 };
};

/** Returns where the last whole row of these bytes ends; 0: they have none. */
export const endOfRows = (bytes: Uint8Array, encoding?: string): number => {
  const { size, low, start } = formOf(bytes, encoding);
  const at = (place: number): number => {
    const isAscii = size === 1 || bytes[place + 1 - low] === 0;
    return isAscii ? (bytes[place + low] ?? 0) : 0;
  };
  let end = 0;
  let isQuoted = false;
  let before = LINE_ENDS[0]!;
  for (let place = start; place + size <= bytes.length; place += size) {
    const unit = at(place);
    if (unit === QUOTE) isQuoted = !isQuoted && BEFORE_CELLS.includes(before);
    else if (!isQuoted && LINE_ENDS.includes(unit)) end = place + size;
    before = unit;
  }
  return end;
};

/** Unpacks the beginning of a file: as many bytes, or a few more. */
const unpack = async (file: Blob, bytes: number): Promise<{ read: Blob; isWhole: boolean }> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  while (length <= bytes) {
    const { done, value } = await reader.read();
    if (done) return { read: new Blob(parts), isWhole: true };
    parts.push(value);
    length += value.length;
  }
  await reader.cancel();
  return { read: new Blob(parts), isWhole: false };
};

/** Returns the first rows of a file of CSV, about as many bytes. One row that is longer is cut. */
export const beginningOf = async (
  file: Blob,
  { gzip, encoding }: Pick<FileKind, 'gzip' | 'encoding'>,
  bytes: number,
): Promise<Blob> => {
  const { read, isWhole } = gzip
    ? await unpack(file, bytes)
    : { read: file.slice(0, bytes), isWhole: file.size <= bytes };
  if (isWhole) return read;
  const end = endOfRows(new Uint8Array(await read.arrayBuffer()), encoding);
  return end === 0 ? read : read.slice(0, end);
};
