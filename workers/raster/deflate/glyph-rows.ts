/** Glyphs as filtered PNG rows: what each row of a glyph adds to the bytes of a picture. */
import { LEFT, RIGHT } from '../../design/dots.ts';
import { FILTER } from '../png-file.ts';
import { DISTANCE_MAX, LENGTH_MAX, LENGTH_MIN } from './bits.ts';
import { lengthsOf, RUN, RUN_MIN } from './row-code.ts';

/** A figure as high as a module. */
export interface Glyph {
  readonly widthPx: number;
  /** Palette indices, row-major. Index 0 is the background, and all around glyphs. */
  readonly indices: Uint8Array;
  /** Distance to the same figure at the left, or 0 if none is always there. If they touch, it too has zeros before. */
  readonly againPx: number;
  /** After how many pixels its rows may repeat themselves, or 0. */
  readonly periodPx: number;
  /** Whether there is a tile with a neighbour at the right before it, and whether it is one itself. */
  readonly isJoinedLeft: boolean;
  readonly isJoinedRight: boolean;
}

/** A row of a glyph after its filter. All bytes before `from`, which may be negative, and from `to` on, are 0. */
export interface GlyphRow {
  readonly from: number;
  readonly to: number;
  /** The bytes between: literals, runs, and `AGAIN + n`, which repeats n bytes from `distance` back. */
  readonly tokens: readonly number[];
  readonly distance: number;
  /** The sum of all bytes, and that of each byte times its place from 0 on, for the checksum. */
  readonly sum: number;
  readonly weighted: number;
}

/** The first token after runs. */
export const AGAIN = RUN + LENGTH_MAX + 1;

/** Returns the filter of a row of a module: the first has none, and the others are differences from the row above. */
export const filterOf = (row: number): number => (row === 0 ? FILTER.none : FILTER.up);

/** Returns the tile of a dot, by its neighbour mask. */
export const tileOf = (mask: number, widthPx: number, indices: Uint8Array): Glyph => ({
  widthPx,
  indices,
  againPx: 0,
  periodPx: 0,
  isJoinedLeft: (mask & LEFT) !== 0,
  isJoinedRight: (mask & RIGHT) !== 0,
});

/** Returns a glyph that no tile beside it joins. */
export const figureOf = (
  widthPx: number,
  indices: Uint8Array,
  { againPx = 0, periodPx = 0 } = {},
): Glyph => ({
  widthPx,
  indices,
  againPx,
  periodPx,
  isJoinedLeft: false,
  isJoinedRight: false,
});

/** Returns the rows of each glyph, one after the other. */
export const glyphRows = (glyphs: readonly Glyph[], modulePx: number): readonly GlyphRow[] => {
  const filtered = glyphs.map(filteredRows);
  const joints = Array.from({ length: modulePx }, (_, row) => {
    const lasts = new Set(
      filtered.filter((_, i) => glyphs[i]!.isJoinedRight).map((rows) => rows[row]!.at(-1)!),
    );
    return lasts.size === 1 ? [...lasts][0]! : 0;
  });
  return glyphs.flatMap((glyph, i) =>
    filtered[i]!.map((bytes, row) => glyphRow(bytes, glyph.isJoinedLeft ? joints[row]! : 0, glyph)),
  );
};

/** Returns bytes of a row, of which the first is at column `x`, as a row of a figure. */
export const rowAt = (x: number, bytes: Uint8Array): GlyphRow => {
  const { from, to, weighted, sum, ...row } = glyphRow(bytes, 0, figureOf(bytes.length, bytes));
  return { ...row, from: from + x, to: to + x, sum, weighted: weighted + x * sum };
};

const filteredRows = ({ widthPx, indices }: Glyph): readonly Uint8Array[] => {
  const bytes = indices.map((index, i) => (i < widthPx ? index : index - indices[i - widthPx]!));
  return Array.from({ length: bytes.length / widthPx }, (_, row) =>
    bytes.subarray(row * widthPx, (row + 1) * widthPx),
  );
};

/** `before` is the byte before a row, or 0 when that may be any. */
const glyphRow = (bytes: Uint8Array, before: number, { periodPx, againPx }: Glyph): GlyphRow => {
  let from = bytes.length;
  let to = 0;
  let sum = 0;
  let weighted = 0;
  for (let x = 0; x < bytes.length; x += 1) {
    const byte = bytes[x]!;
    if (byte === 0) continue;
    from = Math.min(from, x);
    to = x + 1;
    sum += byte;
    weighted += byte * x;
  }
  if (to === 0) return { from: 0, to, tokens: [], distance: 0, sum, weighted };
  const tokens = tokensOf(bytes.subarray(from, to), from === 0 ? before : 0, periodPx);
  // The bytes between two neighbours are repeated with the second one.
  if (againPx === bytes.length && againPx >= LENGTH_MIN) {
    return { from: to - againPx, to, tokens: [AGAIN + againPx], distance: againPx, sum, weighted };
  }
  const isAgain = againPx > 0 && againPx <= DISTANCE_MAX && tokens.length >= AGAIN_TOKENS;
  if (!isAgain || to - from < LENGTH_MIN) return { from, to, tokens, distance: periodPx, sum, weighted };
  const again = lengthsOf(to - from).map((length) => AGAIN + length);
  return { from, to, tokens: again, distance: againPx, sum, weighted };
};

/** Repetitions of fewer tokens or bytes than these take more bits than they save. */
const AGAIN_TOKENS = 3;
const AGAIN_MIN = 6;

/** Returns bytes as literals, runs, and repetitions of what is `period` bytes before; `before` is the byte before them. */
const tokensOf = (bytes: Uint8Array, before: number, period: number): readonly number[] => {
  const tokens: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const run = sameAs(bytes, at, (i) => (at === 0 ? before : bytes[i - 1]));
    const again = period === 0 || at < period ? 0 : sameAs(bytes, at, (i) => bytes[i - period]);
    const isAgain = again >= AGAIN_MIN && again > run;
    if (isAgain) tokens.push(AGAIN + again);
    else tokens.push(run >= RUN_MIN ? RUN + run : bytes[at]!);
    at += isAgain ? again : run >= RUN_MIN ? run : 1;
  }
  return tokens;
};

/** Returns how many bytes from `at` on match `expected`, up to the longest repetition. */
const sameAs = (bytes: Uint8Array, at: number, expected: (place: number) => number | undefined): number => {
  const end = Math.min(bytes.length, at + LENGTH_MAX);
  let to = at;
  while (to < end && bytes[to] === expected(to)) to += 1;
  return to - at;
};
