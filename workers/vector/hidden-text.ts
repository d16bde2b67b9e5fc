/**
 * Text that is not drawn, below its outlines, where programs search, copy and extract it. Its font has no outlines either,
 * so that it is the same for all files, and small: printers refuse files that lack a font.
 */
import { deflateSync } from 'node:zlib';
import { getOrMake } from '../kept.ts';
import type { Weight } from '../print/font.ts';
import { textFont } from '../print/letters.ts';
import { CAP_HEIGHT, NARROWNESS } from '../print/text.ts';
import type { TextBlock } from '../protocol.ts';
import { internalsOf, type PdfDocument, type PdfReference } from './pdf-objects.ts';

const PERCENT = 100;
/** Of a letter that has no width of its own, in ems: readers leave out those of none. */
const LEAST_WIDTH = 0.01;
/** Units of an em in PDF. */
const EM = 1000;
/** Flags of a font: all letters have one width, and it has characters of its own. ISO 32000-1, 9.8.2. */
const FIXED_PITCH_SYMBOLIC = 0b101;

/** What all files have in common. */
interface BlankFont {
  readonly name: string;
  /** A font of nothing but a space, which is its glyph 1. */
  readonly program: Buffer;
  readonly programBytes: number;
  readonly widthOfAll: number;
  readonly descriptor: Record<string, unknown>;
}

const blankFonts = new Map<Weight, BlankFont>();

const blankFontOf = (weight: Weight): BlankFont =>
  getOrMake(blankFonts, weight, () => {
    const file = textFont(weight);
    const scale = EM / file.unitsPerEm;
    const space = file.glyphForCodePoint(' '.codePointAt(0)!);
    const subset = file.createSubset();
    subset.includeGlyph(space.id);
    const program = subset.encode();
    const { minX, minY, maxX, maxY } = file.bbox;
    const name = `TEXTUN+${file.postscriptName}`;
    return {
      name,
      program: deflateSync(program),
      programBytes: program.length,
      widthOfAll: space.advanceWidth * scale,
      descriptor: {
        Type: 'FontDescriptor',
        FontName: name,
        Flags: FIXED_PITCH_SYMBOLIC,
        FontBBox: [minX, minY, maxX, maxY].map((units) => units * scale),
        ItalicAngle: 0,
        Ascent: file.ascent * scale,
        Descent: file.descent * scale,
        CapHeight: CAP_HEIGHT * EM,
        StemV: 0,
      },
    };
  });

const CHARACTERS = 65_536;
/** Every character is the glyph 1. */
const ALL_BLANK = deflateSync(Buffer.alloc(2 * CHARACTERS, '0001', 'hex'));

const toHex = (code: number): string => code.toString(16).padStart(4, '0');

/** Returns a character in UTF-16. */
const utf16Of = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => toHex(character.charCodeAt(at))).join('');

/** Characters in a list of a map, at most: Adobe Technical Note #5014. */
const LISTED_MAX = 100;

/** Returns the map from codes to characters: ISO 32000-1, 9.10.3. */
const unicodeMap = (characters: readonly string[]): string => {
  const entries = characters.map((character, index) => `<${toHex(index + 1)}> <${utf16Of(character)}>`);
  const lists: string[] = [];
  for (let from = 0; from < entries.length; from += LISTED_MAX) {
    const list = entries.slice(from, from + LISTED_MAX);
    lists.push(`${list.length} beginbfchar\n${list.join('\n')}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${lists.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
};

/** Adds a font to a document. @param characters Those that it has, whose codes are 1 and up. */
const addFont = (doc: PdfDocument, weight: Weight, characters: readonly string[]): PdfReference => {
  const inner = internalsOf(doc);
  const { name, program, programBytes, widthOfAll, descriptor } = blankFontOf(weight);
  const ended = (data: Record<string, unknown>, content?: string | Uint8Array): PdfReference => {
    const object = inner.ref(data);
    object.end(content);
    return object;
  };
  const packed = { Filter: 'FlateDecode' };
  const file = ended({ ...packed, Length1: programBytes }, program);
  const descendant = ended({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    CIDSystemInfo: { Registry: new String('Adobe'), Ordering: new String('Identity'), Supplement: 0 },
    FontDescriptor: ended({ ...descriptor, FontFile2: file }),
    // Some readers take no fraction for the default width.
    W: [0, characters.length, widthOfAll],
    CIDToGIDMap: ended({ ...packed }, ALL_BLANK),
  });
  return ended({
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: name,
    Encoding: 'Identity-H',
    DescendantFonts: [descendant],
    ToUnicode: ended({}, unicodeMap(characters)),
  });
};

/** Returns the percentage that makes a letter as wide as it is drawn. @param width In ems. */
const stretchOf = (width: number, widthOfAll: number): string =>
  ((Math.max(width, LEAST_WIDTH) / widthOfAll) * EM * PERCENT).toFixed(2);

const FONT_IDS: Readonly<Record<Weight, string>> = { regular: 'Text', bold: 'TextBold' };

/**
 * Writes texts in the invisible mode (ISO 32000-1, 9.3.6), letters where their outlines are. Units are those of the texts.
 * The mode stays in the graphics state.
 */
export const writeHiddenTexts = (doc: PdfDocument, texts: readonly TextBlock[]): void => {
  const codes = new Map<Weight, Map<string, string>>();
  const content: string[] = [];
  for (const { weight = 'regular', sizePx, lines } of texts) {
    const known = getOrMake(codes, weight, () => new Map<string, string>());
    const codeOf = (character: string): string => getOrMake(known, character, () => toHex(known.size + 1));
    content.push(`3 Tr ${NARROWNESS * PERCENT} Tz`);
    for (const { text, xPx, baselinePx, shaped } of lines) {
      const write = (codesOf: string, x: number): void => {
        // The page's y axis points down, and letters stand upright.
        content.push(
          `BT /${FONT_IDS[weight]} ${sizePx} Tf 1 0 0 -1 ${x.toFixed(2)} ${baselinePx.toFixed(2)} Tm <${codesOf}> Tj ET`,
        );
      };
      if (shaped === undefined) write([...text].map(codeOf).join(''), xPx);
      else {
        for (const letter of shaped.letters) {
          content.push(`${stretchOf(letter.width, blankFontOf(weight).widthOfAll)} Tz`);
          write(codeOf(letter.text), xPx + letter.x * sizePx);
        }
        content.push(`${NARROWNESS * PERCENT} Tz`);
      }
    }
  }
  const inner = internalsOf(doc);
  for (const [weight, known] of codes)
    inner.page.fonts[FONT_IDS[weight]] = addFont(doc, weight, [...known.keys()]);
  if (content.length > 0) inner.addContent(content.join('\n'));
};
