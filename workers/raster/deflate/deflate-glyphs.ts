import { endStream, type GrowingBits, makeRoom, openStream, writeTokens } from './bits.ts';
import { beginBlock } from './block.ts';
import { FIELD, type GlyphCode, type GlyphLines, ROW_WORDS, ZEROS, ZEROS_MAX } from './glyph-code.ts';
import { filterOf } from './glyph-rows.ts';
import { lengthsOf, RUN } from './row-code.ts';

/** A picture of glyphs on a background of index 0. */
export interface GlyphPicture {
  readonly heightPx: number;
  /** Length of a scanline with its filter byte. */
  readonly stride: number;
  readonly modulePx: number;
  /** Where the first line begins. */
  readonly yPx: number;
  readonly lines: GlyphLines;
}

/** Tokens so far, the place after their bytes, and sums of a row's bytes: of all, and of each times its place. */
const out = { tokens: new Int32Array(0), count: 0, end: 0, sum: 0, weighted: 0 };

/** The sums of the checksum. They stay below 2 ** 53 for pictures of any size. */
export type Sums = Record<'low' | 'high', number>;

/** Compresses the PNG rows of a picture of glyphs as zlib does. The bytes stay valid until the next call. */
export const deflateGlyphs = (picture: GlyphPicture, code: GlyphCode): Uint8Array => {
  const { heightPx, stride } = picture;
  const bits = openStream();
  const sums = { low: 1, high: heightPx * stride };
  beginBlock(bits, code.head, true);
  writeGlyphRows(bits, sums, picture, code, { fromRow: 0, toRow: heightPx });
  return endStream(bits, sums.low, sums.high);
};

/** Writes some rows of a picture of glyphs, among them all of its lines, as the rest of a block. */
export const writeGlyphRows = (
  bits: GrowingBits,
  sums: Sums,
  picture: GlyphPicture,
  code: GlyphCode,
  { fromRow, toRow }: Readonly<Record<'fromRow' | 'toRow', number>>,
): void => {
  const { heightPx, stride, modulePx, yPx, lines } = picture;
  const length = heightPx * stride;
  const most = modulePx * stride + Math.ceil(length / 128);
  if (out.tokens.length < most + 64) out.tokens = new Int32Array(most + 64);
  out.count = 0;
  out.end = fromRow * stride;
  let { low, high } = sums;
  for (let line = 0; line < lines.count; line += 1) {
    for (let row = 0; row < modulePx; row += 1) {
      const start = (yPx + line * modulePx + row) * stride;
      const filter = filterOf(row);
      addFilter(start, filter);
      addGlyphs(code.rows, lines, line, row, modulePx, start + 1);
      low += filter + out.sum;
      high += (length - start) * filter + (length - start - 1) * out.sum - out.weighted;
    }
    write(bits, code);
  }
  addZeros(toRow * stride);
  addToken(RUN);
  write(bits, code);
  sums.low = low;
  sums.high = high;
};

/** Writes the tokens, each of at most a word. */
const write = (bits: GrowingBits, { codes }: GlyphCode): void => {
  makeRoom(bits, out.count);
  writeTokens(bits, codes, out.tokens, out.count);
  out.count = 0;
};

/** Adds the glyphs of a row of a line. The innermost loop keeps in variables what it changes. */
const addGlyphs = (
  rows: Int32Array,
  { firsts, glyphs, xsPx }: GlyphLines,
  line: number,
  row: number,
  modulePx: number,
  start: number,
): void => {
  const { tokens } = out;
  const rowAt = row * ROW_WORDS;
  const glyphWords = modulePx * ROW_WORDS;
  const to = firsts[line + 1]!;
  let { count, end } = out;
  let sum = 0;
  let weighted = 0;
  for (let i = firsts[line]!; i < to; i += 1) {
    const at = glyphs[i]! * glyphWords + rowAt;
    const tokenCount = rows[at + FIELD.tokens]!;
    if (tokenCount === 0) continue;
    const xPx = xsPx[i]!;
    const glyphSum = rows[at + FIELD.sum]!;
    sum += glyphSum;
    weighted += xPx * glyphSum + rows[at + FIELD.weighted]!;
    const zeros = start + xPx + rows[at + FIELD.from]! - end;
    end = start + xPx + rows[at + FIELD.to]!;
    if (zeros <= ZEROS_MAX) {
      tokens[count] = ZEROS + zeros;
      count += 1;
    } else count = longZeros(tokens, count, zeros);
    const token = rows[at + FIELD.token]!;
    tokens[count] = token;
    count += 1;
    for (let more = 1; more < tokenCount; more += 1) {
      tokens[count] = token + more;
      count += 1;
    }
  }
  out.count = count;
  out.end = end;
  out.sum = sum;
  out.weighted = weighted;
};

/** Adds a filter byte; a zero is added with the zeros after it. */
const addFilter = (start: number, filter: number): void => {
  if (filter === 0) return;
  addZeros(start);
  addToken(filter);
  out.end = start + 1;
};

/** Adds the zeros before place `to`. */
const addZeros = (to: number): void => {
  out.count = longZeros(out.tokens, out.count, to - out.end);
  out.end = to;
};

const longZeros = (tokens: Int32Array, count: number, zeros: number): number => {
  if (zeros <= ZEROS_MAX) {
    tokens[count] = ZEROS + zeros;
    return count + 1;
  }
  tokens[count] = 0;
  let next = count + 1;
  for (const length of lengthsOf(zeros - 1)) {
    tokens[next] = RUN + length;
    next += 1;
  }
  return next;
};

const addToken = (token: number): void => {
  out.tokens[out.count] = token;
  out.count += 1;
};
