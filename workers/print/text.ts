/** Lays out text below a picture, and its sizes and colour. Pure. */
import type { Design, Fault, HexColor, TextBlock } from '../protocol.ts';

/** The font is DejaVu Sans Mono, made as narrow as the condensed fonts of its family: all letters have one width. */
export const NARROWNESS = 0.9;
/** Width of each letter in ems. */
export const ADVANCE = (1233 / 2048) * NARROWNESS;
/** Height of digits in ems. */
export const CAP_HEIGHT = 1493 / 2048;

/** The symbol with its quiet zone, over the text. */
export interface Above {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly modulePx: number;
  readonly quietModules: number;
  /** Pixels above and beside it that belong to the canvas. */
  readonly bleedPx: number;
  readonly mmPerPx: number;
  /** Whether pixels are dots of a printer. */
  readonly isBitmap: boolean;
}

/** The least height of digits: ten dots of a 300 dpi printer. GS1 asks for clearly legible text, without a figure. */
const LEAST_MM = 0.9;
/** Digits of fewer dots are not legible. */
const LEAST_DOTS = 7;
/** The greatest height of digits is the larger of these two. */
const MOST = { mm: 2, modules: 3 };
/** Distance of text from the sides of the picture, if the quiet zone is that wide. */
export const ASIDE_MODULES = 2;
/** Distance between two baselines, and the margin below the last line, in ems. */
export const LINE_HEIGHT = 1.2;
export const MARGIN = 0.3;

/** Writes a length that is not shorter than this one. */
export const ceilHundredth = (mm: number): string => (Math.ceil(mm * 100 - 1e-6) / 100).toFixed(2);

/** The size of pixels. */
export type Scale = Pick<Above, 'mmPerPx' | 'isBitmap'>;

/** Returns the least em size of letters that are legible. */
export const leastLettersPx = ({ mmPerPx, isBitmap }: Scale): number =>
  Math.max(LEAST_MM / mmPerPx, isBitmap ? LEAST_DOTS : 0) / CAP_HEIGHT;

/** Returns the greatest em size of letters. @param mostMm The greatest height of digits; absent: follows from the code. */
export const mostLettersPx = (
  { modulePx, ...scale }: Scale & Pick<Above, 'modulePx'>,
  mostMm?: number,
): number => {
  const { mmPerPx } = scale;
  const askedPx =
    mostMm === undefined ? Math.max(MOST.mm / mmPerPx, MOST.modules * modulePx) : mostMm / mmPerPx;
  return Math.max(askedPx, leastLettersPx(scale) * CAP_HEIGHT) / CAP_HEIGHT;
};

const asidePx = ({ quietModules, modulePx }: Pick<Above, 'quietModules' | 'modulePx'>): number =>
  Math.min(quietModules, ASIDE_MODULES) * modulePx;

const longestOf = (parts: readonly string[]): number => Math.max(...parts.map(({ length }) => length));

/** Returns the least width at which `layOutText` takes these parts. */
export const leastWidthPx = (
  parts: readonly string[],
  above: Scale & Pick<Above, 'quietModules' | 'modulePx'>,
): number => longestOf(parts) * ADVANCE * leastLettersPx(above) + 2 * asidePx(above);

/**
 * Sets unbreakable parts, as many to a line as fit, centred below the quiet zone. The longest part decides the size of
 * the letters.
 *
 * @param parts At least one, of printable ASCII.
 * @returns The fault `text` when letters would be too small to be read.
 */
export const layOutText = (parts: readonly string[], above: Above): TextBlock | Fault => {
  const { widthPx, bleedPx, mmPerPx, isBitmap } = above;
  const roomPx = widthPx - 2 * asidePx(above);
  const longest = longestOf(parts);
  const leastPx = leastLettersPx(above);
  const sizePx = Math.min(mostLettersPx(above), roomPx / (longest * ADVANCE));
  if (sizePx < leastPx - 1e-6) {
    const height = (px: number): string => (px * CAP_HEIGHT * mmPerPx).toFixed(2);
    const widthMm = widthPx * mmPerPx * (leastPx / sizePx);
    return {
      field: 'text',
      message: `would have digits of ${height(sizePx)} mm below this code, and they need ${height(leastPx)}: print the code at least ${ceilHundredth(widthMm)} mm wide`,
    };
  }
  const lines = inLines(parts, Math.floor(roomPx / (sizePx * ADVANCE) + 1e-6));
  const heightPx = (lines.length * LINE_HEIGHT + MARGIN) * sizePx;
  const topPx = bleedPx + above.heightPx;
  return {
    heightPx: isBitmap ? Math.ceil(heightPx) : heightPx,
    sizePx,
    lines: lines.map((text, index) => ({
      text,
      xPx: bleedPx + (widthPx - text.length * ADVANCE * sizePx) / 2,
      // Digits are centred vertically in their line.
      baselinePx: topPx + (index * LINE_HEIGHT + (LINE_HEIGHT + CAP_HEIGHT) / 2) * sizePx,
    })),
  };
};

const inLines = (parts: readonly string[], characters: number): readonly string[] => {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length <= characters) lines[lines.length - 1] = last + part;
    else lines.push(part);
  }
  return lines;
};

/** Returns the colour of text: that of the dots, or the first of their gradient. */
export const textPaint = ({ dots: { paint } }: Pick<Design, 'dots'>): HexColor =>
  typeof paint === 'string' ? paint : paint.colorStops[0]!.color;
