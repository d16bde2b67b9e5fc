import { CENTRE_INSET, CENTRE_MODULES, FINDER_MODULES } from '../../design/finders.ts';
import { type FinderLight, SAMPLE_PX } from './shape.ts';

/** How readers see a finder pattern, each a share of scan lines or a distance in modules. */
export interface FinderView {
  /** Share of the scan lines through the middle two modules on which the centre is three modules wide. */
  readonly centreMiddle: number;
  /** The same through all three modules of the centre. */
  readonly centreWhole: number;
  /** Whether the centre is three modules wide on both diagonals. */
  readonly centreDiagonals: boolean;
  /** Share of the scan lines through the middle two modules that cross one module of ring at both ends. */
  readonly ringMiddle: number;
  /** How far the ink of the ring stays away from its corners, measured along the diagonal: the worst corner. */
  readonly cornerInset: number;
}

/** ZXing, zbar and jsQR accept a run that is off by half a module (`FinderPatternFinder.foundPatternCross`). */
const TOLERANCE = 0.5;
/** Scan lines per module, each at least half a sample away from its edges. */
const LINES = 4;
/** Samples of light that count as outside the pattern, before it and behind it. */
const RIM = SAMPLE_PX;

/** Returns how a pattern looks to readers that take everything darker than `threshold` for ink. */
export function viewFinder(light: FinderLight, threshold: number): FinderView {
  const across = scanLines((at, along) => light(along, at), threshold);
  const down = scanLines((at, along) => light(at, along), threshold);
  const share = (middleOnly: boolean, isGood: (line: Line) => boolean): number => {
    const lines = [...across, ...down].filter(({ isMiddle }) => isMiddle || !middleOnly);
    return lines.filter(isGood).length / lines.length;
  };
  const diagonals = [
    scanLine((along) => light(along, along), threshold),
    scanLine((along) => light(along, FINDER_MODULES - along), threshold),
  ];
  return {
    centreMiddle: share(true, isCentreWide),
    centreWhole: share(false, isCentreWide),
    centreDiagonals: diagonals.every(isCentreWide),
    ringMiddle: share(true, ({ hasRing }) => hasRing),
    cornerInset: cornerInsetOf(light, threshold),
  };
}

/** What a scan line through a finder pattern crosses. */
interface Line {
  readonly isMiddle: boolean;
  /** Modules of unbroken ink around its middle. */
  readonly centreModules: number;
  readonly hasRing: boolean;
}

const isCentreWide = ({ centreModules }: Pick<Line, 'centreModules'>): boolean =>
  Math.abs(centreModules - CENTRE_MODULES) <= TOLERANCE;

function scanLines(light: (at: number, along: number) => number, threshold: number): readonly Line[] {
  return Array.from({ length: CENTRE_MODULES * LINES }, (_, i) => {
    const at = CENTRE_INSET + (i + 0.5) / LINES;
    const isMiddle = Math.abs(at - FINDER_MODULES / 2) < 1;
    return { isMiddle, ...scanLine((along) => light(at, along), threshold) };
  });
}

function scanLine(lightAlong: (along: number) => number, threshold: number): Omit<Line, 'isMiddle'> {
  const length = FINDER_MODULES * SAMPLE_PX;
  const isInk = (i: number): boolean => lightAlong((i + 0.5) / SAMPLE_PX) < threshold;
  const runFrom = (start: number, step: 1 | -1, ink: boolean, end: number): number => {
    let i = start;
    while (i !== end && isInk(i) === ink) i += step;
    return Math.abs(i - start);
  };
  const half = length / 2;
  const centre = runFrom(half, 1, true, length + RIM) + runFrom(half - 1, -1, true, -RIM - 1);
  const ringAt = (start: number, step: 1 | -1): boolean => {
    const before = runFrom(start, step, false, start + step * length);
    const ring = runFrom(start + step * before, step, true, start + step * length);
    const offPx = Math.max(Math.abs(before - RIM), Math.abs(ring - SAMPLE_PX));
    return offPx <= TOLERANCE * SAMPLE_PX;
  };
  return { centreModules: centre / SAMPLE_PX, hasRing: ringAt(-RIM, 1) && ringAt(length + RIM - 1, -1) };
}

/** OpenCV and quirc lay the grid from the ink farthest out along the diagonals, as the corners of the symbol. */
function cornerInsetOf(light: FinderLight, threshold: number): number {
  const reach = FINDER_MODULES * SAMPLE_PX;
  const insetFrom = (isRight: boolean, isBottom: boolean): number => {
    const isInk = (i: number): boolean => {
      const at = (i + 0.5) / SAMPLE_PX;
      return light(isRight ? FINDER_MODULES - at : at, isBottom ? FINDER_MODULES - at : at) < threshold;
    };
    let i = 0;
    while (i < reach && !isInk(i)) i += 1;
    return (i / SAMPLE_PX) * Math.SQRT2;
  };
  return Math.max(...[false, true].flatMap((x) => [insetFrom(x, false), insetFrom(x, true)]));
}
