/** Letters of texts, drawn by resvg once for each style and each quarter of a pixel that they begin on. */
import { LRUCache } from 'lru-cache';
import { svgElement, writeElement } from '../../design/markup.ts';
import {
  type LetterStyle,
  letterPath,
  PIXEL_UNITS,
  type PlacedLetter,
  pixelOutlineOf,
  placeLetters,
  styleKeyOf,
  styleOf,
} from '../../print/pixel-letters.ts';
import type { TextBlock } from '../../protocol.ts';
import type { Figure, FigureLine } from '../deflate/deflate-rows.ts';
import { figureOf, type GlyphRow, glyphRows } from '../deflate/glyph-rows.ts';
import { rasterise } from '../rasterise.ts';

/** Steps of coverage from none to all. With four lines a pixel of 64 levels each, of which one has 63, no others occur. */
export const COVERAGE_STEPS = 31;

/** Returns the step of a coverage of 0 to 255. @throws {Error} When resvg does not have that coverage. */
const stepOf = (coverage: number): number => {
  const step = 2 * ((coverage + 1) >> 4) - (coverage & 1);
  if (coverageOf(step) !== coverage) throw new Error(`resvg draws letters with a coverage of ${coverage}`);
  return step;
};

/** Returns the coverage of a step: 16 for each two steps, less one for the odd ones. */
export const coverageOf = (step: number): number => 16 * ((step + 1) >> 1) - (step & 1);

/** Letters that share no pixel with others, as rows of steps, each row as its difference from the one above. */
interface Letters {
  /** From the pixel in which they begin, and from the baseline. */
  readonly leftPx: number;
  readonly rightPx: number;
  readonly topPx: number;
  readonly rows: readonly GlyphRow[];
}

/** Units in a pixel are this power of two. */
const UNIT_BITS = Math.log2(PIXEL_UNITS);

const NO_LETTERS: Letters = { leftPx: 0, rightPx: 0, topPx: 0, rows: [] };

const MAX_BYTES = 8 * 1024 * 1024;
const ROW_BYTES = 128;
const TOKEN_BYTES = 8;
const kept = new LRUCache<string, Letters>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ rows }) =>
    rows.reduce((bytes, { tokens }) => bytes + ROW_BYTES + TOKEN_BYTES * tokens.length, 512),
});

/** Letters that are drawn together, from left to right. */
interface Group {
  readonly key: string;
  readonly style: LetterStyle;
  /** Places are those of the canvas, in units. */
  readonly letters: readonly PlacedLetter[];
}

/** Returns the pixel in which a place in units is. */
const pixelOf = (x: number): number => x >> UNIT_BITS;
/** Where the pixel begins in which a group begins, in units. */
const originOf = ({ letters }: Group): number => pixelOf(letters[0]!.x) << UNIT_BITS;

const keyOf = (styleKey: string, { character, x }: PlacedLetter, origin: number): string =>
  `${styleKey} ${character}${x - origin}`;

const groupOf = (style: LetterStyle, letters: readonly PlacedLetter[]): Group => {
  const group = { key: styleKeyOf(style), style, letters };
  const origin = originOf(group);
  return { ...group, key: letters.reduce((key, letter) => keyOf(key, letter, origin), group.key) };
};

/** The whole pixels that a group may reach, from its origin and from the baseline. */
const boxOf = (group: Group) => {
  const outlines = group.letters.map(({ character, x }) => {
    const { leftPx, rightPx, topPx, bottomPx } = pixelOutlineOf(character, group.style);
    const px = pixelOf(x) - pixelOf(originOf(group));
    return { left: px + leftPx, right: px + rightPx, top: topPx, bottom: bottomPx };
  });
  return {
    left: Math.min(...outlines.map(({ left }) => left)),
    right: Math.max(...outlines.map(({ right }) => right)),
    top: Math.min(...outlines.map(({ top }) => top)),
    bottom: Math.max(...outlines.map(({ bottom }) => bottom)),
  };
};

/** Most pixels across that are drawn at once. */
const ACROSS_MAX_PX = 4096;

/** Draws groups side by side, and keeps and returns them. */
const drawGroups = (groups: readonly Group[]): readonly Letters[] => {
  const drawn: Letters[] = [];
  let from = 0;
  while (from < groups.length) {
    const boxes: { group: Group; box: ReturnType<typeof boxOf>; x: number }[] = [];
    let x = 0;
    for (; from < groups.length && (x < ACROSS_MAX_PX || boxes.length === 0); from += 1) {
      const group = groups[from]!;
      const box = boxOf(group);
      boxes.push({ group, box, x });
      x += box.right - box.left;
    }
    const top = Math.min(...boxes.map(({ box }) => box.top));
    const height = Math.max(1, Math.max(...boxes.map(({ box }) => box.bottom)) - top);
    const width = Math.max(1, x);
    const path = boxes.flatMap(({ group, box, x: at }) =>
      group.letters.map((letter) => {
        const place = (at - box.left) * PIXEL_UNITS + letter.x - originOf(group);
        return letterPath(letter.character, group.style, place, -top * PIXEL_UNITS);
      }),
    );
    const shape = { fill: '#fff', 'fill-rule': 'nonzero', transform: `scale(${1 / PIXEL_UNITS})` };
    const figure = writeElement('path', { ...shape, d: path.join('') });
    const { colors } = rasterise(svgElement({ width, height }, figure));
    for (const { group, box, x: at } of boxes) {
      const steps = new Uint8Array((box.right - box.left) * height);
      const across = box.right - box.left;
      for (let i = 0; i < steps.length; i += 1)
        steps[i] = stepOf(colors[Math.floor(i / across) * width + at + (i % across)]! >>> 24);
      const letters = lettersOf(steps, across, box.left, top);
      kept.set(group.key, letters);
      drawn.push(letters);
    }
  }
  return drawn;
};

/** Cuts off what is blank around letters, and returns their rows. */
const lettersOf = (steps: Uint8Array, acrossPx: number, leftPx: number, topPx: number): Letters => {
  if (steps.length === 0) return NO_LETTERS;
  const heightPx = steps.length / acrossPx;
  let [left, right, top, bottom] = [acrossPx, 0, heightPx, 0];
  for (const [i, step] of steps.entries()) {
    if (step === 0) continue;
    const [x, y] = [i % acrossPx, Math.floor(i / acrossPx)];
    [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
  }
  if (right === 0) return NO_LETTERS;
  const widthPx = right - left;
  // A blank row at the end, whose differences return to the background.
  const rows = bottom - top + 1;
  const indices = new Uint8Array(widthPx * rows);
  for (let row = 0; row < rows - 1; row += 1) {
    const at = (top + row) * acrossPx;
    indices.set(steps.subarray(at + left, at + right), row * widthPx);
  }
  return {
    leftPx: leftPx + left,
    rightPx: leftPx + right,
    topPx: topPx + top,
    rows: glyphRows([figureOf(widthPx, indices)], rows),
  };
};

/** Letters larger than this are those of posters, which are not drawn often enough to be kept. */
const KEPT_MAX_PX = 160;

/**
 * Returns the lines of a text as figures in steps of coverage, from left to right, moved by some pixels. `null`: the
 * letters are too large to be kept.
 */
export const figureLines = (text: TextBlock, leftPx = 0, topPx = 0): readonly FigureLine[] | null => {
  if (text.sizePx > KEPT_MAX_PX) return null;
  const style = styleOf(text);
  const lines: FigureLine[] = [];
  for (const { baselinePx, letters } of placeLetters(text)) {
    const figures = figuresOf(style, letters, leftPx, topPx + baselinePx);
    if (figures.length === 0) continue;
    let [top, bottom] = [Number.POSITIVE_INFINITY, 0];
    for (const { yPx, rows } of figures) {
      top = Math.min(top, yPx);
      bottom = Math.max(bottom, yPx + rows.length);
    }
    lines.push({ topPx: top, bottomPx: bottom, figures });
  }
  return lines;
};

/** Returns a line as figures; letters that share columns of pixels are one. */
const figuresOf = (
  style: LetterStyle,
  letters: readonly PlacedLetter[],
  leftPx: number,
  baselinePx: number,
): readonly Figure[] => {
  const singles = singlesOf(style, letters);
  const figures: Figure[] = [];
  let group: PlacedLetter[] = [];
  let endPx = Number.NEGATIVE_INFINITY;
  for (const [i, letter] of letters.entries()) {
    const single = singles[i]!;
    if (single.rows.length === 0) continue;
    const originPx = pixelOf(letter.x);
    const joins = originPx + single.leftPx < endPx;
    group = joins ? [...group, letter] : [letter];
    endPx = Math.max(endPx, originPx + single.rightPx);
    if (joins) figures.pop();
    const drawn = joins ? groupLetters(groupOf(style, group)) : single;
    const x = joins ? pixelOf(group[0]!.x) : originPx;
    figures.push({
      xPx: leftPx + x + drawn.leftPx,
      yPx: baselinePx + drawn.topPx,
      widthPx: drawn.rightPx - drawn.leftPx,
      rows: drawn.rows,
    });
  }
  return figures;
};

/** Returns the letters of a group, drawn now or kept. */
const groupLetters = (group: Group): Letters => {
  const known = kept.get(group.key);
  if (known !== undefined) return known;
  const [drawn] = drawGroups([group]);
  return drawn!;
};

/** Returns each letter by itself. Those that are not kept are drawn together, since calling resvg takes longer. */
const singlesOf = (style: LetterStyle, letters: readonly PlacedLetter[]): readonly Letters[] => {
  const styleKey = styleKeyOf(style);
  const keys = letters.map((letter) => keyOf(styleKey, letter, pixelOf(letter.x) << UNIT_BITS));
  const known = keys.map((key) => kept.get(key));
  const missing = new Map<string, Group>();
  for (const [i, single] of known.entries())
    if (single === undefined) missing.set(keys[i]!, groupOf(style, [letters[i]!]));
  if (missing.size === 0) return known as readonly Letters[];
  const drawn = drawGroups([...missing.values()]);
  const all = new Map([...missing.keys()].map((key, i) => [key, drawn[i]!]));
  return known.map((single, i) => single ?? all.get(keys[i]!)!);
};
