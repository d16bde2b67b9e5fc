import { FINDER_MODULES } from '../../design/finders.ts';
import type { Geometry } from '../../design/geometry.ts';
import { FINDER_TURNS_RAD, finderFills } from '../../design/layers.ts';
import { finderCells } from '../../design/modules.ts';
import type { Design } from '../../protocol.ts';
import type { Field } from '../light/field.ts';
import { lightOf } from '../light/light.ts';
import { type FinderPaint, finderLight, finderShapeOf } from './shape.ts';
import { type FinderView, viewFinder } from './view.ts';

/** The worst of the three finder patterns of a picture, figure by figure. */
export interface Finders extends FinderView {
  /** How much darker the lightest part of their ink is than the ground. */
  readonly contrast: number;
}

/**
 * Returns the worst view of the finder patterns.
 *
 * @param isInverted Light ink on a dark ground is graded as its negative.
 */
export function worstFinder(design: Design, geometry: Geometry, field: Field, isInverted: boolean): Finders {
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
}

/** Returns the light of one finder pattern, and whether all three are alike. */
function paintOf(index: number, design: Design, geometry: Geometry, field: Field, isInverted: boolean) {
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
}

const LAST = FINDER_MODULES - 0.5;
const MIDDLE = FINDER_MODULES / 2;
/** Where the light of ring and centre is compared with the ground, in modules. */
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

/** Readers choose a threshold for each part of a picture: here, the middle between ink and ground. */
function tonesOfFinder({ ground, ring, centre }: FinderPaint) {
  const inks = [
    ...RING_PLACES.map(([x, y]) => [ring(x, y), ground(x, y)] as const),
    ...CENTRE_PLACES.map(([x, y]) => [centre(x, y), ground(x, y)] as const),
  ];
  const lights = inks.flat();
  return {
    contrast: Math.min(...inks.map(([ink, paper]) => paper - ink)),
    threshold: (Math.min(...lights) + Math.max(...lights)) / 2,
  };
}
