import { FINDER_MODULES } from '../design/finders.ts';
import type { Geometry } from '../design/geometry.ts';
import { FINDER_TURNS_RAD, finderFills } from '../design/layers.ts';
import { finderCells } from '../design/modules.ts';
import type { Design, Grade, Logo, ParameterName } from '../protocol.ts';
import { type Clearness, clearnessOf, type Suspects, suspectOf } from './damage.ts';
import { type Field, type FieldSamples, fieldOf, sampleField } from './field.ts';
import { type FinderView, finderLight, finderShapeOf, viewFinder } from './finder.ts';
import { gradeAtLeast, gradeAtMost, lowest } from './grades.ts';
import { lightOf } from './light.ts';
import { logoLightOf, meanOver } from './logo-light.ts';

/** The parameters that a symbol's own modules decide. */
export type SymbolParameter = 'modulation' | 'logo-damage' | 'fixed-patterns';
type StyleParameter = Exclude<ParameterName, SymbolParameter>;

/** What all pictures of a style, version, level and size share. */
export interface StyleQuality {
  readonly parameters: Readonly<Record<StyleParameter, Grade>>;
  readonly figures: Readonly<Partial<Record<ParameterName, number>>>;
  readonly suspects: Suspects;
}

/** Grades a style. */
export function gradeStyle(design: Design, geometry: Geometry, logo: Logo | null): StyleQuality {
  const field = fieldOf(design, 'luma');
  const tones = tonesOf(sampleField(field, geometry));
  const red = tonesOf(sampleField(fieldOf(design, 'red'), geometry));
  const finder = worstFinder(design, geometry, field, tones.isInverted);
  const quietModules = quietZoneOf(design, geometry);
  const parameters: Record<StyleParameter, Grade> = {
    contrast: gradeAtLeast(tones.contrast, [0.7, 0.55, 0.4, 0.2]),
    'red-light': red.contrast >= 0.4 ? 4 : 3,
    'finder-centre': lowest(
      gradeAtLeast(finder.centreMiddle, [0.9, 0.82, 0.75, 0.7]),
      gradeAtLeast(finder.centreWhole, [0.85, 0.75, 0.6, 0.3]),
      finder.centreDiagonals ? 4 : 1,
    ),
    'finder-ring': lowest(
      gradeAtLeast(finder.ringMiddle, [0.85, 0.75, 0.6, 0.3]),
      gradeAtMost(finder.cornerInset, [0.35, 0.6, 2, 3]),
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
  return { parameters, figures, suspects: suspectsOf(field, tones, geometry, logo) };
}

/** The light of a picture in one channel. */
interface Tones {
  /** 99th less 1st percentile of all modules: the symbol contrast of ISO/IEC 15415. */
  readonly contrast: number;
  /** Their middle: the global threshold. */
  readonly threshold: number;
  /** 1: the ground is paper, 0: as near to ink as to paper. */
  readonly ground: number;
  readonly isInverted: boolean;
}

function tonesOf({ dark, light }: FieldSamples): Tones {
  const isInverted = quantile(light, 0.5) < quantile(dark, 0.5);
  const all = Float64Array.of(...dark, ...light);
  const [least, most] = [quantile(all, 0.01), quantile(all, 0.99)];
  const [ink, paper] = isInverted
    ? [1 - quantile(dark, 0.5), 1 - quantile(light, 0.5)]
    : [quantile(dark, 0.5), quantile(light, 0.5)];
  return {
    contrast: most - least,
    threshold: (most + least) / 2,
    ground: ink >= 1 ? 0 : (2 * paper - ink - 1) / (1 - ink),
    isInverted,
  };
}

/** The value at a share of the ordered values, the nearest rank. */
function quantile(values: Float64Array, share: number): number {
  const ordered = Float64Array.from(values).sort();
  return ordered[Math.round(share * (ordered.length - 1))]!;
}

/** Modules of empty ground around the symbol, on its narrowest side. A circle has one module, and then more dots. */
function quietZoneOf({ widthPx, heightPx }: Design, geometry: Geometry): number {
  const { xPx, yPx, modulePx, moduleCount, fillerRings } = geometry;
  if (fillerRings > 0) return 1;
  const sidePx = moduleCount * modulePx;
  return Math.min(xPx, yPx, widthPx - xPx - sidePx, heightPx - yPx - sidePx) / modulePx;
}

/** Returns the worst view of the three finder patterns, figure by figure. */
function worstFinder(design: Design, geometry: Geometry, field: Field, isInverted: boolean): FinderView {
  const shape = finderShapeOf(design);
  const { xPx, yPx, modulePx, moduleCount } = geometry;
  const views: FinderView[] = [];
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
    const threshold = (Math.min(...lights) + Math.max(...lights)) / 2;
    views.push(viewFinder(finderLight(shape, paints), threshold));
    if (field.isUniform && ring!.isUniform && centre!.isUniform) break;
  }
  const least = (figure: (view: FinderView) => number): number => Math.min(...views.map(figure));
  return {
    centreMiddle: least(({ centreMiddle }) => centreMiddle),
    centreWhole: least(({ centreWhole }) => centreWhole),
    centreDiagonals: views.every(({ centreDiagonals }) => centreDiagonals),
    ringMiddle: least(({ ringMiddle }) => ringMiddle),
    cornerInset: -least(({ cornerInset }) => -cornerInset),
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

/** Returns the modules that are not clear, by the field's paints and by the logo over it. */
function suspectsOf(field: Field, tones: Tones, geometry: Geometry, logo: Logo | null): Suspects {
  const { moduleCount, modulePx, xPx, yPx } = geometry;
  const sign = tones.isInverted ? -1 : 1;
  const clearness = (light: number, isDark: boolean): Clearness =>
    clearnessOf(((isDark ? -2 : 2) * sign * (light - tones.threshold)) / Math.max(tones.contrast, 1e-6));
  const ofField: number[] = [];
  const ofLogo: number[] = [];
  const logoAt = logo === null ? null : logoOver(geometry, logo);
  const isAllClear = field.isUniform && tones.contrast > 0.01;
  const { left, top, right, bottom } = isAllClear
    ? (logoAt?.area ?? NOWHERE)
    : { left: 0, top: 0, right: moduleCount, bottom: moduleCount };
  const side = SIDE_MAX < moduleCount ? SIDE_MAX : moduleCount;
  for (let row = top; row < bottom; row += 1) {
    for (let column = left; column < right; column += 1) {
      const index = row * moduleCount + column;
      const near = (at: number) => (Math.floor((at * side) / moduleCount) + 0.5) * (moduleCount / side);
      const [x, y] = [xPx + near(column) * modulePx, yPx + near(row) * modulePx];
      const [dark, light] = [field.dark(x, y), field.ground(x, y)];
      const over = logoAt?.at(row, column) ?? null;
      const seen = over === null ? [dark, light] : over(dark, light);
      const [asDark, asLight] = [clearness(seen[0]!, true), clearness(seen[1]!, false)];
      if (asDark < 5 || asLight < 5)
        (over === null ? ofField : ofLogo).push(suspectOf(index, asDark, asLight));
    }
  }
  return { ofField: Uint32Array.from(ofField), ofLogo: Uint32Array.from(ofLogo) };
}

const SIDE_MAX = 24;
const NOWHERE = { left: 0, top: 0, right: 0, bottom: 0 };

/** Where a logo and the modules hidden for it lie, and what they make of a module's light. */
function logoOver({ moduleCount, modulePx, xPx, yPx, logo: box, hidden }: Geometry, logo: Logo) {
  const light = logoLightOf(logo);
  const { x, y, width, height } = box!;
  const [hideLeft, hideTop] = hidden
    ? [(moduleCount - hidden.columns) / 2, (moduleCount - hidden.rows) / 2]
    : [moduleCount, moduleCount];
  const [hideRight, hideBottom] = hidden ? [hideLeft + hidden.columns, hideTop + hidden.rows] : [0, 0];
  const inside = (at: number) => Math.min(Math.max(at, 0), moduleCount);
  const area = {
    left: inside(Math.min(hideLeft, Math.floor((x - xPx) / modulePx))),
    top: inside(Math.min(hideTop, Math.floor((y - yPx) / modulePx))),
    right: inside(Math.max(hideRight, Math.ceil((x + width - xPx) / modulePx))),
    bottom: inside(Math.max(hideBottom, Math.ceil((y + height - yPx) / modulePx))),
  };
  const at = (row: number, column: number) => {
    if (row < area.top || row >= area.bottom || column < area.left || column >= area.right) return null;
    const isHidden = row >= hideTop && row < hideBottom && column >= hideLeft && column < hideRight;
    // The middle half of the module, in shares of the logo.
    const [left, top] = [
      (xPx + (column + 0.25) * modulePx - x) / width,
      (yPx + (row + 0.25) * modulePx - y) / height,
    ];
    const [right, bottom] = [left + modulePx / 2 / width, top + modulePx / 2 / height];
    const luma = meanOver(light, light.lumaSums, left, top, right, bottom);
    const rest = 1 - meanOver(light, light.alphaSums, left, top, right, bottom);
    if (!isHidden && rest === 1) return null;
    return (dark: number, ground: number) => [luma + rest * (isHidden ? ground : dark), luma + rest * ground];
  };
  return { area, at };
}
