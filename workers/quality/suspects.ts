import type { Geometry } from '../design/geometry.ts';
import type { Logo } from '../protocol.ts';
import type { FieldSamples } from './field.ts';
import { logoLightOf, meanOver, spanOf } from './logo-light.ts';
import type { Tones } from './tones.ts';

/**
 * How clearly a module is dark, or light, in steps of its modulation 2 |R - T| / SC (ISO/IEC 15415:2011, 7.8.4). 0 is
 * the wrong side; 1, 2, 3 and 4 are below 0.2, 0.3, 0.4 and 0.5; 5 is above.
 */
export type Clearness = 0 | 1 | 2 | 3 | 4 | 5;

/** The clearness of a module that no reader mistakes. */
export const CLEAR = 5;

/**
 * Modules that are not wholly clear: a word each, of which the lowest 16 bits are the module's row-major index, the next
 * four its clearness if it is dark and the next four its clearness if it is light.
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
export function clearnessOf(modulation: number): Clearness {
  if (modulation <= 0) return 0;
  return modulation < 0.2 ? 1 : modulation < 0.3 ? 2 : modulation < 0.4 ? 3 : modulation < 0.5 ? 4 : CLEAR;
}

/** Returns the modules of a style that are not clear, by its paints and by the logo over them. */
export function suspectsOf(
  { side, dark, light }: FieldSamples,
  tones: Tones,
  geometry: Geometry,
  logo: Logo | null,
): Suspects {
  const { moduleCount } = geometry;
  const rate = rater(tones);
  // Readers choose a threshold for each part of a picture: here, the middle between ink and ground.
  const thresholds = dark.map((ofDark, i) => (ofDark + light[i]!) / 2);
  const ofCells = Uint32Array.from(dark, (ofDark, i) => rate(ofDark, light[i]!, thresholds[i]!));
  const cellOf = Uint8Array.from({ length: moduleCount }, (_, at) => Math.floor((at * side) / moduleCount));
  const cover = logo === null || geometry.logo === null ? null : coverOf(geometry, geometry.logo, logo);
  const all = { left: 0, top: 0, right: moduleCount, bottom: moduleCount };
  const isAnyUnclear = ofCells.some((rated) => rated !== 0);
  const { left, top, right, bottom } = isAnyUnclear ? all : (cover?.area ?? { ...all, right: 0 });

  const ofField: number[] = [];
  const ofLogo: number[] = [];
  for (let row = top; row < bottom; row += 1) {
    for (let column = left; column < right; column += 1) {
      const cell = cellOf[row]! * side + cellOf[column]!;
      const index = row * moduleCount + column;
      if (cover?.reaches(row, column)) {
        const over = cover.over(row, column);
        const ground = light[cell]!;
        const rest = 1 - over.alpha;
        const under = cover.hides(row, column) ? ground : dark[cell]!;
        const rated = rate(over.luma + rest * under, over.luma + rest * ground, thresholds[cell]!);
        if (rated !== 0) ofLogo.push(index | rated);
      } else if (ofCells[cell] !== 0) ofField.push(index | ofCells[cell]!);
    }
  }
  return { ofField: new Uint32Array(ofField), ofLogo: new Uint32Array(ofLogo) };
}

/** Returns a function that gives both clearnesses of a place as bits of a suspect, and 0 when both are clear. */
function rater({ contrast, isInverted }: Tones) {
  const scale = (isInverted ? -2 : 2) / Math.max(contrast, 1e-6);
  return (dark: number, light: number, threshold: number): number => {
    const asDark = clearnessOf((threshold - dark) * scale);
    const asLight = clearnessOf((light - threshold) * scale);
    return asDark === CLEAR && asLight === CLEAR ? 0 : (asDark << 16) | (asLight << 20);
  };
}

/** Where a logo and the modules hidden for it lie, in modules, and what it shows. */
function coverOf(geometry: Geometry, box: NonNullable<Geometry['logo']>, logo: Logo) {
  const { moduleCount, modulePx, xPx, yPx, hidden } = geometry;
  const light = logoLightOf(logo);
  const [x, y] = [(box.x - xPx) / modulePx, (box.y - yPx) / modulePx];
  const [width, height] = [box.width / modulePx, box.height / modulePx];
  const inside = (at: number) => Math.min(Math.max(at, 0), moduleCount);
  const onLogo = {
    left: inside(Math.floor(x)),
    top: inside(Math.floor(y)),
    right: inside(Math.ceil(x + width)),
    bottom: inside(Math.ceil(y + height)),
  };
  const [columns, rows] = [hidden?.columns ?? 0, hidden?.rows ?? 0];
  const [left, top] = [(moduleCount - columns) / 2, (moduleCount - rows) / 2];
  const hides = (row: number, column: number): boolean =>
    row >= top && row < top + rows && column >= left && column < left + columns;
  const shows = (row: number, column: number): boolean =>
    row >= onLogo.top && row < onLogo.bottom && column >= onLogo.left && column < onLogo.right;
  const area = {
    left: Math.floor(Math.min(left, onLogo.left)),
    top: Math.floor(Math.min(top, onLogo.top)),
    right: Math.ceil(Math.max(left + columns, onLogo.right)),
    bottom: Math.ceil(Math.max(top + rows, onLogo.bottom)),
  };
  /** The middle half of each module, as a stretch of the logo. */
  const spans = (first: number, count: number, start: number, length: number, pixels: number) =>
    Array.from({ length: count }, (_, i) => {
      const from = (first + i + 0.25 - start) / length;
      return spanOf(from, from + 0.5 / length, pixels);
    });
  const across = spans(onLogo.left, onLogo.right - onLogo.left, x, width, light.columns);
  const down = spans(onLogo.top, onLogo.bottom - onLogo.top, y, height, light.rows);
  const over = (row: number, column: number) =>
    shows(row, column) ? meanOver(light, across[column - onLogo.left]!, down[row - onLogo.top]!) : NOTHING;
  return {
    area,
    hides,
    over,
    reaches: (row: number, column: number) => hides(row, column) || shows(row, column),
  };
}

const NOTHING = { luma: 0, alpha: 0 };
