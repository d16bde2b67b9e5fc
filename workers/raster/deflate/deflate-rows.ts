/**
 * Compresses rows of pixels that are known by what differs from the row above: the modules of a symbol, letters, and the
 * edges of a frame. All rows but the first are filtered with Up, so that whatever does not change is zero.
 */
import { FILTER } from '../png-file.ts';
import {
  type Bits,
  type Codes,
  DISTANCE_SYMBOLS,
  type GrowingBits,
  LITERAL_SYMBOLS,
  makeRoom,
  nextLength,
  SYMBOL_OF_LENGTH,
  writeTokens,
} from './bits.ts';
import { headOf } from './block.ts';
import { DISTANCE_BITS, LITERAL_BITS, sharedCodes, ZEROS, ZEROS_MAX } from './glyph-code.ts';
import type { GlyphRow } from './glyph-rows.ts';
import { prefixCodeOf } from './huffman.ts';
import { RUN, RUN_MIN, SAMPLE_WEIGHT } from './row-code.ts';

/** A figure as rows of differences, the first of them from what is around it. */
export interface Figure {
  readonly xPx: number;
  readonly yPx: number;
  readonly widthPx: number;
  readonly rows: readonly GlyphRow[];
}

/** Figures from left to right. */
export interface FigureLine {
  readonly topPx: number;
  readonly bottomPx: number;
  readonly figures: readonly Figure[];
}

/** Square modules, by their palette indices, row-major. Index 0 is the background, and all around them. */
export interface Modules {
  readonly xPx: number;
  readonly yPx: number;
  readonly modulePx: number;
  readonly size: number;
  readonly indices: Uint8Array;
}

/** Rows of a picture. */
export interface Rows {
  readonly fromRow: number;
  readonly toRow: number;
  /** The index of all pixels of the first row; it has no filter. */
  readonly ground: number;
  readonly modules: Modules | null;
  /** By their row: what differs from the row above in what is behind figures and modules. */
  readonly edges: readonly (readonly GlyphRow[] | undefined)[];
  /** Figures that are in a row of modules stand right of these. */
  readonly lines: readonly FigureLine[];
}

/** Rows as tokens, with the sums of the checksum. */
export interface RowTokens {
  /** Bytes of a row with that of its filter, and of the whole picture. */
  readonly stride: number;
  readonly length: number;
  tokens: Int32Array;
  count: number;
  /** The place after what is written so far. */
  end: number;
  low: number;
  high: number;
}

/** Tokens, reused: fresh memory for each picture would cost a tenth of the time to draw it. */
let scratch = new Int32Array(4096);

/** Begins with a row of a picture. The tokens stay valid until the next call. */
export const beginRows = (stride: number, heightPx: number, fromRow = 0): RowTokens => {
  const length = stride * heightPx;
  return { stride, length, tokens: scratch, count: 0, end: fromRow * stride, low: 1, high: length };
};

/** Adds zeros up to a place. Returns false when something is there already. */
export const addZeros = (out: RowTokens, to: number): boolean => {
  let zeros = to - out.end;
  if (zeros < 0) return false;
  out.end = to;
  if (zeros <= ZEROS_MAX) {
    if (zeros > 0) out.tokens[out.count++] = ZEROS + zeros;
    return true;
  }
  out.tokens[out.count++] = 0;
  for (zeros -= 1; zeros > 0; ) {
    const length = nextLength(zeros);
    out.tokens[out.count++] = RUN + length;
    zeros -= length;
  }
  return true;
};

/** Adds equal bytes that are not 0. */
const addRun = (out: RowTokens, place: number, byte: number, bytes: number): boolean => {
  if (!addZeros(out, place)) return false;
  out.tokens[out.count++] = byte;
  let rest = bytes - 1;
  while (rest >= RUN_MIN) {
    const length = nextLength(rest);
    out.tokens[out.count++] = RUN + length;
    rest -= length;
  }
  for (; rest > 0; rest -= 1) out.tokens[out.count++] = byte;
  out.end = place + bytes;
  out.low += byte * bytes;
  out.high += byte * (bytes * (out.length - place) - (bytes * (bytes - 1)) / 2);
  return true;
};

/** Adds a row of a figure that begins at a place. */
const addRow = (out: RowTokens, place: number, { from, to, tokens, sum, weighted }: GlyphRow): boolean => {
  if (tokens.length === 0) return true;
  if (!addZeros(out, place + from)) return false;
  for (let i = 0; i < tokens.length; i += 1) out.tokens[out.count++] = tokens[i]!;
  out.end = place + to;
  out.low += sum;
  out.high += (out.length - place) * sum - weighted;
  return true;
};

/** Makes room for a row: a byte has at most one token. */
const growFor = (out: RowTokens): void => {
  if (out.tokens.length >= out.count + out.stride + 64) return;
  scratch = new Int32Array(2 * (out.count + out.stride + 64));
  scratch.set(out.tokens.subarray(0, out.count));
  out.tokens = scratch;
};

/** Adds what differs between two rows of modules. */
const addModules = (
  out: RowTokens,
  start: number,
  { indices, size, modulePx }: Modules,
  row: number,
): boolean => {
  const at = row * size;
  const [hasAbove, hasBelow] = [row > 0, row < size];
  let [difference, from] = [0, 0];
  for (let column = 0; column <= size; column += 1) {
    let next = 0;
    if (column < size) {
      if (hasBelow) next = indices[at + column]!;
      if (hasAbove) next -= indices[at - size + column]!;
    }
    if (next === difference && column < size) continue;
    const isRun = difference !== 0;
    if (isRun && !addRun(out, start + from * modulePx, difference & 255, (column - from) * modulePx))
      return false;
    difference = next;
    from = column;
  }
  return true;
};

const addLines = (out: RowTokens, start: number, lines: readonly FigureLine[], y: number): boolean => {
  let isShared = false;
  let only: FigureLine | null = null;
  for (const line of lines) {
    if (y < line.topPx || y >= line.bottomPx) continue;
    isShared ||= only !== null;
    only = line;
  }
  if (only === null) return true;
  return addFigures(out, start, isShared ? inOrder(lines, y) : only.figures, y);
};

/** Returns the figures of all lines in a row, from left to right. */
const inOrder = (lines: readonly FigureLine[], y: number): readonly Figure[] =>
  lines
    .flatMap(({ figures }) => figures)
    .filter(({ yPx, rows }) => y >= yPx && y < yPx + rows.length)
    .sort(
      (one, other) => one.xPx + one.rows[y - one.yPx]!.from - other.xPx - other.rows[y - other.yPx]!.from,
    );

const addFigures = (out: RowTokens, start: number, figures: readonly Figure[], y: number): boolean => {
  for (const { xPx, yPx, rows } of figures) {
    const row = y - yPx;
    if (row < 0 || row >= rows.length) continue;
    if (!addRow(out, start + xPx, rows[row]!)) return false;
  }
  return true;
};

/** Returns the first column of modules and figures. */
const firstColumn = ({ modules, lines }: Rows): number =>
  Math.min(modules?.xPx ?? Number.POSITIVE_INFINITY, ...lines.map(({ figures }) => figures[0]!.xPx));

/**
 * Adds rows, which must follow those that were added before. Returns false when two figures have a pixel in common: then
 * the tokens are of no use.
 */
export const addRows = (out: RowTokens, rows: Rows): boolean => {
  const { fromRow, toRow, ground, modules, edges, lines } = rows;
  const firstX = firstColumn(rows);
  let [nextRow, nextY] = [0, modules?.yPx ?? toRow];
  for (let y = fromRow; y < toRow; y += 1) {
    growFor(out);
    const at = y * out.stride;
    const start = at + 1;
    const isFirst = y === fromRow;
    if (isFirst && ground > 0 && !addRun(out, start, ground, out.stride - 1)) return false;
    if (!isFirst && !addRun(out, at, FILTER.up, 1)) return false;
    const changes = edges[y];
    if (changes !== undefined && !addEdges(out, start, changes, firstX, true)) return false;
    if (y === nextY && modules !== null) {
      if (!addModules(out, start + modules.xPx, modules, nextRow)) return false;
      nextRow += 1;
      nextY = nextRow > modules.size ? toRow : y + modules.modulePx;
    }
    if (!addLines(out, start, lines, y)) return false;
    if (changes !== undefined && !addEdges(out, start, changes, firstX, false)) return false;
  }
  growFor(out);
  return addZeros(out, toRow * out.stride);
};

/** Adds the edges left of a column, or the others. */
const addEdges = (
  out: RowTokens,
  start: number,
  changes: readonly GlyphRow[],
  columnPx: number,
  areLeft: boolean,
): boolean => {
  for (const row of changes) if (row.from < columnPx === areLeft && !addRow(out, start, row)) return false;
  return true;
};

/** How tokens of rows are written. */
export interface RowsCode {
  /** The head of the stream and of its block. */
  readonly head: Readonly<Bits>;
  readonly codes: Codes;
}

/** How often each symbol occurs. */
export interface RowsCounts {
  readonly literals: Uint32Array;
  readonly distances: Uint32Array;
}

/** Returns the counts with which every symbol has a code. */
export const fewestCounts = (): RowsCounts => ({
  literals: new Uint32Array(LITERAL_SYMBOLS).fill(1),
  distances: Uint32Array.of(1, ...new Uint32Array(DISTANCE_SYMBOLS - 1)),
});

/** Counts the tokens of a sample, and forgets them. */
export const countRows = ({ literals, distances }: RowsCounts, out: RowTokens): void => {
  const countRun = (length: number): void => {
    literals[SYMBOL_OF_LENGTH[length]!]! += SAMPLE_WEIGHT;
    distances[0]! += SAMPLE_WEIGHT;
  };
  for (const token of out.tokens.subarray(0, out.count)) {
    if (token < RUN) literals[token]! += SAMPLE_WEIGHT;
    else if (token < ZEROS) countRun(token - RUN);
    else {
      const more = token - ZEROS - 1;
      literals[0]! += SAMPLE_WEIGHT * (more < RUN_MIN ? more + 1 : 1);
      if (more >= RUN_MIN) countRun(more);
    }
  }
  out.count = 0;
};

/** Makes a code from what samples count. */
export const rowsCodeOf = (counts: RowsCounts): RowsCode => {
  const literals = prefixCodeOf(counts.literals, LITERAL_BITS);
  const distances = prefixCodeOf(counts.distances, DISTANCE_BITS);
  return { head: headOf(literals, distances), codes: sharedCodes(literals, distances) };
};

/** Writes the tokens of rows as the rest of a block, and forgets them. */
export const writeRows = (bits: GrowingBits, out: RowTokens, { codes }: RowsCode): void => {
  out.tokens[out.count++] = RUN;
  makeRoom(bits, out.count);
  writeTokens(bits, codes, out.tokens, out.count);
  out.count = 0;
};
