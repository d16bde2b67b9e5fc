/** Sets captions: in the largest type in which they fit into their room, between a greatest and a least size. Pure. */
import type { CaptionSpec, Fault, TextLoss } from '../protocol.ts';
import { type PrintableLetters, printableLetters } from '../shaping/letters.ts';
import type { ShapedLine } from '../shaping/line.ts';
import { hasGlyph, NO_OVERHANG, type Overhang, overhangOf, type Weight } from './font.ts';
import {
  fitLines,
  MISSING,
  type Printable,
  printableLines,
  TEXT_MAX_CHARACTERS,
  tellCharacters,
} from './lines.ts';
import { growthThat, type Room, TOLERANCE } from './room.ts';
import { createShapedFitting, LINE_BOX, type LineBox } from './shaped-caption.ts';
import {
  ADVANCE,
  CAP_HEIGHT,
  ceilHundredth,
  LINE_HEIGHT,
  leastLettersPx,
  mostLettersPx,
  type Scale,
} from './text.ts';

/** A caption in its size. Blank when there is nothing to print. */
export interface SetCaption {
  readonly sizePx: number;
  readonly lines: readonly string[];
  readonly lineBox: LineBox;
  /** The same lines, if they are shaped. */
  readonly shaped?: readonly ShapedLine[];
  /** The room that its lines need beside themselves, which the chosen size leaves. */
  readonly overhang: Overhang;
  readonly lost: readonly TextLoss[];
}

type CaptionScale = Scale & { readonly modulePx: number };

const SHOWN_CHARACTERS = 40;

const shorten = (text: string): string => {
  const characters = [...text.replace(/\p{C}+/gu, ' ')];
  return characters.length > SHOWN_CHARACTERS
    ? `${characters.slice(0, SHOWN_CHARACTERS).join('')}…`
    : characters.join('');
};

const tellMissing = (text: string, missing: readonly string[]): string =>
  `"${shorten(text)}" has characters that cannot be printed, ${tellCharacters(missing)}: change them, or allow glyphs, which prints ${MISSING} for them`;

/** Returns the first whole number of a range that fits, or `null`. Those after one that fits are taken to fit too. */
const firstThat = (from: number, to: number, fits: (value: number) => boolean): number | null => {
  if (from > to || !fits(to)) return null;
  let [below, fitting] = [from - 1, to];
  while (fitting - below > 1) {
    const middle = Math.floor((below + fitting) / 2);
    if (fits(middle)) fitting = middle;
    else below = middle;
  }
  return fitting;
};

/** Returns how far any character of a text is drawn beyond its place: a line may begin or end with each of them. */
const overhangIn = ({ lines }: Printable, weight: Weight): Overhang => {
  let { left, right } = NO_OVERHANG;
  for (const character of lines.flat()) {
    const overhang = overhangOf(character, weight);
    left = Math.max(left, overhang.left);
    right = Math.max(right, overhang.right);
  }
  return { left, right };
};

/**
 * Makes the functions that fit lines into a room. All letters have one width, so it has a whole number of columns, beside
 * which it has room for what is drawn beyond them.
 */
const createFitting = (
  { lines }: Printable,
  { linesMax }: CaptionSpec,
  room: Room,
  { leastPx, overhang }: { readonly leastPx: number; readonly overhang: Overhang },
) => {
  const asideEm = overhang.left + overhang.right;
  const whole = lines.map((line) => line.join('').trim());
  const longest = Math.max(...lines.map(({ length }) => length));
  const fitAt = (columns: number, sizePx: number, growth = 1) => {
    const most =
      room.heightPx === null
        ? linesMax
        : Math.floor((growth * room.heightPx) / (sizePx * LINE_HEIGHT) + TOLERANCE);
    if (most < 1 || columns < 1) return { lines: [], isCut: true };
    // Most captions need no breaks.
    return lines.length <= most && longest <= columns
      ? { lines: whole, isCut: false }
      : fitLines(lines, { width: columns, linesMax: most }, () => 1);
  };
  const columnsAt = (sizePx: number, growth = 1): number =>
    Math.floor(((growth * room.widthPx) / sizePx - asideEm) / ADVANCE + TOLERANCE);
  const grows = (growth: number): boolean => !fitAt(columnsAt(leastPx, growth), leastPx, growth).isCut;
  return {
    fitAt,
    columnsAt,
    /** Returns the size in which this many columns fill the room. */
    sizeOf: (columns: number): number => room.widthPx / (columns * ADVANCE + asideEm),
    growthNeeded: (): number | null => growthThat(grows),
  };
};

/** Returns lines in the largest type in which they fit; `null`: they fit in none. */
const fitWhole = (
  { fitAt, columnsAt, ...fitting }: ReturnType<typeof createFitting>,
  { mostPx, leastPx }: Readonly<Record<'mostPx' | 'leastPx', number>>,
) => {
  const first = columnsAt(mostPx);
  const largest = fitAt(first, mostPx);
  if (!largest.isCut) return { sizePx: mostPx, lines: largest.lines };
  const sizeOf = (columns: number): number => Math.min(mostPx, fitting.sizeOf(columns));
  const columns = firstThat(
    Math.max(1, first),
    columnsAt(leastPx),
    (count) => !fitAt(count, sizeOf(count)).isCut,
  );
  if (columns === null) {
    // Beside a code, smaller type may have a line more on as many columns.
    const least = fitAt(columnsAt(leastPx), leastPx);
    return least.isCut ? null : { sizePx: leastPx, lines: least.lines };
  }
  return { sizePx: sizeOf(columns), lines: fitAt(columns, sizeOf(columns)).lines };
};

/**
 * Sets a caption. The fault `caption` says which characters cannot be printed, or how wide the code must be printed for
 * the text to fit. With a loss that is allowed, the last line ends with an ellipsis, or `MISSING` replaces characters.
 * Only texts with characters that cannot be set letter by letter are shaped.
 */
export const setCaption = (spec: CaptionSpec, room: Room, scale: CaptionScale): SetCaption | Fault => {
  const { text, allow, weight } = spec;
  const printable = printableLines(text, (character) => hasGlyph(character, weight));
  const letters = printable.missing.length === 0 ? null : printableLetters(text, 'words', weight);
  const isShaped = letters !== null && letters.missing.length < printable.missing.length;
  const { missing, isCut: isLong } = isShaped ? letters : printable;
  if (missing.length > 0 && !allow.includes('glyphs')) return fail(tellMissing(text, missing));
  const leastPx = leastLettersPx(scale);
  const sizes = { leastPx, mostPx: mostLettersPx(scale, spec.mostMm) };
  const glyphs = missing.length > 0 ? (['glyphs'] as const) : [];
  if (isShaped) return setShaped(letters, { spec, room, scale }, sizes, glyphs);
  const lineBox = LINE_BOX;
  if (printable.lines.every(({ length }) => length === 0)) {
    return { sizePx: sizes.mostPx, lines: [], lineBox, overhang: NO_OVERHANG, lost: glyphs };
  }
  const overhang = overhangIn(printable, weight);
  const fitting = createFitting(printable, spec, room, { leastPx, overhang });
  const whole = isLong ? null : fitWhole(fitting, sizes);
  if (whole !== null) return { ...whole, lineBox, overhang, lost: glyphs };
  const cut = fitting.fitAt(fitting.columnsAt(leastPx), leastPx).lines;
  if (allow.includes('cut') && cut.length > 0) {
    return { sizePx: leastPx, lines: cut, lineBox, overhang, lost: ['cut', ...glyphs] };
  }
  return fail(tellTooLong(spec, room, scale, isLong ? null : fitting.growthNeeded()));
};

const fail = (message: string): Fault => ({ field: 'caption', message });

/** Sets a caption that is shaped. */
const setShaped = (
  letters: PrintableLetters,
  { spec, room, scale }: { readonly spec: CaptionSpec; readonly room: Room; readonly scale: CaptionScale },
  { mostPx, leastPx }: Readonly<Record<'mostPx' | 'leastPx', number>>,
  glyphs: readonly TextLoss[],
): SetCaption | Fault => {
  const { isCut: isLong } = letters;
  const fitting = createShapedFitting(letters, { ...spec, chain: 'words' }, room);
  const setIn = (sizePx: number, shaped: readonly ShapedLine[], lost: readonly TextLoss[]): SetCaption => ({
    ...{ sizePx, shaped, lost, lineBox: fitting.box, overhang: NO_OVERHANG },
    lines: shaped.map(({ text }) => text),
  });
  const whole = isLong ? null : fitting.fit(mostPx, leastPx);
  if (whole !== null) return setIn(whole.sizePx, whole.lines, glyphs);
  const cut = spec.allow.includes('cut') ? fitting.cut(leastPx) : null;
  if (cut !== null) return setIn(leastPx, cut, ['cut', ...glyphs]);
  return fail(tellTooLong(spec, room, scale, isLong ? null : fitting.growthNeeded(leastPx)));
};

const tellTooLong = (
  { text, side }: CaptionSpec,
  { codePx }: Room,
  scale: CaptionScale,
  growth: number | null,
): string => {
  const leastMm = (leastLettersPx(scale) * CAP_HEIGHT * scale.mmPerPx).toFixed(2);
  const what = `"${shorten(text)}" does not fit ${side} this code in letters of ${leastMm} mm`;
  const remedy = 'shorten the text, or allow cut';
  if (growth !== null) {
    const widthMm = ceilHundredth(codePx * scale.mmPerPx * growth);
    return `${what}: print the code at least ${widthMm} mm wide, ${remedy}`;
  }
  return text.length > TEXT_MAX_CHARACTERS
    ? `has more than ${TEXT_MAX_CHARACTERS} characters: ${remedy}`
    : `${what}: ${remedy}`;
};
