/**
 * What PDFs are written with: objects, colours and paths, and fonts, of which one subset is embedded for the whole
 * document.
 */
import type PDFDocument from 'pdfkit';
import { getOrMake } from '../kept.ts';
import type { Inks } from '../protocol.ts';
import { DEVICES, inkOf, rgbaOf, spotOf } from './colors.ts';
import { drawPath, formatNumber } from './path.ts';

/** A document of pdfkit. */
export type PdfDocument = InstanceType<typeof PDFDocument>;

/** What pdfkit has beyond its typed interface: resources of a page, references and the catalog. */
export interface PdfInternals {
  readonly info: Record<string, unknown>;
  readonly _root: PdfReference;
  ref(data: Record<string, unknown>): PdfReference;
  addContent(data: string): unknown;
  readonly page: {
    readonly height: number;
    readonly dictionary: PdfReference;
    readonly resources: PdfReference;
    readonly ext_gstates: Record<string, PdfReference>;
    readonly xobjects: Record<string, PdfReference>;
    readonly fonts: Record<string, PdfReference>;
    readonly content: PdfContent;
  };
}

/** The content of a page before it is written. */
export interface PdfContent {
  readonly uncompressedLength: number;
  buffer: readonly Uint8Array[];
  compress: boolean;
}

/** An object of the file. It is written when it ends. */
export interface PdfReference {
  readonly data: Record<string, unknown>;
  end(chunk?: string | Uint8Array): void;
}

/** Returns the same document with its internals. */
export const internalsOf = (doc: PdfDocument): PdfInternals => doc as unknown as PdfInternals;

const numbers = (values: readonly number[]): string => values.map((value) => formatNumber(value)).join(' ');

/** What sets a fill, by its number of components. In capitals they set a stroke. */
const OPERATORS: Readonly<Record<number, string>> = { 1: 'g', 3: 'rg', 4: 'k' };

/** Writes a name with the characters that PDF has other uses for as codes: ISO 32000-1, 7.3.5. */
const nameOf = (text: string): string =>
  text.replace(/[^\w.+-]/g, (character) => `#${character.charCodeAt(0).toString(16).padStart(2, '0')}`);

/**
 * Sets an ink of its own, in full, as the colour of what is drawn next.
 *
 * @param instead The components that stand for it where there is no such ink.
 */
export const setInk = (
  doc: PdfDocument,
  name: string,
  instead: readonly number[],
  use: 'fill' | 'stroke',
): void => {
  const inner = internalsOf(doc);
  const [space, nothing] = DEVICES[instead.length]!;
  const { data } = inner.page.resources;
  data.ColorSpace ??= {};
  const key = `Ink-${nameOf(name)}`;
  (data.ColorSpace as Record<string, unknown>)[key] ??= [
    'Separation',
    nameOf(name),
    space,
    { FunctionType: 2, Domain: [0, 1], N: 1, C0: instead.map(() => nothing), C1: [...instead] },
  ];
  inner.addContent(`/${key} ${use === 'fill' ? 'cs 1 scn' : 'CS 1 SCN'}`);
};

/** Lets what is drawn next print over what is below, which stays in all inks that it does not have. */
export const setOverprint = (doc: PdfDocument): void => {
  const inner = internalsOf(doc);
  const states = inner.page.ext_gstates;
  if (states.Over === undefined) {
    states.Over = inner.ref({ Type: 'ExtGState', OP: true, op: true, OPM: 1 });
    states.Over.end();
  }
  inner.addContent('/Over gs');
};

/** Sets the colour and the opacity of what is drawn next. */
export const setColor = (doc: PdfDocument, color: string, inks: Inks, use: 'fill' | 'stroke'): void => {
  const rgba = rgbaOf(color);
  const ink = inkOf(rgba, inks);
  const spot = spotOf(rgba, inks);
  if (spot !== null) {
    setInk(doc, spot.name, ink, use);
    return;
  }
  if (rgba.alpha < 1) doc.opacity(rgba.alpha);
  const operator = OPERATORS[ink.length]!;
  internalsOf(doc).addContent(`${numbers(ink)} ${use === 'fill' ? operator : operator.toUpperCase()}`);
};

/** Writes path data with the operators of PDF, one a line. */
export const pdfPath = (path: string): string => {
  let content = '';
  const write = (operator: string, ...values: readonly number[]): void => {
    content += values.length === 0 ? `${operator}\n` : `${numbers(values)} ${operator}\n`;
  };
  drawPath(path, {
    move: (x, y) => write('m', x, y),
    line: (x, y) => write('l', x, y),
    curve: (...points) => write('c', ...points),
    close: () => write('h'),
  });
  return content;
};

/** What pdfkit knows of a font, beyond its typed interface. Lengths are in its units. */
export interface FontFile {
  readonly unitsPerEm: number;
  readonly postscriptName: string;
  readonly ascent: number;
  readonly descent: number;
  readonly bbox: Readonly<Record<'minX' | 'minY' | 'maxX' | 'maxY', number>>;
  createSubset(): { includeGlyph(id: number): number; encode(): Uint8Array };
  glyphForCodePoint(codePoint: number): {
    readonly id: number;
    readonly advanceWidth: number;
    readonly bbox: FontFile['bbox'];
    readonly path: { readonly commands: readonly OutlineCommand[] };
  };
}

/** A command of an outline, its points with y upwards. */
export interface OutlineCommand {
  readonly command: string;
  readonly args: readonly number[];
}

/** What pdfkit knows of an embedded font, beyond its typed interface. */
interface EmbeddedFont {
  readonly id: string;
  readonly font: FontFile;
  readonly subset: { includeGlyph(id: number): number };
  readonly widths: number[];
  readonly unicode: (readonly number[])[];
  /** From the font's units to thousandths of its size. */
  readonly scale: number;
  readonly ascender: number;
  readonly descender: number;
  ref(): unknown;
}

/** A glyph in the subset of a document: its number, as the content of a page has it, and lengths in sizes of the font. */
interface SubsetGlyph {
  readonly hex: string;
  readonly width: number;
  readonly above: number;
  readonly below: number;
}

export type DocumentFont = ReturnType<typeof openFont>;

/**
 * Adds a font to a document. Its characters are set one by one, from left to right: pdfkit's own layout with kerning
 * and ligatures takes forty times as long, and keeps every word that it has seen.
 *
 * @param source Its path, or a font that is read already.
 */
export const openFont = (doc: PdfDocument, source: string | FontFile) => {
  doc.font(source as string);
  const font = (doc as unknown as { readonly _font: EmbeddedFont })._font;
  const glyphs = new Map<string, SubsetGlyph>();

  const glyphOf = (character: string) =>
    getOrMake(glyphs, character, () => {
      const codePoint = character.codePointAt(0)!;
      const { id, advanceWidth, bbox } = font.font.glyphForCodePoint(codePoint);
      const number = font.subset.includeGlyph(id);
      font.widths[number] = advanceWidth * font.scale;
      font.unicode[number] = [codePoint];
      const em = font.scale / 1000;
      return {
        hex: number.toString(16).padStart(4, '0'),
        width: advanceWidth * em,
        // A blank has an empty box, with infinite sides.
        above: Math.max(0, bbox.maxY * em),
        below: Math.max(0, -bbox.minY * em),
      };
    });

  return {
    file: font.font,
    /** Whether the font has a glyph for a character. */
    has: (character: string): boolean =>
      glyphs.has(character) || font.font.glyphForCodePoint(character.codePointAt(0)!).id !== 0,
    /** Returns the width of a character in sizes of the font. */
    widthOf: (character: string): number => glyphOf(character).width,
    /** How far usual letters reach above and below the line, in sizes of the font. */
    ascent: font.ascender / 1000,
    descent: -font.descender / 1000,
    /** Returns how far a letter is drawn above and below the line, in sizes of the font. */
    reachOf(character: string): Readonly<Record<'above' | 'below', number>> {
      const { above, below } = glyphOf(character);
      return { above, below };
    },
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
