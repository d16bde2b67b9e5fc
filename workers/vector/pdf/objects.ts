import type PDFDocument from 'pdfkit';
import type { Inks } from '../../protocol.ts';
import { inkOf, rgbaOf } from '../colors.ts';
import { drawPath, formatNumber } from '../path.ts';

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
  };
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

/** Sets the colour and the opacity of what is drawn next. */
export const setColor = (doc: PdfDocument, color: string, inks: Inks, use: 'fill' | 'stroke'): void => {
  const rgba = rgbaOf(color);
  const ink = inkOf(rgba, inks);
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
