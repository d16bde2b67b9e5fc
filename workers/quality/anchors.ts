import type { QrSymbol } from '../symbol/symbol.ts';
import { alignmentCentres } from '../symbol/template.ts';
import type { Occlusion } from './occlusion.ts';

/*
 * Readers correct their grid by the alignment patterns. zbar searches around the expected place of each, in steps of a
 * quarter of a module, and takes the best match (`qr_alignment_pattern_search`). Under a logo the best match may be
 * elsewhere, and zbar then misreads everything around it.
 *
 * Of 760 pictures with a logo, all of version 7 and above, zbar missed 68. The rule finds these, and 482 others.
 */

/** Steps of a quarter of a module that the search goes each way. */
const REACH = 7;
/** A place nearer than half a module does no harm. */
const LEAST_STEPS = 2;
/** A pattern with fewer wrong modules, of 25, is found in its place. */
const LEAST_WRONG = 5;
/** Modules of 25 that may differ at a place that zbar accepts, plus two, since a logo may end within a module. */
const MAX_WRONG = 8;
/**
 * zbar compares with the mean of its surroundings, at least an eighth of the picture wide: a dark logo that fills them
 * looks light. As a share of the symbol's side.
 */
const SURROUNDINGS = 1 / 7;

/** Modules around the centre that the search may see: those of the pattern, and those of the search. */
const SPREAD = 2 + Math.ceil(REACH / 4);
const SIDE = 2 * SPREAD + 1;
const STEPS = 4;
const PLACES = STEPS * SIDE;
/** Where in its module each of four steps looks: as near to the middle as quarters allow, and on no edge. */
const FIRST_PLACE = 0.03;

/** Rows of the pattern, a bit for each module. */
const PATTERN_ROWS = [0b11111, 0b10001, 0b10101, 0b10001, 0b11111];
/** The bits of a row of places that are all dark. */
const ALL_DARK = 2 ** SIDE - 1;
const BITS = Uint8Array.from({ length: 32 }, (_, bits) => bits.toString(2).replaceAll('0', '').length);

/**
 * Tells what a reader sees where each of `ys` meets each of `xs`, in modules from the symbol's top left corner,
 * row-major: 0 light, 1 dark, 2 as the module is.
 */
export type Looker = (xs: readonly number[], ys: readonly number[]) => Uint8Array;
const AS_MODULE = 2;

/** The surroundings of an alignment pattern under a logo, the same for all symbols of a style. */
export interface Anchor {
  readonly row: number;
  readonly column: number;
  /** For each place in a module and each row around the centre: the bits of places that look as their modules are. */
  readonly open: Uint16Array;
  /** The bits of places that look dark whatever their modules are. */
  readonly dark: Uint16Array;
  /** Whether the logo is dark over the whole pattern and so wide that a reader may see parts of it as light. */
  readonly isLost: boolean;
}

/** Returns the alignment patterns that a logo covers. */
export const anchorsOf = (
  version: number,
  size: number,
  occlusion: Occlusion,
  lookAt: Looker,
): readonly Anchor[] => {
  const { left, top, right, bottom } = occlusion.area;
  const isWide = occlusion.narrowModules >= SURROUNDINGS * size;
  return alignmentCentres(version, size)
    .filter(([row, column]) => row + 2 >= top && row - 2 < bottom && column + 2 >= left && column - 2 < right)
    .map(([row, column]) => {
      const looks = lookAt(placesAround(column), placesAround(row));
      const open = new Uint16Array(STEPS * STEPS * SIDE);
      const dark = new Uint16Array(STEPS * STEPS * SIDE);
      for (let i = 0; i < looks.length; i += 1) {
        const [y, x] = [Math.floor(i / PLACES), i % PLACES];
        const word = ((y % STEPS) * STEPS + (x % STEPS)) * SIDE + (y >> 2);
        if (looks[i] === AS_MODULE) open[word]! |= 1 << (x >> 2);
        else if (looks[i] === 1) dark[word]! |= 1 << (x >> 2);
      }
      const isDark = looks.every(
        (look, i) => look === 1 || !isOfPattern(Math.floor(i / PLACES)) || !isOfPattern(i % PLACES),
      );
      return { row, column, open, dark, isLost: isWide && isDark };
    });
};

/** Whether a place of `placesAround` is one of the pattern, which has two modules on each side of its centre. */
const isOfPattern = (place: number): boolean => Math.abs((place >> 2) - SPREAD) <= 2;

/** Returns the places in the modules around a centre, across or down. */
const placesAround = (centre: number): readonly number[] =>
  Array.from({ length: PLACES }, (_, i) => centre - SPREAD + FIRST_PLACE + i / STEPS);

/** Whether a reader may take another place for an alignment pattern of a symbol. */
export const isMisled = (symbol: QrSymbol, anchors: readonly Anchor[]): boolean =>
  anchors.some((anchor) => {
    if (anchor.isLost) return true;
    const seen = seenAround(symbol, anchor);
    if (unlike(seen, 0, 0, LEAST_WRONG) < LEAST_WRONG) return false;
    // Under a dark logo that fills the surroundings all places are alike, and none is taken.
    if (seen.every((bits) => bits === ALL_DARK)) return false;
    for (let y = -REACH; y <= REACH; y += 1)
      for (let x = -REACH; x <= REACH; x += 1) {
        const isFar = Math.max(Math.abs(x), Math.abs(y)) >= LEAST_STEPS;
        if (isFar && unlike(seen, x, y, MAX_WRONG) <= MAX_WRONG) return true;
      }
    return false;
  });

/** Reused, since grading is never interrupted. */
const bitsSeen = new Uint16Array(STEPS * STEPS * SIDE);

/** Returns what is dark around an alignment pattern, as the bits of `Anchor` are ordered. */
const seenAround = ({ size, modules }: QrSymbol, { row, column, open, dark }: Anchor): Uint16Array => {
  for (let y = 0; y < SIDE; y += 1) {
    const start = (row - SPREAD + y) * size + column - SPREAD;
    let bits = 0;
    for (let x = 0; x < SIDE; x += 1) bits |= modules[start + x]! << x;
    for (let i = y; i < bitsSeen.length; i += SIDE) bitsSeen[i] = (bits & open[i]!) | dark[i]!;
  }
  return bitsSeen;
};

/** Returns how many modules differ from the pattern at a place, in steps from its own; counts up to `most` + 5. */
const unlike = (seen: Uint16Array, xSteps: number, ySteps: number, most: number): number => {
  // The middle of a module is the third place in it.
  const [x, y] = [xSteps + 2, ySteps + 2];
  const [column, row] = [(x >> 2) + SPREAD - 2, (y >> 2) + SPREAD - 2];
  const first = ((y & 3) * STEPS + (x & 3)) * SIDE + row;
  let count = 0;
  for (let i = 0; i < 5 && count <= most; i += 1)
    count += BITS[((seen[first + i]! >> column) & 31) ^ PATTERN_ROWS[i]!]!;
  return count;
};
