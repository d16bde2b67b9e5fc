/** Codes as printers with only black dots print them: from the languages of label printers, and from PDFs. */
import { PRINTER_DPI } from '../../../workers/print/dots.ts';
import { type Design, type Grade, isFault, type Logo } from '../../../workers/protocol.ts';
import { gradeOf } from '../../../workers/quality/grade.ts';
import { planCode } from '../../../workers/sheets/pages.ts';
import { drawCode, inBlackAndWhite } from '../../../workers/sheets/printer/code.ts';
import { logoInBlackAndWhite } from '../../../workers/sheets/printer/logo.ts';
import { enlarge } from '../../sheets/printer/support.ts';
import { printDots } from '../../support/pictures/one-bit.ts';
import type { GrayPage } from '../../support/pictures/print.ts';
import { drawPrinted } from '../../support/pictures/printed.ts';
import { logoOf, type Specimen } from '../designs.ts';

/**
 * How a code becomes dots. `labels`: by the service, for ZPL II and EPL2. `black`: as a PDF in black, on Ghostscript's device
 * of one bit. `screened`: as a PDF in the colours of the design, which that device makes of dots.
 */
export const WAYS = ['labels', 'black', 'screened'] as const;
export type Way = (typeof WAYS)[number];

/** A printed code. */
export interface DotPrint {
  /** The place of its design. */
  readonly design: number;
  readonly way: Way;
  readonly dpi: number;
  readonly text: string;
  readonly grade: Grade;
  /** Dots, or several pixels for each as a camera sees them. */
  readonly page: GrayPage;
  readonly modulePx: number;
}

/** Sides of a module that are asked for, in turn; each is rounded down to whole dots. */
const MODULES_MM = [0.34, 0.4, 0.51, 0.26, 0.64];
const MM_PER_INCH = 25.4;
/** Pixels of a module in a picture that a phone takes from near. */
const SEEN_PX = 4;

interface Asked {
  readonly design: number;
  readonly specimen: Specimen;
  readonly logo: Logo | null;
  readonly dpi: number;
  readonly moduleMm: number;
}

/** Returns a page with enough pixels for each module. */
const seen = (page: GrayPage, moduleDots: number): Pick<DotPrint, 'page' | 'modulePx'> => {
  const times = Math.ceil(SEEN_PX / moduleDots);
  return { page: enlarge(page, times), modulePx: times * moduleDots };
};

const onLabel = ({ design, specimen, logo, dpi, moduleMm }: Asked): DotPrint | null => {
  const { text } = specimen;
  const key = logo === null ? null : 'logo';
  const logos = new Map(logo === null ? [] : [['logo', logoInBlackAndWhite(logo)]]);
  const size = { moduleMm, dpi, round: 'down' } as const;
  const planned = planCode({ text, logo: key }, specimen.design, logos, size, 'bitmap');
  if (isFault(planned)) return null;
  const { plan, symbol, page } = planned;
  const printed = inBlackAndWhite(planned.design, plan.geometry);
  const { quality } = gradeOf(symbol, printed, plan.geometry, planned.logo, page);
  const { widthDots, heightDots, dots } = drawCode(symbol, printed, plan.geometry, planned.logo);
  const canvas = {
    widthPx: widthDots,
    heightPx: heightDots,
    data: dots.map((dot) => (dot === 1 ? 0 : 255)),
  };
  return {
    ...{ design, way: 'labels', dpi, text },
    grade: quality.grade,
    ...seen(canvas, plan.geometry.modulePx),
  };
};

/** Returns the design that docs/printing.md advises for such a device. */
const inBlack = (design: Design): Design => ({
  ...design,
  dots: { ...design.dots, paint: '#000000' },
  cornersSquare: { ...design.cornersSquare, paint: null },
  cornersDot: { ...design.cornersDot, paint: null },
  background: { ...design.background, paint: '#ffffff' },
});

interface DrawnPdf {
  readonly asked: Asked;
  readonly way: Way;
  readonly grade: Grade;
  readonly bytes: Uint8Array;
  readonly moduleDots: number;
}

const drawPdf = (asked: Asked, way: 'black' | 'screened'): DrawnPdf | null => {
  const { specimen, dpi, moduleMm } = asked;
  const design = way === 'black' ? inBlack(specimen.design) : specimen.design;
  const logo = asked.logo && way === 'black' ? logoInBlackAndWhite(asked.logo) : asked.logo;
  const query = { module_mm: moduleMm, dpi, round: 'down' } as const;
  const drawn = drawPrinted({ format: 'pdf', query, text: specimen.text, design, logo });
  if (!drawn.ok) return null;
  const { bytes, grade } = drawn.value;
  return { asked, way, grade, bytes, moduleDots: Math.floor((moduleMm * dpi) / MM_PER_INCH + 1e-3) };
};

const onDevice = async (dpi: number, all: readonly Asked[]): Promise<readonly DotPrint[]> => {
  const drawn = (['black', 'screened'] as const)
    .flatMap((way) => all.map((asked) => drawPdf(asked, way)))
    .filter((one) => one !== null);
  if (drawn.length === 0) return [];
  const files = drawn.map(({ bytes }) => bytes);
  const pages = await printDots(files, 'pngmono', dpi);
  return drawn.map(({ asked, way, grade, moduleDots }, i) => ({
    design: asked.design,
    way,
    dpi,
    text: asked.specimen.text,
    grade,
    ...seen(pages[i]!, moduleDots),
  }));
};

/** Prints designs on printers of each resolution, in every way. Those that cannot be drawn are left out. */
export const printAll = async (specimens: readonly Specimen[]): Promise<readonly DotPrint[]> => {
  const prints: DotPrint[] = [];
  for (const dpi of PRINTER_DPI) {
    const all: Asked[] = [];
    for (const [design, specimen] of specimens.entries()) {
      const logo = specimen.logo && (await logoOf(specimen.logo));
      all.push({ design, specimen, logo, dpi, moduleMm: MODULES_MM[design % MODULES_MM.length]! });
    }
    prints.push(...all.map(onLabel).filter((one) => one !== null), ...(await onDevice(dpi, all)));
  }
  return prints;
};
