/** The digits below bars: GS1 General Specifications, 5.2. */
import { ADVANCE, CAP_HEIGHT, leastLettersPx } from '../print/text.ts';
import type { Fault, TextBlock } from '../protocol.ts';
import { BARS_ACROSS, DIGIT_MODULES, HALF_MODULES, HALVES } from './ean.ts';
import type { BarsTask } from './protocol.ts';

/** Em size in modules: digits are 8 modules high, of the 8.3 of the nominal ones. */
const EM_MODULES = 11;
/** The same for the outer digits of UPC-A, which are at most 4 modules wide. */
const SMALL_EM_MODULES = 7;
/** Distance of the outer digits of UPC-A from the bars. */
const OUTER_MODULES = 5;
/** Distance of the first digit of EAN-13 from the bars, which is the quiet zone. */
const FIRST_MODULES = 11;
/** Between the bars and the digits, and below them. */
const GAP_MODULES = 1;
const MARGIN_MODULES = 0.5;
/** By which guard bars are longer than others, and in UPC-A also those of its outer digits. */
const LONGER_MODULES = 5;

/** Bars as they stand on the canvas. */
export interface Placed {
  readonly symbology: BarsTask['symbology'];
  /** 13 digits. */
  readonly digits: string;
  /** The left side of the first bar. */
  readonly xPx: number;
  readonly barsPx: number;
  readonly modulePx: number;
  readonly mmPerPx: number;
  /** Whether pixels are dots of a printer. */
  readonly isBitmap: boolean;
}

/** Some digits side by side, and where they begin, in modules from the first bar. */
interface Group {
  readonly text: string;
  readonly at: number;
  readonly em: number;
}

const widthOf = (text: string, em: number): number => text.length * ADVANCE * em;

/** Returns digits in the middle of the modules that encode digits. @param skipped Digits at its beginning that have another place. */
const centred = (text: string, half: number, skipped: number): Group => {
  const room = text.length * DIGIT_MODULES;
  const at = half + skipped * DIGIT_MODULES + (room - widthOf(text, EM_MODULES)) / 2;
  return { text, at, em: EM_MODULES };
};

const groupsOf = ({ symbology, digits }: Placed): readonly Group[] => {
  const [left, right] = HALVES;
  if (symbology === 'ean-13') {
    const first = { text: digits[0]!, at: -FIRST_MODULES, em: EM_MODULES };
    return [first, centred(digits.slice(1, 7), left, 0), centred(digits.slice(7), right, 0)];
  }
  const em = SMALL_EM_MODULES;
  return [
    { text: digits[1]!, at: -OUTER_MODULES - widthOf('0', em), em },
    centred(digits.slice(2, 7), left, 1),
    centred(digits.slice(7, 12), right, 0),
    { text: digits[12]!, at: BARS_ACROSS + OUTER_MODULES, em },
  ];
};

/** Whether a module of the symbol belongs to a bar that is longer than others when digits stand below. */
export const isLonger = (symbology: Placed['symbology'], module: number): boolean => {
  const outer = symbology === 'upc-a' ? DIGIT_MODULES : 0;
  const [left, right] = HALVES;
  const isInside = module >= left + outer && module < right + HALF_MODULES - outer;
  return !isInside || (module >= left + HALF_MODULES && module < right);
};

/** The digits below bars. */
export interface Digits {
  /** One for each size of letters. */
  readonly texts: readonly TextBlock[];
  /** What they add to the height of the canvas. */
  readonly heightPx: number;
  /** By which some bars are longer. */
  readonly longerPx: number;
}

/** Places the digits. Returns the fault `text` when they would be too small to be read. */
export const layOutDigits = (placed: Placed): Digits | Fault => {
  const { xPx, barsPx, modulePx, mmPerPx, isBitmap } = placed;
  const groups = groupsOf(placed);
  const smallest = Math.min(...groups.map(({ em }) => em));
  const leastPx = leastLettersPx({ mmPerPx, isBitmap });
  if (smallest * modulePx < leastPx - 1e-6) {
    const [height, least] = [smallest * modulePx, leastPx].map((px) =>
      (px * CAP_HEIGHT * mmPerPx).toFixed(2),
    );
    const moduleMm = Math.ceil((leastPx / smallest) * mmPerPx * 1000 - 1e-6) / 1000;
    return {
      field: 'text',
      message: `would have digits of ${height} mm below these bars, and they need ${least}: print modules of at least ${moduleMm} mm`,
    };
  }
  const downPx = (GAP_MODULES + EM_MODULES * CAP_HEIGHT) * modulePx;
  const heightPx = downPx + MARGIN_MODULES * modulePx;
  const texts = [...new Set(groups.map(({ em }) => em))].map((em) => ({
    heightPx,
    sizePx: em * modulePx,
    lines: groups
      .filter((group) => group.em === em)
      .map(({ text, at }) => ({ text, xPx: xPx + at * modulePx, baselinePx: barsPx + downPx })),
  }));
  const longerPx = LONGER_MODULES * modulePx;
  return { texts, heightPx: isBitmap ? Math.ceil(heightPx) : heightPx, longerPx };
};
