/** Random codes with words and frames, the same for the same seed and number. */
import type { PrintQuery } from '../../../src/generate/request/print.ts';
import { type FileFormat, FRAME_TYPES, namesOf } from '../../../workers/lists.ts';
import { hasGlyph } from '../../../workers/print/font.ts';
import { printableLines } from '../../../workers/print/lines.ts';
import { createFractions } from '../../support/random.ts';
import { type Specimen, specimens } from '../designs.ts';

/** A code with words and a frame around it. */
export interface CaptionCase {
  readonly number: number;
  readonly format: FileFormat;
  /** Of the printer; vectors are looked at in this resolution. */
  readonly dpi: number;
  readonly specimen: Specimen;
  /** The size, without anything around the code. */
  readonly bare: PrintQuery;
  readonly words: PrintQuery;
  /** What `{name}` stands for. */
  readonly name: string;
  /** What must be printed, line by line. */
  readonly wanted: string;
}

/** By turns: those that take a program are drawn less often. */
const FORMATS: readonly FileFormat[] = ['png', 'svg', 'pdf', 'webp', 'png', 'svg', 'eps', 'pdf'];
/** Vectors are looked at together, so they have one resolution. */
const VECTOR_DPI = 300;
/** Resolutions of pictures, and dots of their modules. */
const BITMAPS = [
  { dpi: 203, dots: [3, 4, 5] },
  { dpi: 300, dots: [3, 4, 5, 6] },
  { dpi: 600, dots: [6, 7, 8] },
] as const;
const MM_PER_INCH = 25.4;

const LEAST_CODE = 0x21;
const MOST_CODE = 0x1ffff;
const BRACES = '{}';
const ELLIPSIS = '…';
const MISSING_AS = '□';
/** Characters that none of the fonts has which come with the service. */
const LACKED = ['日', '本', '한', '🎉', 'ክ'];

const isInBoth = (character: string): boolean =>
  hasGlyph(character, 'regular') && hasGlyph(character, 'bold');

/** Whether a text is printed as it stands: not replaced, dropped, or taken for a space. */
const isPrinted = (character: string): boolean => {
  const { lines, missing } = printableLines(character, isInBoth);
  return missing.length === 0 && lines.flat().join('') === character.normalize('NFC');
};

/** Returns all characters that a caption may have, but for spaces and what has a meaning here. */
const readRepertoire = (): readonly string[] => {
  const all: string[] = [];
  for (let code = LEAST_CODE; code <= MOST_CODE; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    if (isInBoth(character) && isPrinted(character) && !`${BRACES}${ELLIPSIS}`.includes(character))
      all.push(character);
  }
  return all;
};

const REPERTOIRE = readRepertoire();
const WORDS = (
  'Table Menu scan me Room B-12 Seat 7 Größe Tür Ærø Łódź Ελλάδα Ύδρα Ὕδωρ Ἢ Жук Ђаво Київ 12,50 € № 7/8 "quoted" ' +
  'A b & <tag> 100% https://example.com/a?b=c Straßenverkehrsordnung __ ++ (10)A7 ﬁne ½ ◉ ▣ █ ─ ď ŉ Žižkov'
)
  .normalize('NFC')
  .split(' ');

/** Makes the functions that draw by chance. */
const createChance = (random: () => number) => {
  const within = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  return {
    within,
    happens: (share: number): boolean => random() < share,
    pick: <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!,
    fraction: (from: number, to: number): number => from + random() * (to - from),
  };
};
type Chance = ReturnType<typeof createChance>;

const colorWithin = ({ within }: Chance, least: number, most: number): string =>
  `#${[0, 0, 0].map(() => within(least, most).toString(16).padStart(2, '0')).join('')}`;

const someColor = (chance: Chance): string =>
  chance.happens(0.85) ? colorWithin(chance, 0, 110) : colorWithin(chance, 0, 255);

const wordsOf = ({ within, pick }: Chance, count: number): string =>
  Array.from({ length: within(1, count) }, () => pick(WORDS)).join(' ');

const charactersOf = ({ within, pick }: Chance, count: number): string =>
  Array.from({ length: within(1, count) }, () => pick(REPERTOIRE)).join('');

const lineOf = (chance: Chance): string => {
  const { pick, happens } = chance;
  const most = happens(0.85) ? 4 : 14;
  return pick([
    () => wordsOf(chance, most),
    () => wordsOf(chance, most),
    () => charactersOf(chance, 3 * most),
    () => `${charactersOf(chance, most)} ${wordsOf(chance, most)}`,
    () => pick(['{name}', 'No. {name}', '{name} / {name}', '{content}', '{name}: {content}']),
  ])();
};

const sizeOf = (
  { pick, within, happens }: Chance,
  isBitmap: boolean,
): PrintQuery & { readonly dpi: number } => {
  const { dpi, dots } = isBitmap ? pick(BITMAPS) : BITMAPS[1];
  return {
    dpi: isBitmap ? dpi : VECTOR_DPI,
    module_mm: (pick(dots) * MM_PER_INCH) / dpi,
    ...(happens(0.4) && { quiet_zone: within(0, 6) }),
    ...(happens(0.2) && { bleed_mm: within(1, 3) }),
  };
};

const frameOf = (chance: Chance): PrintQuery => {
  const { pick, happens } = chance;
  const frame = pick(['none', 'none', ...namesOf(FRAME_TYPES)] as const);
  return { frame, ...(frame !== 'none' && happens(0.3) && { frame_color: someColor(chance) }) };
};

const captionOf = (
  chance: Chance,
  caption: string,
  { frame }: PrintQuery,
  isLacking: boolean,
): PrintQuery => {
  const { pick, fraction, happens } = chance;
  const isInBanner = frame !== undefined && frame !== 'none' && FRAME_TYPES[frame].banner !== null;
  const losses = [happens(0.65) ? 'cut' : '', isLacking ? 'glyphs' : ''].filter((loss) => loss !== '');
  return {
    caption,
    ...(!isInBanner && { caption_side: pick(['below', 'above', 'beside'] as const) }),
    ...(happens(0.5) && { caption_mm: fraction(0.9, happens(0.8) ? 6 : 60) }),
    ...(happens(0.6) && { caption_align: pick(['left', 'center', 'right'] as const) }),
    caption_weight: pick(['regular', 'bold'] as const),
    ...(happens(0.3) && { caption_color: someColor(chance) }),
    ...(losses.length > 0 && { allow: losses.join(',') }),
  };
};

/** A large odd number: neighbouring seeds share no cases. */
const SEED_STEP = 0x9e3779b1;
/** A seed of designs is less. */
const SPECIMENS = 2 ** 31 - 2;

/** Returns a case of a seed. */
export const caseOf = (seed: number, number: number): CaptionCase => {
  const random = createFractions(Math.imul(seed, SEED_STEP) ^ Math.imul(number + 1, SEED_STEP >>> 7));
  const chance = createChance(random);
  const format = FORMATS[number % FORMATS.length]!;
  const [specimen] = specimens(1 + Math.floor(random() * SPECIMENS), 1);
  const bare = sizeOf(chance, format === 'png' || format === 'webp');
  const frame = frameOf(chance);
  const name = chance.happens(0.5) ? wordsOf(chance, 3) : charactersOf(chance, 12);
  const lines = Array.from({ length: chance.pick([1, 1, 2, 3, 4]) }, () => lineOf(chance));
  const isLacking = chance.happens(0.1);
  if (isLacking) lines[0] = `${chance.pick(LACKED)}${lines[0]}`;
  // A banner needs its caption, and elsewhere a frame may stand alone.
  const hasCaption = frame.frame?.startsWith('banner') || frame.frame === 'none' || chance.happens(0.85);
  const words = hasCaption ? captionOf(chance, lines.join('\n'), frame, isLacking) : {};
  const filled = lines.join('\n').replaceAll('{name}', name).replaceAll('{content}', specimen!.text);
  const wanted = LACKED.reduce((text, lacked) => text.replaceAll(lacked, MISSING_AS), filled);
  return {
    ...{ number, format, specimen: specimen!, bare, name },
    dpi: bare.dpi,
    words: { ...bare, ...frame, ...words },
    wanted: hasCaption ? wanted.normalize('NFC') : '',
  };
};
