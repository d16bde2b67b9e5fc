/** The font of texts: DejaVu Sans Mono in two weights, which characters it has, and how wide these are drawn. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getOrMake } from '../kept.ts';
import { ADVANCE, NARROWNESS } from './text.ts';

const FILES = { regular: 'DejaVuSansMono.ttf', bold: 'DejaVuSansMono-Bold.ttf' } as const;
/** A weight of the font. */
export type Weight = keyof typeof FILES;

const require = createRequire(import.meta.url);

/** Returns the path of a TrueType file. */
export const fontPath = (weight: Weight): string => require.resolve(`dejavu-fonts-ttf/ttf/${FILES[weight]}`);

const DIRECTORY_AT = 12;
const DIRECTORY_ENTRY_BYTES = 16;

/** Returns where a table begins: OpenType 1.9, "Organization of an OpenType Font". */
const tableAt = (font: Buffer, tag: string): number => {
  for (let table = 0; table < font.readUInt16BE(4); table += 1) {
    const at = DIRECTORY_AT + table * DIRECTORY_ENTRY_BYTES;
    if (font.toString('latin1', at, at + tag.length) === tag) return font.readUInt32BE(at + 8);
  }
  throw new Error(`the font has no table ${tag}`);
};

/** Platform and encoding of the tables of Unicode, the largest first. */
const ENCODINGS = ['3 10', '0 4', '3 1', '0 3'];

/** Returns where the table with the most characters begins: OpenType 1.9, `cmap`. */
const mappingAt = (font: Buffer): number => {
  const cmap = tableAt(font, 'cmap');
  const mappings = new Map<string, number>();
  for (let record = 0; record < font.readUInt16BE(cmap + 2); record += 1) {
    const at = cmap + 4 + 8 * record;
    mappings.set(`${font.readUInt16BE(at)} ${font.readUInt16BE(at + 2)}`, cmap + font.readUInt32BE(at + 4));
  }
  const found = ENCODINGS.map((encoding) => mappings.get(encoding)).find((at) => at !== undefined);
  if (found === undefined) throw new Error('the font has no table of Unicode');
  return found;
};

/** Format 4: segments of the basic multilingual plane. */
const addSegments = (font: Buffer, at: number, glyphs: Map<number, number>): void => {
  const bytes = font.readUInt16BE(at + 6);
  const [ends, starts] = [at + 14, at + 16 + bytes];
  const [deltas, offsets] = [starts + bytes, starts + 2 * bytes];
  for (let segment = 0; segment < bytes; segment += 2) {
    const [start, end] = [font.readUInt16BE(starts + segment), font.readUInt16BE(ends + segment)];
    const [delta, offset] = [font.readUInt16BE(deltas + segment), font.readUInt16BE(offsets + segment)];
    for (let code = start; code <= end && code < 0xffff; code += 1) {
      const listed = offset === 0 ? code : font.readUInt16BE(offsets + segment + offset + 2 * (code - start));
      const glyph = (listed + delta) & 0xffff;
      if (listed !== 0 && glyph !== 0) glyphs.set(code, glyph);
    }
  }
};

/** Format 12: groups of all planes. */
const addGroups = (font: Buffer, at: number, glyphs: Map<number, number>): void => {
  for (let group = 0; group < font.readUInt32BE(at + 12); group += 1) {
    const from = at + 16 + 12 * group;
    const [start, end] = [font.readUInt32BE(from), font.readUInt32BE(from + 4)];
    const first = font.readUInt32BE(from + 8);
    for (let code = start; code <= end; code += 1) {
      if (first + code - start !== 0) glyphs.set(code, first + code - start);
    }
  }
};

/** How far a letter is drawn left of its place and into that of the next one, in ems. */
export type Overhang = Readonly<Record<'left' | 'right', number>>;

/** Of most letters. */
export const NO_OVERHANG: Overhang = { left: 0, right: 0 };

/** Returns the letters that are drawn beyond their place, by the boxes of their outlines: OpenType 1.9, `glyf`. */
const readOverhangs = (font: Buffer, glyphs: ReadonlyMap<number, number>): ReadonlyMap<number, Overhang> => {
  const [head, loca, glyf] = ['head', 'loca', 'glyf'].map((tag) => tableAt(font, tag)) as [
    number,
    number,
    number,
  ];
  const unitsPerEm = font.readUInt16BE(head + 18);
  const isLong = font.readInt16BE(head + 50) === 1;
  const startOf = (glyph: number): number =>
    isLong ? font.readUInt32BE(loca + 4 * glyph) : 2 * font.readUInt16BE(loca + 2 * glyph);
  const overhangs = new Map<number, Overhang>();
  for (const [code, glyph] of glyphs) {
    const at = startOf(glyph);
    if (at === startOf(glyph + 1)) continue; // It is blank.
    const [from, to] = [2, 6].map(
      (field) => (font.readInt16BE(glyf + at + field) / unitsPerEm) * NARROWNESS,
    ) as [number, number];
    const overhang = { left: Math.max(0, 0 - from), right: Math.max(0, to - ADVANCE) };
    if (overhang.left > 0 || overhang.right > 0) overhangs.set(code, overhang);
  }
  return overhangs;
};

/** The characters of a weight. */
interface Characters {
  /** Their glyphs, by code point. */
  readonly glyphs: ReadonlyMap<number, number>;
  readonly overhangs: ReadonlyMap<number, Overhang>;
}

const readCharacters = (weight: Weight): Characters => {
  const font = readFileSync(fontPath(weight));
  const at = mappingAt(font);
  const glyphs = new Map<number, number>();
  const format = font.readUInt16BE(at);
  if (format === 4) addSegments(font, at, glyphs);
  else if (format === 12) addGroups(font, at, glyphs);
  else throw new Error(`the font has a table of format ${format}`);
  return { glyphs, overhangs: readOverhangs(font, glyphs) };
};

const known = new Map<Weight, Characters>();

/**
 * The first call of a weight reads its file, which takes some milliseconds: the outlines, which take a hundred times as
 * long, are not needed to lay text out.
 */
const charactersOf = (weight: Weight): Characters => getOrMake(known, weight, () => readCharacters(weight));

/** Whether the font has a glyph for a character. */
export const hasGlyph = (character: string, weight: Weight): boolean =>
  charactersOf(weight).glyphs.has(character.codePointAt(0)!);

/** Returns how far a character that the font has is drawn beyond its place. */
export const overhangOf = (character: string, weight: Weight): Overhang =>
  charactersOf(weight).overhangs.get(character.codePointAt(0)!) ?? NO_OVERHANG;
