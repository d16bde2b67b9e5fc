import type { Looker } from './anchors.ts';
import type { FieldSamples, Tones } from './light.ts';
import { type Area, isIn, type Occlusion } from './occlusion.ts';

/**
 * How clearly a module is dark, or light, in steps of its modulation 2 |R - T| / SC (ISO/IEC 15415:2011, 7.8.4). 0 is
 * the wrong side; 1, 2, 3 and 4 are below 0.2, 0.3, 0.4 and 0.5; 5 is above.
 */
export type Clearness = 0 | 1 | 2 | 3 | 4 | 5;

/** The clearness of a module that no reader mistakes. */
export const CLEAR = 5;

/**
 * Modules that are not wholly clear: a word each, of which the lowest 16 bits are the module's row-major index, the
 * next four its clearness if it is dark and the next four its clearness if it is light.
 */
export interface Suspects {
  /** By paints and background. */
  readonly ofField: Uint32Array;
  /** By the logo, hidden modules included. No module is in both. */
  readonly ofLogo: Uint32Array;
}

/** Returns the clearness of a suspect. @param dark 1 if the module is dark, 0 if it is light. */
export const clearnessIn = (suspect: number, dark: number): number => (suspect >>> (20 - 4 * dark)) & 15;

/** Returns the clearness of a modulation, which is negative on the wrong side. */
export const clearnessOf = (modulation: number): Clearness => {
  if (modulation <= 0) return 0;
  return modulation < 0.2 ? 1 : modulation < 0.3 ? 2 : modulation < 0.4 ? 3 : modulation < 0.5 ? 4 : CLEAR;
};

/** Returns the modules of a style that are not clear, by its paints and by the logo over them. */
export const suspectsOf = (
  samples: FieldSamples,
  tones: Tones,
  moduleCount: number,
  occlusion: Occlusion | null,
): Suspects => {
  const { side, dark, light } = samples;
  const rate = rater(tones);
  const thresholds = thresholdsOf(samples);
  const ofCells = Uint32Array.from(dark, (ofDark, i) => rate(ofDark, light[i]!, thresholds[i]!));
  const cellOf = Uint8Array.from({ length: moduleCount }, (_, at) => Math.floor((at * side) / moduleCount));
  const isAnyUnclear = ofCells.some((rated) => rated !== BOTH_CLEAR);
  const whole = { left: 0, top: 0, right: moduleCount, bottom: moduleCount };
  const { left, top, right, bottom } = isAnyUnclear ? whole : (occlusion?.area ?? NO_AREA);
  const { shown, hidden, over } = occlusion ?? NO_OCCLUSION;
  const shownColumns = shown.right - shown.left;

  const ofField = new Uint32Array((bottom - top) * (right - left));
  const ofLogo = new Uint32Array(occlusion === null ? 0 : ofField.length);
  let [fieldCount, logoCount] = [0, 0];
  for (let row = top; row < bottom; row += 1) {
    for (let column = left; column < right; column += 1) {
      const cell = cellOf[row]! * side + cellOf[column]!;
      const index = row * moduleCount + column;
      const isShown = isIn(shown, row, column);
      const isHidden = isIn(hidden, row, column);
      if (!isShown && !isHidden) {
        if (ofCells[cell] !== BOTH_CLEAR) ofField[fieldCount++] = index | ofCells[cell]!;
        continue;
      }
      const at = (row - shown.top) * shownColumns + column - shown.left;
      const luma = isShown ? over.luma[at]! : 0;
      const rest = isShown ? 1 - over.alpha[at]! : 1;
      const ground = light[cell]!;
      const under = isHidden ? ground : dark[cell]!;
      const rated = rate(luma + rest * under, luma + rest * ground, thresholds[cell]!);
      if (rated !== BOTH_CLEAR) ofLogo[logoCount++] = index | rated;
    }
  }
  return { ofField: ofField.slice(0, fieldCount), ofLogo: ofLogo.slice(0, logoCount) };
};

const NO_AREA: Area = { left: 0, top: 0, right: 0, bottom: 0 };
const NO_OCCLUSION = {
  shown: NO_AREA,
  hidden: NO_AREA,
  over: { luma: new Float64Array(0), alpha: new Float64Array(0) },
};

/** Readers choose a threshold for each part of a picture: here, the middle between ink and background. */
const thresholdsOf = ({ dark, light }: FieldSamples): Float64Array =>
  dark.map((ofDark, i) => (ofDark + light[i]!) / 2);

/** Returns a function for what a reader sees under a logo, at places in modules from the symbol's corner. */
export const lookerOf = (
  samples: FieldSamples,
  { isInverted }: Tones,
  moduleCount: number,
  occlusion: Occlusion,
): Looker => {
  const { side, dark, light } = samples;
  const { luma, alpha, columns } = occlusion.light;
  const thresholds = thresholdsOf(samples);
  const cellAt = (place: number): number => Math.floor((Math.floor(place) * side) / moduleCount);
  return (xs, ys) => {
    const looks = new Uint8Array(xs.length * ys.length);
    const across = xs.map((x) => ({ column: Math.floor(x), pixel: occlusion.columnAt(x), cell: cellAt(x) }));
    ys.forEach((y, i) => {
      const [row, rowPixel, firstCell] = [Math.floor(y), occlusion.rowAt(y), cellAt(y) * side];
      for (let j = 0; j < across.length; j += 1) {
        const { column, pixel, cell: cellAcross } = across[j]!;
        const cell = firstCell + cellAcross;
        const isOn = rowPixel >= 0 && pixel >= 0;
        const over = isOn ? luma[rowPixel * columns + pixel]! / 255 : 0;
        const rest = isOn ? 1 - alpha[rowPixel * columns + pixel]! / 255 : 1;
        const threshold = thresholds[cell]!;
        const asLight = over + rest * light[cell]! < threshold !== isInverted;
        const asDark = over + rest * dark[cell]! < threshold !== isInverted;
        const isFixed = asDark === asLight || isIn(occlusion.hidden, row, column);
        looks[i * across.length + j] = isFixed ? Number(asLight) : 2;
      }
    });
    return looks;
  };
};

/** The clearnesses of a module that no reader mistakes, dark or light. */
const BOTH_CLEAR = (CLEAR << 16) | (CLEAR << 20);

/**
 * Returns a function that gives both clearnesses of a place as bits of a suspect. A place exactly at the threshold is
 * wrong both as dark and as light. Without contrast no place is a suspect: the contrast itself has grade 0.
 */
const rater = ({ contrast, isInverted }: Tones) => {
  if (contrast === 0) return () => BOTH_CLEAR;
  const scale = (isInverted ? -2 : 2) / contrast;
  return (dark: number, light: number, threshold: number): number =>
    (clearnessOf((threshold - dark) * scale) << 16) | (clearnessOf((light - threshold) * scale) << 20);
};
