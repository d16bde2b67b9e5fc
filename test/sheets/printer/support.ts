/** Labels as printers with only black dots print them, without the thread of a document. */
import { createRequire } from 'node:module';
import { toDesign } from '../../../src/generate/request/design.ts';
import type { PictureOptions } from '../../../src/generate/request/picture-options.ts';
import { cellAt, labelArea } from '../../../src/sheets/grid.ts';
import type { SheetsRequest } from '../../../src/sheets/request.ts';
import { resolveSheet, type Sheet } from '../../../src/sheets/sheet.ts';
import type { Logo } from '../../../workers/protocol.ts';
import { openPrinterDocument } from '../../../workers/sheets/printer/document.ts';
import { EPL } from '../../../workers/sheets/printer/epl.ts';
import { ZPL } from '../../../workers/sheets/printer/zpl.ts';
import type { SheetLabel, SheetPage } from '../../../workers/sheets/protocol.ts';
import type { GrayPage } from '../../support/pictures/print.ts';
import { printEpl } from '../../support/printers/epl.ts';
import type { PrintedLabel } from '../../support/printers/label.ts';
import { printZpl } from '../../support/printers/zpl.ts';

export const fontPath = createRequire(import.meta.url).resolve(
  'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
);

/** The formats of label printers. */
export type PrinterFormat = 'zpl' | 'epl';

export const sheetOf = (request: SheetsRequest, format: PrinterFormat = 'zpl'): Sheet => {
  const sheet = resolveSheet(request, [], format);
  if (!sheet.ok) throw new Error(`${sheet.fault.field} ${sheet.fault.message}`);
  return sheet.value;
};

/** A label to print, by the place of its label on the page. */
export interface Wanted {
  readonly text: string;
  readonly options?: PictureOptions;
  readonly design?: SheetLabel['design'];
  readonly caption?: string;
  readonly logo?: Logo;
}

const toLabel = (
  sheet: Sheet,
  { text, options = {}, design = toDesign(options), caption = '', logo }: Wanted,
  place: number,
): SheetLabel => {
  const { xMm, yMm } = labelArea(sheet.grid, cellAt(sheet.grid, 'rows', place));
  const key = logo === undefined ? null : `logo of ${logo.png.length}`;
  return { xMm, yMm, background: null, text, design, logo: key, missing: 'no code: 7', caption };
};

/** Returns a page with these labels. */
export const pageOf = (sheet: Sheet, wanted: readonly Wanted[]): SheetPage => ({
  labels: wanted.map((one, place) => toLabel(sheet, one, place)),
  logos: new Map(wanted.flatMap(({ logo }) => (logo ? [[`logo of ${logo.png.length}`, logo] as const] : []))),
});

export const open = (sheet: Sheet) =>
  openPrinterDocument(
    { ...sheet, widthMm: sheet.grid.widthMm, heightMm: sheet.grid.heightMm, title: '', fontPath },
    sheet.format === 'zpl' ? ZPL : EPL,
  );

/** Draws pages, and returns the file. @throws {Error} When a code cannot be drawn. */
export const make = async (sheet: Sheet, pages: readonly (readonly Wanted[])[]): Promise<Uint8Array> => {
  const document = open(sheet);
  const written: Uint8Array[] = [];
  for (const page of pages) {
    const { faults } = document.drawPage(pageOf(sheet, page));
    if (faults.length > 0) throw new Error(faults[0]!.fault.message);
    written.push(document.take());
  }
  return Buffer.concat([...written, await document.end()]);
};

/** Prints a file on the printer that it is for. */
export const print = (sheet: Sheet, file: Uint8Array): readonly PrintedLabel[] =>
  sheet.format === 'zpl'
    ? printZpl(file)
    : printEpl(file, Math.round((sheet.grid.heightMm * sheet.dpi!) / 25.4));

/** Returns the page in `times` as many dots each way: readers need more than one for a module. */
export const enlarge = ({ data, widthPx, heightPx }: GrayPage, times: number): GrayPage => {
  const width = widthPx * times;
  const large = new Uint8Array(width * heightPx * times);
  for (let i = 0; i < large.length; i += 1) {
    const [x, y] = [Math.floor((i % width) / times), Math.floor(i / width / times)];
    large[i] = data[y * widthPx + x]!;
  }
  return { data: large, widthPx: width, heightPx: heightPx * times };
};

/** Returns a rectangle of a page. */
export const cut = (
  { data, widthPx }: GrayPage,
  [x, y, width, height]: readonly [number, number, number, number],
): GrayPage => {
  const part = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1)
    part.set(data.subarray((y + row) * widthPx + x, (y + row) * widthPx + x + width), row * width);
  return { data: part, widthPx: width, heightPx: height };
};
