/** Decodes tables: in the encoding that is said, or by their byte order mark, or as UTF-8. Nothing is guessed. */

import { decodeStrictly, type Reading, readingsOf, UTF_16 } from './charset.ts';
import { END_MARK } from './notes.ts';

/** Says that bytes are not in the named encoding, or that no encoding is named and they are not UTF-8. */
export class EncodingFault extends Error {
  /** How the line reads in other encodings, the likeliest first. Empty: none can be told. */
  readonly readings: readonly Reading[];
  /** The row in the file, from 1 with the header row and empty rows. */
  fileRow = 1;

  /** @param message Continues a sentence that begins with the row. */
  constructor(message: string, readings: readonly Reading[]) {
    super(message);
    this.readings = readings;
  }
}

/** Says that a file is of another kind than text. */
export class KindFault extends Error {}

/** How a table is decoded. */
export interface Decoding {
  /** The name of its encoding; `null`: not named. */
  readonly said: string | null;
  readonly maxLineBytes: number;
  /** Whether the bytes may end anywhere, since only the beginning of the file is read. */
  readonly isCut?: boolean;
  /** Called with the name of the encoding before the first text. */
  note(encoding: string): void;
}

const KINDS: readonly (readonly [number[], string])[] = [
  [[0x50, 0x4b, 3, 4], 'is not text but a ZIP file, as XLSX is; send it as XLSX'],
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    'is not text but a file of Excel 97 to 2003, or with a password; save it as XLSX or CSV',
  ],
  [[0x1f, 0x8b], 'is not text but gzip; unpack it, or send it with Content-Encoding: gzip'],
  [[0x25, 0x50, 0x44, 0x46], 'is not text but a PDF'],
];

const MARKS: readonly (readonly [number[], string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];
/** The longest beginning that tells a kind. */
const BEGINNING_BYTES = 4;

const findBeginning = (bytes: Uint8Array, known: readonly (readonly [number[], string])[]) =>
  known.find(([begins]) => begins.every((byte, at) => bytes[at] === byte));

/** Returns the encoding of a file and the length of its byte order mark. */
const encodingOf = (beginning: Uint8Array, said: string | null) => {
  const kind = findBeginning(beginning, KINDS);
  if (kind !== undefined) throw new KindFault(kind[1]);
  const mark = findBeginning(beginning, MARKS);
  if (mark === undefined) return { encoding: said === UTF_16 ? 'utf-16le' : (said ?? 'utf-8'), markBytes: 0 };
  const [{ length: markBytes }, encoding] = mark;
  const isSame = said === null || said === encoding || (said === UTF_16 && encoding.startsWith(UTF_16));
  if (!isSame)
    throw new EncodingFault(`begins with the byte order mark of ${encoding}, which is not ${said}`, []);
  return { encoding, markBytes };
};

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Returns where the line ends that begins at or behind `from`; -1: it does not end. No trail byte is a line end. */
const lineEnd = (bytes: Buffer, from: number, encoding: string): number => {
  if (encoding.startsWith(UTF_16)) {
    const [unit, other] = encoding === 'utf-16le' ? [0, 1] : [1, 0];
    for (let at = from; at + 1 < bytes.length; at += 2)
      if (bytes[at + unit] === LINE_FEED && bytes[at + other] === 0) return at + 2;
    return -1;
  }
  const feed = bytes.indexOf(LINE_FEED, from);
  return feed === -1 ? -1 : feed + 1;
};

/** Returns where the last line ends; 0: none ends. */
const lastLineEnd = (bytes: Buffer, encoding: string): number => {
  if (!encoding.startsWith(UTF_16))
    return Math.max(bytes.lastIndexOf(LINE_FEED), bytes.lastIndexOf(CARRIAGE_RETURN)) + 1;
  const [unit, other] = encoding === 'utf-16le' ? [0, 1] : [1, 0];
  for (let at = (bytes.length & ~1) - 2; at >= 0; at -= 2)
    if ((bytes[at + unit] === LINE_FEED || bytes[at + unit] === CARRIAGE_RETURN) && bytes[at + other] === 0)
      return at + 2;
  return 0;
};

/** Joins chunks to whole lines, so that no character is divided. The last one may have no end. */
async function* inLines(
  chunks: AsyncIterable<Buffer>,
  encoding: string,
  maxLineBytes: number,
): AsyncGenerator<Buffer> {
  let open: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    // Of UTF-16 only whole units are searched.
    const skipped = encoding.startsWith(UTF_16) ? length & 1 : 0;
    const found = lastLineEnd(chunk.subarray(skipped), encoding);
    const end = found === 0 ? 0 : found + skipped;
    if (end > 0) {
      yield Buffer.concat([...open, chunk.subarray(0, end)], length + end);
      open = [];
      length = 0;
    }
    if (end < chunk.length) open.push(chunk.subarray(end));
    length += chunk.length - end;
    if (length > maxLineBytes) throw new RangeError(`a line has more than ${maxLineBytes} bytes`);
  }
  if (length > 0) yield Buffer.concat(open, length);
}

/** Passes on chunks, the first of which is long enough for a byte order mark, without it. */
const openFile = async (chunks: AsyncIterable<Buffer>, said: string | null) => {
  const iterator = chunks[Symbol.asyncIterator]();
  let beginning: Buffer = Buffer.alloc(0);
  while (beginning.length < BEGINNING_BYTES) {
    const next = await iterator.next();
    if (next.done) break;
    beginning = Buffer.concat([beginning, next.value]);
  }
  const { encoding, markBytes } = encodingOf(beginning, said);
  async function* rest(): AsyncGenerator<Buffer> {
    try {
      if (beginning.length > markBytes) yield beginning.subarray(markBytes);
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { encoding, hasMark: markBytes > 0, rest: rest() };
};

/** Escape sequences of ISO-2022-JP, whose bytes are all ASCII. */
const isEscaped = (text: string): boolean => text.includes('\u001b$') || text.includes('\u001b(');
/** What other code pages have where Latin-1 and its siblings have controls. */
const CONTROLS = /[\u0080-\u009f]/;

const isUnicode = (encoding: string): boolean => /^(utf-|gb18030)/.test(encoding);

/**
 * Decodes lines, or returns `null` when they are not in the encoding.
 *
 * @param isSure Whether the file says its encoding.
 */
const tryDecode = (bytes: Uint8Array, encoding: string, isSure: boolean, isCut = false): string | null => {
  try {
    const text = decodeStrictly(bytes, encoding, isCut);
    if (!isSure && (text.includes('\0') || isEscaped(text))) return null;
    return !isUnicode(encoding) && CONTROLS.test(text) ? null : text;
  } catch {
    return null;
  }
};

/** Returns how many bytes are in the encoding. */
const countGood = (line: Buffer, encoding: string, isSure: boolean): number => {
  let good = 0;
  for (let bad = line.length; bad - good > 1; ) {
    const middle = (good + bad) >> 1;
    if (tryDecode(line.subarray(0, middle), encoding, isSure, true) === null) bad = middle;
    else good = middle;
  }
  return good;
};

const faultOf = (line: Buffer, encoding: string, said: string | null, isFirst: boolean): EncodingFault => {
  const place = countGood(line, encoding, said !== null);
  if (said !== null)
    return new EncodingFault(`has bytes that are not ${encoding}, which was said`, readingsOf(line, place));
  if (line.includes(0)) {
    const wide = isFirst ? [line[0] === 0 ? 'utf-16be' : 'utf-16le'] : [];
    return new EncodingFault(
      'has the character U+0000, or is UTF-16 without a byte order mark',
      readingsOf(line, 0, wide),
    );
  }
  return isEscaped(line.toString('latin1'))
    ? new EncodingFault('may be ISO-2022-JP or UTF-8', readingsOf(line, 0, ['iso-2022-jp', 'utf-8']))
    : new EncodingFault('is not UTF-8, and no encoding is said', readingsOf(line, place));
};

/** Yields the lines above the one that is not in the encoding. @throws {EncodingFault} for that one. */
function* linesAbove(
  bytes: Buffer,
  encoding: string,
  { isSure, isCut, isFirst }: { isSure: boolean; isCut: boolean; isFirst: boolean },
): Generator<string> {
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    const next = lineEnd(bytes, start, encoding);
    end = next === -1 ? bytes.length : next;
    const line = bytes.subarray(start, end);
    const text = tryDecode(line, encoding, isSure, isCut && next === -1);
    if (text === null) throw faultOf(line, encoding, isSure ? encoding : null, isFirst && start === 0);
    yield text;
  }
}

/**
 * Yields the text of a file in whole lines, without its byte order mark and without a last U+001A.
 *
 * @throws {EncodingFault} after the lines above the one that is not in the encoding; {KindFault} for a file that is no
 *   text; {RangeError} for a line that is too long.
 */
export async function* decode(
  chunks: AsyncIterable<Buffer>,
  { said, maxLineBytes, isCut = false, note }: Decoding,
): AsyncGenerator<string> {
  const { encoding, hasMark, rest } = await openFile(chunks, said);
  const isSure = said !== null || hasMark;
  note(encoding);
  let isFirst = true;
  for await (const bytes of inLines(rest, encoding, maxLineBytes)) {
    const isOpen = lastLineEnd(bytes, encoding) < bytes.length;
    const text = tryDecode(bytes, encoding, isSure, isCut && isOpen);
    if (text === null) yield* linesAbove(bytes, encoding, { isSure, isCut, isFirst });
    else if (text !== '') yield isOpen && text.endsWith(END_MARK) ? text.slice(0, -1) : text;
    isFirst = false;
  }
}

/** Says what is wrong with an encoding. @param advice What to do about it. */
export const tellEncodingFault = ({ fileRow, message, readings }: EncodingFault, advice: string): string => {
  const shown = readings.map(({ encoding, text }) => `${encoding} ${JSON.stringify(text)}`).join(', ');
  return `row ${fileRow} of the file ${message}; ${advice}${shown === '' ? '' : `. It reads: ${shown}`}`;
};
