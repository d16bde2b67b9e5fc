/**
 * One document of sheets, written page by page, and its labels. Only the current page and what pages share are in
 * memory.
 */
import { once } from 'node:events';
import PDFDocument from 'pdfkit';
import { planRender } from '../plan.ts';
import { MM_PER_INCH, PT_PER_MM, sideModulesOf, sizeWithin } from '../print/dots.ts';
import { layOutPrint } from '../print/layout.ts';
import { type Design, type Fault, type Inks, isFault, type Logo } from '../protocol.ts';
import { gradeOf } from '../quality/grade.ts';
import { gradeFaultOfTill } from '../quality/grades.ts';
import { fitSymbol } from '../symbol/fit.ts';
import { createSymbol } from '../symbol/symbol.ts';
import { drawScene } from '../vector/pdf.ts';
import { type DocumentFont, internalsOf, openFont, setColor } from '../vector/pdf-objects.ts';
import { type Scene, sceneOf } from '../vector/scene.ts';
import { createCaptions } from './captions.ts';
import type { CaptionLoss, SheetLabel, SheetPage, SheetSettings } from './protocol.ts';

const INKS: Inks = { color: 'rgb', paper: '#ffffff' };
const NO_BYTES = new Uint8Array(0);
const MIDDLE = 2;

/** What is printed in place of a code is as large as fits. */
const MISSING_PT = { sizePt: 8, leastPt: 2 } as const;

/** Makes the functions that draw labels. @param logos By the keys of the labels. */
const createLabels = (
  doc: PDFKit.PDFDocument,
  {
    captions,
    fontOf,
  }: {
    /** `null`: labels have none. */
    readonly captions: ReturnType<typeof createCaptions> | null;
    readonly fontOf: () => DocumentFont;
  },
  { label: { code }, dpi, isForTill }: Pick<SheetSettings, 'label' | 'dpi' | 'isForTill'>,
  logos: ReadonlyMap<string, Logo>,
) => {
  /** Copies of a code come one after the other. */
  let last: { readonly label: SheetLabel; readonly scene: Scene; readonly widthMm: number } | null = null;
  let inPlace: ReturnType<typeof createCaptions> | null = null;

  const planFor = ({ text, logo: key }: SheetLabel, design: Design) => {
    const logo = key === null ? null : logos.get(key)!;
    const fitted = fitSymbol(text, design.symbol);
    if (isFault(fitted)) return fitted;
    const size = sizeWithin(code.widthMm, sideModulesOf(fitted.moduleCount, design), dpi);
    if (isFault(size)) return size;
    const print = layOutPrint(text, design, { ...size, ...(isForTill && { till: true }) }, 'vector');
    if (isFault(print)) return print;
    const plan = planRender(text, print.design, logo);
    if (isFault(plan)) return plan;
    const symbol = createSymbol(text, plan.symbol);
    if (isForTill) {
      const { quality, warnings } = gradeOf(symbol, print.design, plan.geometry, logo, print.page);
      const unread = gradeFaultOfTill(quality.grade, warnings);
      if (unread !== null) return unread;
    }
    return { plan, symbol, design: print.design, logo, widthMm: print.page.widthMm };
  };

  const pictureFor = (label: SheetLabel, written: Design): Exclude<typeof last, null> | Fault => {
    const { text, logo: key } = label;
    if (last?.label.design === written && last.label.text === text && last.label.logo === key) return last;
    const planned = planFor(label, written);
    if (isFault(planned)) return planned;
    const { plan, symbol, design, logo, widthMm } = planned;
    last = { label, scene: sceneOf(plan, symbol, design, logo), widthMm };
    return last;
  };

  /** Where a side begins whose middle is that of the area, on a whole dot of the printer. */
  const startOf = (fromMm: number, roomMm: number): number => {
    const mm = fromMm + roomMm / MIDDLE;
    return dpi === null ? mm : (Math.round((mm * dpi) / MM_PER_INCH) * MM_PER_INCH) / dpi;
  };

  const drawMissing = ({ missing, xMm, yMm }: SheetLabel): void => {
    inPlace ??= createCaptions(doc, fontOf(), { ...code, ...MISSING_PT, linesMax: 1, align: 'center' });
    inPlace.draw({ caption: missing, xMm, yMm });
  };

  return {
    /** Fills the label's background. Call it for all labels of a page before codes are drawn. */
    drawBackground({ background, design }: SheetLabel): void {
      const color = design && backgroundColor(design);
      if (background === null || color === null) return;
      doc.save();
      setColor(doc, color, INKS, 'fill');
      const { xMm, yMm, widthMm, heightMm } = background;
      const box = [xMm, yMm, widthMm, heightMm].map((mm) => (mm * PT_PER_MM).toFixed(3));
      internalsOf(doc).addContent(`${box.join(' ')} re f`);
      doc.restore();
    },
    /** Returns why the code of a label cannot be drawn; `null`: it can, or it has no design. */
    findFault(label: SheetLabel): Fault | null {
      const planned = label.design && planFor(label, label.design);
      return planned !== null && isFault(planned) ? planned : null;
    },
    /** Draws code and caption. Without a design, or when it returns a fault, it draws `missing` in place of the code. */
    draw(label: SheetLabel): Fault | null {
      const picture = label.design && pictureFor(label, label.design);
      const fault = picture !== null && isFault(picture) ? picture : null;
      if (picture === null || isFault(picture)) drawMissing(label);
      else {
        const roomMm = code.widthMm - picture.widthMm;
        const xMm = startOf(label.xMm + code.xMm, roomMm);
        const yMm = startOf(label.yMm + code.yMm, roomMm);
        const place = { xPt: xMm * PT_PER_MM, yPt: yMm * PT_PER_MM, widthPt: picture.widthMm * PT_PER_MM };
        drawScene(doc, picture.scene, place, INKS);
        release(picture.scene);
      }
      if (label.caption !== '') captions?.draw(label);
      return fault;
    },
  };
};

/** A bitmap is in the document once it is drawn. Its bytes are no longer needed, and there may be many. */
const release = ({ logo }: Scene): void => {
  if (logo !== null && logo.logo.vector === undefined) (logo.logo as { png: Uint8Array }).png = NO_BYTES;
};

/** Returns the background colour to continue around the code; `null` when it is not a solid colour. */
const backgroundColor = ({ background: { paint, round } }: Design): string | null =>
  typeof paint === 'string' && round === 0 ? paint : null;

/** Labels without a code, by their place. */
type Faults = readonly { readonly place: number; readonly fault: Fault }[];

/** An open document. */
interface SheetDocument {
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
