import type { Geometry } from '../design/geometry.ts';
import { FINDER_TURNS_RAD, finderFills } from '../design/layers.ts';
import { CENTRE_INSET, CENTRE_MODULES, FINDER_MODULES, finderCells } from '../design/modules.ts';
import type { Design } from '../protocol.ts';
import { centreOf, type Mask, ringOf } from '../raster/glyphs.ts';
import { type Field, lightOf } from './light.ts';

/** Returns the light, 0 to 1, at a place of a finder pattern, in modules from its top left corner. */
type FinderLight = (x: number, y: number) => number;

/** Samples per module. A shape looks the same at every size of the picture. */
const SAMPLE_PX = 8;

/** Coverage of the ink of a finder pattern. */
type FinderShape = Readonly<Record<'ring' | 'centre', Mask>>;

/** Returns the shapes of a design's finder patterns, from the masks that the stamped lane draws. */
export const finderShapeOf = ({ dots, cornersSquare, cornersDot }: Design): FinderShape => ({
  ring: ringOf(cornersSquare.type, dots.type, SAMPLE_PX),
  centre: centreOf(cornersDot.type, dots.type, SAMPLE_PX),
});

/** The light of background, ring and centre at a place of the pattern, in modules from its top left corner. */
type FinderPaint = Readonly<Record<'ground' | 'ring' | 'centre', FinderLight>>;

/** Returns the light of the drawn pattern. */
export const finderLight = ({ ring, centre }: FinderShape, paint: FinderPaint): FinderLight => {
  const insetPx = CENTRE_INSET * SAMPLE_PX;
  const centrePx = CENTRE_MODULES * SAMPLE_PX;
  return (x, y) => {
    const ground = paint.ground(x, y);
    const [column, row] = [Math.floor(x * SAMPLE_PX), Math.floor(y * SAMPLE_PX)];
    if (Math.min(column, row) < 0 || Math.max(column, row) >= ring.widthPx) return ground;
    const ofRing = ring.coverage[row * ring.widthPx + column]!;
    if (ofRing > 0) return ground + ((paint.ring(x, y) - ground) * ofRing) / 255;
    const [left, top] = [column - insetPx, row - insetPx];
    if (Math.min(left, top) < 0 || Math.max(left, top) >= centrePx) return ground;
    const ofCentre = centre.coverage[top * centrePx + left]!;
    return ofCentre === 0 ? ground : ground + ((paint.centre(x, y) - ground) * ofCentre) / 255;
  };
};

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
export const viewFinder = (light: FinderLight, threshold: number): FinderView => {
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
};

/** What a scan line through a finder pattern crosses. */
interface Line {
  readonly isMiddle: boolean;
  /** Modules of unbroken ink around its middle. */
  readonly centreModules: number;
  readonly hasRing: boolean;
}

const isCentreWide = ({ centreModules }: Pick<Line, 'centreModules'>): boolean =>
  Math.abs(centreModules - CENTRE_MODULES) <= TOLERANCE;

const scanLines = (light: (at: number, along: number) => number, threshold: number): readonly Line[] =>
  Array.from({ length: CENTRE_MODULES * LINES }, (_, i) => {
    const at = CENTRE_INSET + (i + 0.5) / LINES;
    const isMiddle = Math.abs(at - FINDER_MODULES / 2) < 1;
    return { isMiddle, ...scanLine((along) => light(at, along), threshold) };
  });

const scanLine = (lightAlong: (along: number) => number, threshold: number): Omit<Line, 'isMiddle'> => {
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
};

/** OpenCV and quirc lay the grid from the ink farthest out along the diagonals, as the corners of the symbol. */
const cornerInsetOf = (light: FinderLight, threshold: number): number => {
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
};

/** The worst of the three finder patterns of a picture, figure by figure. */
interface Finders extends FinderView {
  /** How much darker the lightest part of their ink is than the background. */
  readonly contrast: number;
}

/**
 * Returns the worst view of the finder patterns.
 *
 * @param isInverted Light ink on a dark background is graded as its negative.
 */
export const worstFinder = (
  design: Design,
  geometry: Geometry,
  field: Field,
  isInverted: boolean,
): Finders => {
  const shape = finderShapeOf(design);
  const views: Finders[] = [];
  for (let index = 0; index < 3; index += 1) {
    const { isUniform, ...paint } = paintOf(index, design, geometry, field, isInverted);
    const { contrast, threshold } = tonesOfFinder(paint);
    views.push({ ...viewFinder(finderLight(shape, paint), threshold), contrast });
    if (isUniform) break;
  }
  const least = (figure: (view: Finders) => number): number => Math.min(...views.map(figure));
  return {
    centreMiddle: least(({ centreMiddle }) => centreMiddle),
    centreWhole: least(({ centreWhole }) => centreWhole),
    centreDiagonals: views.every(({ centreDiagonals }) => centreDiagonals),
    ringMiddle: least(({ ringMiddle }) => ringMiddle),
    cornerInset: Math.max(...views.map(({ cornerInset }) => cornerInset)),
    contrast: least(({ contrast }) => contrast),
  };
};

/** Returns the light of one finder pattern, and whether all three are alike. */
const paintOf = (index: number, design: Design, geometry: Geometry, field: Field, isInverted: boolean) => {
  const { xPx, yPx, modulePx, moduleCount } = geometry;
  const [row, column] = finderCells(moduleCount)[index]!;
  const [left, top] = [xPx + column * modulePx, yPx + row * modulePx];
  const fills = finderFills(design, left, top, modulePx, FINDER_TURNS_RAD[index]!);
  const [ring, centre] = [
    lightOf(fills.ring.paint, fills.ring.box, 'luma'),
    lightOf(fills.centre.paint, fills.centre.box, 'luma'),
  ];
  const seen = (light: number): number => (isInverted ? 1 - light : light);
  const groundAt = (x: number, y: number) => field.ground(left + x * modulePx, top + y * modulePx);
  const inkOf = (paint: typeof ring) => (x: number, y: number) =>
    seen(paint.over(groundAt(x, y), left + x * modulePx, top + y * modulePx));
  return {
    ground: (x: number, y: number) => seen(groundAt(x, y)),
    ring: inkOf(ring),
    centre: inkOf(centre),
    isUniform: field.isUniform && ring.isUniform && centre.isUniform,
  };
};

const LAST = FINDER_MODULES - 0.5;
const MIDDLE = FINDER_MODULES / 2;
/** Where the light of ring and centre is compared with the background, in modules. */
const RING_PLACES = [
  [0.5, 0.5],
  [LAST, 0.5],
  [0.5, LAST],
  [LAST, LAST],
] as const;
const CENTRE_PLACES = [
  [MIDDLE, MIDDLE],
  [MIDDLE - 1, MIDDLE - 1],
  [MIDDLE + 1, MIDDLE + 1],
] as const;

/** Readers choose a threshold for each part of a picture: here, the middle between ink and background. */
const tonesOfFinder = ({ ground, ring, centre }: FinderPaint) => {
  const inks = [
    ...RING_PLACES.map(([x, y]) => [ring(x, y), ground(x, y)] as const),
    ...CENTRE_PLACES.map(([x, y]) => [centre(x, y), ground(x, y)] as const),
  ];
  const lights = inks.flat();
  return {
    contrast: Math.min(...inks.map(([ink, paper]) => paper - ink)),
    threshold: (Math.min(...lights) + Math.max(...lights)) / 2,
  };
};
