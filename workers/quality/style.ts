import { FINDER_MODULES } from '../design/finders.ts';
import type { Geometry } from '../design/geometry.ts';
import { FINDER_TURNS_RAD, finderFills } from '../design/layers.ts';
import { finderCells } from '../design/modules.ts';
import type { Design, Grade, Logo, ParameterName } from '../protocol.ts';
import { type Field, fieldOf, sampleField } from './field.ts';
import { type FinderView, finderLight, finderShapeOf, viewFinder } from './finder.ts';
import { gradeAtLeast, gradeAtMost, lowest, type Thresholds } from './grades.ts';
import { lightOf } from './light.ts';
import { type Suspects, suspectsOf } from './suspects.ts';
import { tonesOf } from './tones.ts';

/** The parameters that a symbol's own modules decide. */
export type SymbolParameter = 'modulation' | 'logo-damage' | 'fixed-patterns';
type StyleParameter = Exclude<ParameterName, SymbolParameter>;

/** What all pictures of a style, version, level and size share. */
export interface StyleQuality {
  readonly parameters: Readonly<Record<StyleParameter, Grade>>;
  readonly figures: Readonly<Partial<Record<ParameterName, number>>>;
  readonly suspects: Suspects;
}

/** Symbol contrast for grades 4 to 1: ISO/IEC 15415:2011, 7.8.3. */
const CONTRAST: Thresholds = [0.7, 0.55, 0.4, 0.2];

/** Grades a style. */
export function gradeStyle(design: Design, geometry: Geometry, logo: Logo | null): StyleQuality {
  const field = fieldOf(design, 'luma');
  const samples = sampleField(field, geometry);
  const tones = tonesOf(samples);
  const red = tonesOf(sampleField(fieldOf(design, 'red'), geometry));
  const finder = worstFinder(design, geometry, field, tones.isInverted);
  const quietModules = quietZoneOf(design, geometry);
  const parameters: Record<StyleParameter, Grade> = {
    contrast: gradeAtLeast(tones.contrast, CONTRAST),
    'red-light': red.contrast >= 0.4 ? 4 : 3,
    'finder-centre': lowest(
      gradeAtLeast(finder.centreMiddle, [0.9, 0.82, 0.75, 0.7]),
      gradeAtLeast(finder.centreWhole, [0.85, 0.75, 0.6, 0.3]),
      finder.centreDiagonals ? 4 : 1,
      gradeAtLeast(finder.contrast, CONTRAST),
    ),
    'finder-ring': lowest(
      gradeAtLeast(finder.ringMiddle, [0.85, 0.75, 0.6, 0.3]),
      gradeAtMost(finder.cornerInset, [0.35, 0.6, 2, 3]),
      isOfRoughDiscs(design) ? 2 : 4,
    ),
    ground: gradeAtLeast(tones.ground, [0.6, 0.4, 0.2, 0]),
    inverted: tones.isInverted ? 0 : 4,
    'quiet-zone': quietModules >= 2 ? 4 : 3,
    'small-modules': Math.min(4, Math.floor(geometry.modulePx)) as Grade,
  };
  const figures = {
    contrast: tones.contrast,
    'red-light': red.contrast,
    'finder-centre': finder.centreMiddle,
    'finder-ring': finder.ringMiddle,
    ground: tones.ground,
    'quiet-zone': quietModules,
    'small-modules': geometry.modulePx,
  };
  return { parameters, figures, suspects: suspectsOf(samples, tones, geometry, logo) };
}

/** Whether the rings are of lone discs without smooth edges, which ZXing does not find in every size. */
const isOfRoughDiscs = ({ dots, cornersSquare }: Design): boolean =>
  !dots.roundSize && (cornersSquare.type ?? dots.type) === 'dots';

/** Modules of empty ground around the symbol, on its narrowest side. A circle has one module, and then more dots. */
function quietZoneOf({ widthPx, heightPx }: Design, geometry: Geometry): number {
  const { xPx, yPx, modulePx, moduleCount, fillerRings } = geometry;
  if (fillerRings > 0) return 1;
  const sidePx = moduleCount * modulePx;
  return Math.min(xPx, yPx, widthPx - xPx - sidePx, heightPx - yPx - sidePx) / modulePx;
}

/** A finder pattern as readers see it, and the difference of its light, 0 to 1. */
interface SeenFinder extends FinderView {
  readonly contrast: number;
}

/** Returns the worst view of the three finder patterns, figure by figure. */
function worstFinder(design: Design, geometry: Geometry, field: Field, isInverted: boolean): SeenFinder {
  const shape = finderShapeOf(design);
  const { xPx, yPx, modulePx, moduleCount } = geometry;
  const views: SeenFinder[] = [];
  for (const [index, [row, column]] of finderCells(moduleCount).entries()) {
    const [left, top] = [xPx + column * modulePx, yPx + row * modulePx];
    const fills = finderFills(design, left, top, modulePx, FINDER_TURNS_RAD[index]!);
    const [ring, centre] = [fills.ring, fills.centre].map(({ paint, box }) => lightOf(paint, box, 'luma'));
    const seen = (light: number): number => (isInverted ? 1 - light : light);
    const ground = (x: number, y: number) => field.ground(left + x * modulePx, top + y * modulePx);
    const inkOf = (paint: typeof ring) => (x: number, y: number) =>
      seen(paint!.over(ground(x, y), left + x * modulePx, top + y * modulePx));
    const paints = {
      ground: (x: number, y: number) => seen(ground(x, y)),
      ring: inkOf(ring),
      centre: inkOf(centre),
    };
    const lights = PLACES.flatMap(([x, y]) => [paints.ring(x, y), paints.centre(x, y), paints.ground(x, y)]);
    const [least, most] = [Math.min(...lights), Math.max(...lights)];
    views.push({ ...viewFinder(finderLight(shape, paints), (least + most) / 2), contrast: most - least });
    if (field.isUniform && ring!.isUniform && centre!.isUniform) break;
  }
  const least = (figure: (view: SeenFinder) => number): number => Math.min(...views.map(figure));
  return {
    centreMiddle: least(({ centreMiddle }) => centreMiddle),
    centreWhole: least(({ centreWhole }) => centreWhole),
    centreDiagonals: views.every(({ centreDiagonals }) => centreDiagonals),
    ringMiddle: least(({ ringMiddle }) => ringMiddle),
    cornerInset: -least(({ cornerInset }) => -cornerInset),
    contrast: least(({ contrast }) => contrast),
  };
}

/** Where the lights of a finder pattern are compared: its middle and its corners. */
const PLACES = [
  [FINDER_MODULES / 2, FINDER_MODULES / 2],
  [0.5, 0.5],
  [FINDER_MODULES - 0.5, 0.5],
  [0.5, FINDER_MODULES - 0.5],
  [FINDER_MODULES - 0.5, FINDER_MODULES - 0.5],
] as const;
