/** One document of sheets, written page by page. Only the current page and what pages share are in memory. */
import { once } from 'node:events';
import PDFDocument from 'pdfkit';
import { PT_PER_MM } from '../print/dots.ts';
import type { Fault, Logo } from '../protocol.ts';
import { type DocumentFont, openFont } from '../vector/pdf/font.ts';
import { internalsOf } from '../vector/pdf/objects.ts';
import { createCaptions } from './captions.ts';
import { createLabels } from './label.ts';
import type { CaptionLoss, SheetLabel, SheetPage, SheetSettings } from './protocol.ts';

/** Labels without a code, by their place. */
type Faults = readonly { readonly place: number; readonly fault: Fault }[];

/** An open document. */
export interface SheetDocument {
  /** Returns what of each caption cannot be printed, and which codes cannot be drawn. Draws nothing. */
  check(page: SheetPage): { readonly losses: readonly (CaptionLoss | null)[]; readonly faults: Faults };
  /** Draws the next page. Returns the labels whose codes could not be drawn, and why. */
  drawPage(page: SheetPage): Faults;
  /** Takes the bytes that were written since the last call: all pages but the latest one. */
  take(): Uint8Array<ArrayBuffer>;
  /** Ends the document. Returns the bytes that are left. */
  end(): Promise<Uint8Array<ArrayBuffer>>;
}

/** A quarter of a point: the thinnest line that every printer prints. */
const MARK_WIDTH_PT = 0.25;
/** Strokes in black, which is K alone. */
const BLACK = '0 G';
const NOTHING = Buffer.alloc(0);

/** What a page is made of. A written page forgets it; pdfkit would keep it until the end of the document. */
const PARTS = ['dictionary', 'resources', 'content'] as const;
type WrittenPage = Readonly<Record<(typeof PARTS)[number], { data: Record<string, unknown> }>>;

const findFaults = ({ labels }: SheetPage, faultOf: (label: SheetLabel) => Fault | null): Faults =>
  labels.flatMap((label, place) => {
    const fault = faultOf(label);
    return fault === null ? [] : [{ place, fault }];
  });

/** Opens a document. @throws When the font cannot be read. */
export const openDocument = (settings: SheetSettings): SheetDocument => {
  const { widthMm, heightMm, outsetMm, bleedMm, marks } = settings;
  const [widthPt, heightPt] = [widthMm, heightMm].map((mm) => (mm + 2 * outsetMm) * PT_PER_MM);
  const doc = new PDFDocument({
    autoFirstPage: false,
    margin: 0,
    pdfVersion: '1.4',
    size: [widthPt!, heightPt!],
    info: { Title: settings.title, Producer: 'Tessera', Creator: 'Tessera' },
    // Otherwise pdfkit adds Helvetica, which nothing uses.
    font: null as unknown as string,
  });
  const logos = new Map<string, Logo>();
  const { caption: area } = settings.label;
  let font: DocumentFont | null = null;
  const fontOf = (): DocumentFont => {
    font ??= openFont(doc, settings.fontPath);
    return font;
  };
  const captions = area && createCaptions(doc, fontOf(), area);
  const labels = createLabels(doc, { captions, fontOf }, settings, logos);

  const addPage = (): void => {
    const last = doc.page as unknown as WrittenPage | null;
    doc.addPage();
    for (const part of last === null ? [] : PARTS) last![part].data = {};
    const { data } = internalsOf(doc).page.dictionary;
    const box = (outMm: number): number[] => {
      const edge = (outsetMm - outMm) * PT_PER_MM;
      return [edge, edge, widthPt! - edge, heightPt! - edge];
    };
    data.TrimBox = box(0);
    data.BleedBox = box(Math.min(bleedMm, outsetMm));
    // From here on positions are relative to the page, whatever margin the paper has.
    doc.translate(outsetMm * PT_PER_MM, outsetMm * PT_PER_MM);
  };

  const drawMarks = (): void => {
    const number = (mm: number): string => (mm * PT_PER_MM).toFixed(3);
    const lines = marks.map(
      ({ x1Mm, y1Mm, x2Mm, y2Mm }) => `${number(x1Mm)} ${number(y1Mm)} m ${number(x2Mm)} ${number(y2Mm)} l S`,
    );
    internalsOf(doc).addContent([`${BLACK} ${MARK_WIDTH_PT} w`, ...lines].join('\n'));
  };

  return {
    check(page) {
      for (const [key, logo] of page.logos) logos.set(key, { ...logo, png: NOTHING });
      return {
        losses: page.labels.map(({ caption }) => captions?.findLoss(caption) ?? null),
        faults: findFaults(page, labels.findFault),
      };
    },
    drawPage(page) {
      addPage();
      for (const [key, logo] of page.logos) logos.set(key, { ...logo });
      for (const label of page.labels) labels.drawBackground(label);
      if (marks.length > 0) drawMarks();
      return findFaults(page, labels.draw);
    },
    take: () => Uint8Array.from((doc.read() as Buffer | null) ?? NOTHING),
    async end() {
      const ended = once(doc, 'end');
      const chunks: Buffer[] = [];
      doc.on('data', (chunk: Buffer) => chunks.push(chunk));
      doc.end();
      await ended;
      return Uint8Array.from(Buffer.concat(chunks));
    },
  };
};
