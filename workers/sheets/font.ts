/** The font of captions: one subset for the whole document. */
import { getOrMake } from '../kept.ts';
import { internalsOf } from '../vector/pdf/objects.ts';
import { MISSING } from './text.ts';

/** What pdfkit knows of an embedded font, beyond its typed interface. */
interface EmbeddedFont {
  readonly id: string;
  readonly font: {
    glyphForCodePoint(codePoint: number): { readonly id: number; readonly advanceWidth: number };
  };
  readonly subset: { includeGlyph(id: number): number };
  readonly widths: number[];
  readonly unicode: (readonly number[])[];
  /** From the font's units to thousandths of its size. */
  readonly scale: number;
  readonly ascender: number;
  readonly descender: number;
  ref(): unknown;
}

/** The font of a document. */
export type CaptionFont = ReturnType<typeof openFont>;

/**
 * Adds a font to a document. Its characters are set one by one, from left to right: pdfkit's own layout with kerning
 * and ligatures takes forty times as long, and keeps every word that it has seen.
 */
export const openFont = (doc: PDFKit.PDFDocument, path: string) => {
  doc.font(path);
  const font = (doc as unknown as { readonly _font: EmbeddedFont })._font;
  /** Glyphs of the subset: their number, as the content of a page has it, and their width in sizes of the font. */
  const glyphs = new Map<string, { readonly hex: string; readonly width: number }>();

  const glyphOf = (character: string) =>
    getOrMake(glyphs, character, () => {
      const codePoint = character.codePointAt(0)!;
      const { id, advanceWidth } = font.font.glyphForCodePoint(codePoint);
      const number = font.subset.includeGlyph(id);
      font.widths[number] = advanceWidth * font.scale;
      font.unicode[number] = [codePoint];
      return { hex: number.toString(16).padStart(4, '0'), width: (advanceWidth * font.scale) / 1000 };
    });

  return {
    has: (character: string): boolean =>
      character === MISSING ||
      glyphs.has(character) ||
      font.font.glyphForCodePoint(character.codePointAt(0)!).id !== 0,
    /** Returns the width of a character in sizes of the font. */
    widthOf: (character: string): number => glyphOf(character).width,
    /** How far letters reach above and below the line, in sizes of the font. */
    ascent: font.ascender / 1000,
    descent: -font.descender / 1000,
    /** Writes a line at a place from the page's top left corner, in points. Takes characters that the font has. */
    write(line: string, xPt: number, yPt: number, sizePt: number): void {
      const { fonts } = doc.page as unknown as { readonly fonts: Record<string, unknown> };
      fonts[font.id] ??= font.ref();
      const codes = [...line].map((character) => glyphOf(character).hex).join('');
      // The page's y axis points down, and letters stand upright.
      internalsOf(doc).addContent(
        `BT /${font.id} ${sizePt} Tf 1 0 0 -1 ${xPt.toFixed(2)} ${yPt.toFixed(2)} Tm <${codes}> Tj ET`,
      );
    },
  };
};
