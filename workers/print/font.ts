/** The font of texts: DejaVu Sans Mono in two weights, and which characters it has. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getOrMake } from '../kept.ts';

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
const addSegments = (font: Buffer, at: number, characters: Set<number>): void => {
  const bytes = font.readUInt16BE(at + 6);
  const [ends, starts] = [at + 14, at + 16 + bytes];
  const [deltas, offsets] = [starts + bytes, starts + 2 * bytes];
  for (let segment = 0; segment < bytes; segment += 2) {
    const [start, end] = [font.readUInt16BE(starts + segment), font.readUInt16BE(ends + segment)];
    const [delta, offset] = [font.readUInt16BE(deltas + segment), font.readUInt16BE(offsets + segment)];
    for (let code = start; code <= end && code < 0xffff; code += 1) {
      const listed = offset === 0 ? code : font.readUInt16BE(offsets + segment + offset + 2 * (code - start));
      if (listed !== 0 && ((listed + delta) & 0xffff) !== 0) characters.add(code);
    }
  }
};

/** Format 12: groups of all planes. */
const addGroups = (font: Buffer, at: number, characters: Set<number>): void => {
  for (let group = 0; group < font.readUInt32BE(at + 12); group += 1) {
    const from = at + 16 + 12 * group;
    const [start, end] = [font.readUInt32BE(from), font.readUInt32BE(from + 4)];
    const first = font.readUInt32BE(from + 8);
    for (let code = start; code <= end; code += 1) if (first + code - start !== 0) characters.add(code);
  }
};

const readCharacters = (weight: Weight): ReadonlySet<number> => {
  const font = readFileSync(fontPath(weight));
  const at = mappingAt(font);
  const characters = new Set<number>();
  const format = font.readUInt16BE(at);
  if (format === 4) addSegments(font, at, characters);
  else if (format === 12) addGroups(font, at, characters);
  else throw new Error(`the font has a table of format ${format}`);
  return characters;
};

const known = new Map<Weight, ReadonlySet<number>>();

/**
 * Whether the font has a glyph for a character. The first call of a weight reads its file, which takes some
 * milliseconds: the outlines, which take a hundred times as long, are not needed to lay text out.
 */
export const hasGlyph = (character: string, weight: Weight): boolean =>
  getOrMake(known, weight, () => readCharacters(weight)).has(character.codePointAt(0)!);
