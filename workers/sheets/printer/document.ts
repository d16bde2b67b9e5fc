/** A document for label printers, written page by page: each page is one label of the printer, with its copies. */
import PDFDocument from 'pdfkit';
import type { ParameterName } from '../../lists.ts';
import { MM_PER_INCH, sizeOnLabel } from '../../print/dots.ts';
import { type Design, type Fault, isFault, type Logo } from '../../protocol.ts';
import { gradeOf } from '../../quality/grade.ts';
import { gradeFaultOfTill } from '../../quality/grades.ts';
import { openFont } from '../../vector/pdf-objects.ts';
import { createCaptions } from '../captions.ts';
import { findFaults, MISSING_AREA, type PlannedCode, planCode, type SheetDocument } from '../pages.ts';
import type { SheetLabel, SheetPage, SheetSettings } from '../protocol.ts';
import { type Ink, inkOf } from './bitmap.ts';
import { drawCode, inBlackAndWhite } from './code.ts';
import { COPIES_MAX, type PrinterLanguage } from './language.ts';
import { createLetters } from './letters.ts';
import { logoInBlackAndWhite } from './logo.ts';

/** Ink as the language writes it. */
interface Graphic extends Pick<Ink, 'xDots' | 'yDots'> {
  readonly encoded: Uint8Array;
}

/** A code in black and white, and its side with the quiet zone. */
interface PrintedCode {
  readonly sideDots: number;
  readonly graphic: Graphic | null;
}

/** A document keeps each of its logos, of which one takes up to 50 kB. */
export const LOGOS_MAX = 1000;

const TOO_MANY_LOGOS: Fault = {
  field: 'image',
  message: `is the logo after ${LOGOS_MAX} others, and a document for label printers has at most so many; print the folder in parts, with from and to`,
};

/** Makes a function that makes nothing again when it is asked for the same twice: copies come one after the other. */
const keepLast = <Value>() => {
  let last: { readonly key: string; readonly value: Value } | null = null;
  return (key: string, make: () => Value): Value => {
    if (last?.key !== key) last = { key, value: make() };
    return last.value;
  };
};

/** Opens a document. @throws When the font cannot be read, or without `dpi`. */
export const openPrinterDocument = (settings: SheetSettings, language: PrinterLanguage): SheetDocument => {
  const { dpi, isForTill, fontPath } = settings;
  if (dpi === null) throw new Error('a label printer has dots');
  const { code, caption: area } = settings.label;
  const toDots = (mm: number): number => Math.round((mm * dpi) / MM_PER_INCH);
  const paper = { widthDots: toDots(settings.widthMm), heightDots: toDots(settings.heightMm) };
  const size = sizeOnLabel(code.widthMm, dpi, isForTill);
  const logos = new Map<string, Logo>();
  const lastCode = keepLast<PrintedCode | Fault>();
  const lastCaption = keepLast<Graphic | null>();
  const warned = new Set<ParameterName>();
  const written: Uint8Array[] = [];
  /** The latest page, which the next one may repeat. */
  let latest: { readonly fields: Buffer; copies: number } | null = null;
  let text: ReturnType<typeof openText> | null = null;

  /** Makes the functions that set and draw text. Loading the font takes a quarter of a second. */
  const openText = () => {
    // The document lends its font; nothing is written to it.
    const font = openFont(
      new PDFDocument({ font: null as unknown as string, autoFirstPage: false }),
      fontPath,
    );
    return {
      captions: area && createCaptions(font, area),
      missing: createCaptions(font, { ...code, ...MISSING_AREA }),
      draw: createLetters(font, paper, dpi),
    };
  };
  const textOf = () => {
    text ??= openText();
    return text;
  };

  const keepLogos = (page: SheetPage): void => {
    for (const [key, logo] of page.logos)
      if (logos.size < LOGOS_MAX) logos.set(key, logoInBlackAndWhite(logo));
  };

  const takeWarnings = (): readonly ParameterName[] => {
    const names = [...warned];
    warned.clear();
    return names;
  };

  /** Plans a code as it is printed, and grades it. */
  const planFor = (label: SheetLabel, asked: Design): PlannedCode | Fault => {
    if (label.logo !== null && !logos.has(label.logo)) return TOO_MANY_LOGOS;
    const planned = planCode(label, asked, logos, size, 'bitmap');
    if (isFault(planned)) return planned;
    const { plan, symbol, logo, page } = planned;
    const design = inBlackAndWhite(planned.design, plan.geometry);
    const { quality, warnings } = gradeOf(symbol, design, plan.geometry, logo, page);
    const unread = isForTill ? gradeFaultOfTill(quality.grade, warnings) : null;
    if (unread !== null) return unread;
    for (const { name } of quality.warnings) warned.add(name);
    return { ...planned, design };
  };

  const encode = (ink: Ink | null): Graphic | null =>
    ink && { xDots: ink.xDots, yDots: ink.yDots, encoded: language.encode(ink.bitmap) };

  const codeFor = (label: SheetLabel, asked: Design): PrintedCode | Fault =>
    lastCode(JSON.stringify([label.text, label.logo, asked]), () => {
      const planned = planFor(label, asked);
      if (isFault(planned)) return planned;
      const { symbol, design, plan, logo } = planned;
      const canvas = drawCode(symbol, design, plan.geometry, logo);
      return { sideDots: canvas.widthDots, graphic: encode(inkOf(canvas, 0, 0)) };
    });

  const captionFor = ({ caption, xMm, yMm }: SheetLabel): Graphic | null => {
    const { captions, draw } = textOf();
    return lastCaption(`${xMm} ${yMm} ${caption}`, () =>
      encode(captions && draw(captions.place({ caption, xMm, yMm }))),
    );
  };

  const missingFor = ({ missing, xMm, yMm }: SheetLabel): Graphic | null => {
    const { missing: inPlace, draw } = textOf();
    return encode(draw(inPlace.place({ caption: missing, xMm, yMm })));
  };

  /** Puts the parts of a label on a page. Returns why its code cannot be drawn. */
  const drawLabel = (
    label: SheetLabel,
    put: (graphic: Graphic | null, xDots?: number, yDots?: number) => void,
  ): Fault | null => {
    const picture = label.design && codeFor(label, label.design);
    const fault = picture !== null && isFault(picture) ? picture : null;
    if (picture === null || isFault(picture)) put(missingFor(label));
    else {
      const roomMm = code.widthMm - (picture.sideDots * MM_PER_INCH) / dpi;
      const at = (labelMm: number, codeMm: number): number => toDots(labelMm + codeMm + roomMm / 2);
      put(picture.graphic, at(label.xMm, code.xMm), at(label.yMm, code.yMm));
    }
    if (label.caption !== '') put(captionFor(label));
    return fault;
  };

  const writeLatest = (): void => {
    if (latest === null) return;
    const [head, tail] = [language.begin(paper), language.end(latest.copies)];
    written.push(Buffer.from(head, 'latin1'), latest.fields, Buffer.from(tail, 'latin1'));
  };

  const addPage = (fields: Buffer): void => {
    if (latest !== null && latest.copies < COPIES_MAX && latest.fields.equals(fields)) {
      latest.copies += 1;
      return;
    }
    writeLatest();
    latest = { fields, copies: 1 };
  };

  const take = (): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.concat(written.splice(0)));

  return {
    check(page) {
      keepLogos(page);
      const findLoss = area === null ? () => null : textOf().captions!.findLoss;
      const losses = page.labels.map(({ caption }) => findLoss(caption));
      const faults = findFaults(page, (label) => {
        const planned = label.design && planFor(label, label.design);
        return planned !== null && isFault(planned) ? planned : null;
      });
      return { losses, faults, warnings: takeWarnings() };
    },
    drawPage(page) {
      keepLogos(page);
      const fields: Uint8Array[] = [];
      const faults = findFaults(page, (label) =>
        drawLabel(label, (graphic, xDots = 0, yDots = 0) => {
          if (graphic === null) return;
          const place = language.at(xDots + graphic.xDots, yDots + graphic.yDots);
          fields.push(Buffer.from(place, 'latin1'), graphic.encoded);
        }),
      );
      addPage(Buffer.concat(fields));
      return { faults, warnings: takeWarnings() };
    },
    take,
    async end() {
      writeLatest();
      return take();
    },
  };
};
