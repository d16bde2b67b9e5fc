/**
 * One PDF of sheets, written page by page, and its labels. Only the current page and what pages share are in memory.
 */
import { once } from 'node:events';
import PDFDocument from 'pdfkit';
import { MM_PER_INCH, PT_PER_MM, sizeOnLabel } from '../print/dots.ts';
import { type Design, type Fault, type Inks, isFault, type Logo, type TextBlock } from '../protocol.ts';
import { gradeOf } from '../quality/grade.ts';
import { gradeFaultOfTill } from '../quality/grades.ts';
import { writeHiddenTexts } from '../vector/hidden-text.ts';
import { drawScene, fillText } from '../vector/pdf.ts';
import { type DocumentFont, internalsOf, openFont, setColor } from '../vector/pdf-objects.ts';
import { type Scene, sceneOf } from '../vector/scene.ts';
import { createCaptions, type PlacedCaption } from './captions.ts';
import { findFaults, MISSING_AREA, planCode, type SheetDocument } from './pages.ts';
import type { SheetLabel, SheetSettings } from './protocol.ts';

const INKS: Inks = { color: 'rgb', paper: '#ffffff' };
const NO_BYTES = new Uint8Array(0);
const MIDDLE = 2;

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
  {
    label: { code },
    dpi,
    isForTill,
    outsetMm,
  }: Pick<SheetSettings, 'label' | 'dpi' | 'isForTill' | 'outsetMm'>,
  logos: ReadonlyMap<string, Logo>,
) => {
  const size = sizeOnLabel(code.widthMm, dpi, isForTill);
  /** Copies of a code come one after the other. */
  let last: { readonly label: SheetLabel; readonly scene: Scene; readonly widthMm: number } | null = null;
  let inPlace: ReturnType<typeof createCaptions> | null = null;
  /** Lines of the page that are drawn as outlines. */
  let outlined: TextBlock[] = [];

  const planFor = (label: SheetLabel, written: Design) => {
    const planned = planCode(label, written, logos, size, 'vector');
    if (isFault(planned) || !isForTill) return planned;
    const { plan, symbol, design, logo, page } = planned;
    const { quality, warnings } = gradeOf(symbol, design, plan.geometry, logo, page);
    return gradeFaultOfTill(quality.grade, warnings) ?? planned;
  };

  const pictureFor = (label: SheetLabel, written: Design): Exclude<typeof last, null> | Fault => {
    const { text, logo: key } = label;
    if (last?.label.design === written && last.label.text === text && last.label.logo === key) return last;
    const planned = planFor(label, written);
    if (isFault(planned)) return planned;
    const { plan, symbol, design, logo, page } = planned;
    last = { label, scene: sceneOf(plan, symbol, design, logo), widthMm: page.widthMm };
    return last;
  };

  /** Where a side begins whose middle is that of the area: on a whole dot of the paper, counted from its edge. */
  const startOf = (fromMm: number, roomMm: number): number => {
    const mm = fromMm + roomMm / MIDDLE;
    if (dpi === null) return mm;
    return (Math.round(((mm + outsetMm) * dpi) / MM_PER_INCH) * MM_PER_INCH) / dpi - outsetMm;
  };

  /** Writes a caption in black. */
  const write = ({ lines, sizePt }: PlacedCaption): void => {
    internalsOf(doc).addContent('0 g');
    for (const { text, xPt, yPt, shaped } of lines) {
      if (shaped === undefined) fontOf().write(text, xPt, yPt, sizePt);
      else {
        const block = { heightPx: 0, sizePx: sizePt, lines: [{ text, xPx: xPt, baselinePx: yPt, shaped }] };
        fillText(doc, block);
        outlined.push(block);
      }
    }
  };

  const drawMissing = ({ missing, xMm, yMm }: SheetLabel): void => {
    inPlace ??= createCaptions(fontOf(), { ...code, ...MISSING_AREA });
    write(inPlace.place({ caption: missing, xMm, yMm }));
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
      if (captions !== null && label.caption !== '') write(captions.place(label));
      return fault;
    },
    /** Writes the text of what was drawn as outlines. Call it for each page when its labels are drawn. */
    endPage(): void {
      if (outlined.length === 0) return;
      doc.save();
      writeHiddenTexts(doc, outlined);
      doc.restore();
      outlined = [];
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

/** A quarter of a point: the thinnest line that every printer prints. */
const MARK_WIDTH_PT = 0.25;
/** Strokes in black, which is K alone. */
const BLACK = '0 G';
const NOTHING = Buffer.alloc(0);

/** What a page is made of. A written page forgets it; pdfkit would keep it until the end of the document. */
const PARTS = ['dictionary', 'resources', 'content'] as const;
type WrittenPage = Readonly<Record<(typeof PARTS)[number], { data: Record<string, unknown> }>>;

/** Opens a PDF. @throws When the font cannot be read. */
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
  const captions = area && createCaptions(fontOf(), area);
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
        warnings: [],
      };
    },
    drawPage(page) {
      addPage();
      for (const [key, logo] of page.logos) logos.set(key, { ...logo });
      for (const label of page.labels) labels.drawBackground(label);
      if (marks.length > 0) drawMarks();
      const faults = findFaults(page, labels.draw);
      labels.endPage();
      return { faults, warnings: [] };
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
