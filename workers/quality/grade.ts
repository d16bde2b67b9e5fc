import { LRUCache } from 'lru-cache';
import type { Geometry } from '../design/geometry.ts';
import { getOrMake } from '../kept.ts';
import { isLone, type ParameterName } from '../lists.ts';
import { planRender } from '../plan.ts';
import {
  type Design,
  type Fault,
  type Grade,
  isFault,
  type Logo,
  type PrintPage,
  type Quality,
} from '../protocol.ts';
import { logoHashOf } from '../raster/kept-layers.ts';
import { createSymbol, type QrSymbol } from '../symbol/symbol.ts';
import { anchorsOf } from './anchors.ts';
import { type Damage, damageOf, type Harm, lossesOf } from './damage.ts';
import { type FinderView, worstFinder } from './finders.ts';
import {
  gradeAtLeast,
  gradeAtMost,
  lowestGradeOf,
  serializeWarnings,
  type Thresholds,
  warningsOf,
} from './grades.ts';
import { type FieldSamples, fieldOf, sampleField, type Tones, tonesOf } from './light.ts';
import { occlusionOf } from './occlusion.ts';
import { lookerOf, suspectsOf } from './suspects.ts';

/** The parameters that a symbol's own modules do not decide. */
type StyleParameter = Exclude<ParameterName, 'modulation' | 'logo-damage' | 'fixed-patterns'>;

/** What all pictures of a style, version, level and size share. */
export interface StyleQuality {
  readonly parameters: Readonly<Record<StyleParameter, Grade>>;
  readonly figures: Readonly<Partial<Record<ParameterName, number>>>;
  readonly harm: Harm;
}

/** Figures without a standard come from `npm run study`; docs/quality.md has its tables. */
const THRESHOLDS = {
  /** Symbol contrast: ISO/IEC 15415:2011, 7.8.3. */
  contrast: [0.7, 0.55, 0.4, 0.2],
  /** Scan lines on which the centre is three modules wide: through the middle two modules, and through all three. */
  centreMiddle: [0.9, 0.82, 0.75, 0.7],
  centreWhole: [0.85, 0.75, 0.6, 0.3],
  /** Scan lines that cross one module of ring. */
  ring: [0.85, 0.75, 0.6, 0.3],
  /** Modules that the ring's ink stays away from its corners. */
  cornerInset: [0.35, 0.6, 1.2, 2],
  ground: [0.6, 0.4, 0.2, 0],
  /** Side of a module in pixels, and on paper in millimetres: the first threshold is what phone cameras need. */
  modulePx: [4, 3, 2, 1],
  moduleMm: [0.33, 0.25, 0.2, 0.15],
} as const satisfies Record<string, Thresholds>;
/** ISO/IEC 18004:2015, 6.3.8 asks for four modules; readers need one on paper and two next to other print. */
const QUIET_MODULES = 2;
/** Red contrast of grade 2 in ISO/IEC 15415: scanners with red light need it, cameras do not. */
const RED_CONTRAST = 0.4;

/** Grades a style for a version. On a page, modules are measured in millimetres, and the bleed is no quiet zone. */
export const gradeStyle = (
  version: number,
  design: Design,
  geometry: Geometry,
  logo: Logo | null,
  page: PrintPage | null = null,
): StyleQuality => {
  const field = fieldOf(design, 'luma');
  const samples = sampleField(field, geometry);
  const tones = tonesOf(samples);
  const finder = worstFinder(design, geometry, field, tones.isInverted);
  const figures = {
    contrast: Math.min(tones.contrast, finder.contrast),
    'red-light': tonesOf(sampleField(fieldOf(design, 'red'), geometry)).contrast,
    'finder-centre': finder.centreMiddle,
    'finder-ring': finder.cornerInset,
    ground: tones.ground,
    'quiet-zone': quietZoneOf(design, geometry, page?.bleedPx ?? 0),
    'small-modules': geometry.modulePx * (page?.mmPerPx ?? 1),
  };
  const parameters: Record<StyleParameter, Grade> = {
    contrast: gradeAtLeast(figures.contrast, THRESHOLDS.contrast),
    'red-light': figures['red-light'] >= RED_CONTRAST ? 4 : 3,
    ...gradeFinders(finder, hasCoarseDiscs(design)),
    ground: gradeAtLeast(tones.ground, THRESHOLDS.ground),
    inverted: tones.isInverted ? 0 : 4,
    'quiet-zone': figures['quiet-zone'] >= QUIET_MODULES ? 4 : 3,
    'small-modules': gradeAtLeast(
      // Whole printer dots may give sizes that are a rounding error below a threshold.
      figures['small-modules'] + 1e-9,
      page === null ? THRESHOLDS.modulePx : THRESHOLDS.moduleMm,
    ),
  };
  return { parameters, figures, harm: harmOf(version, samples, tones, geometry, logo) };
};

/** Grades how readers see the finder patterns. @param isCoarse Whether their rings are discs without smooth edges. */
export const gradeFinders = (view: FinderView, isCoarse: boolean) => ({
  'finder-centre': lowestGradeOf(
    gradeAtLeast(view.centreMiddle, THRESHOLDS.centreMiddle),
    gradeAtLeast(view.centreWhole, THRESHOLDS.centreWhole),
    view.centreDiagonals ? 4 : 2,
  ),
  'finder-ring': lowestGradeOf(
    gradeAtLeast(view.ringMiddle, THRESHOLDS.ring),
    gradeAtMost(view.cornerInset, THRESHOLDS.cornerInset),
    isCoarse ? 2 : 4,
  ),
});

/** Returns what a style does to the modules of its symbols. */
const harmOf = (
  version: number,
  samples: FieldSamples,
  tones: Tones,
  geometry: Geometry,
  logo: Logo | null,
): Harm => {
  const { moduleCount } = geometry;
  const occlusion =
    logo === null || geometry.logo === null ? null : occlusionOf(geometry, geometry.logo, logo);
  const suspects = suspectsOf(samples, tones, moduleCount, occlusion);
  return {
    ofField: suspects.ofField,
    losses: lossesOf(version, moduleCount, suspects),
    anchors: occlusion
      ? anchorsOf(version, moduleCount, occlusion, lookerOf(samples, tones, moduleCount, occlusion))
      : [],
  };
};

/** Discs without smooth edges lose their shape: readers miss rings and centres that are made of them. */
const hasCoarseDiscs = ({ dots, cornersSquare }: Design): boolean =>
  !dots.roundSize && isLone(cornersSquare.type ?? dots.type);

/** Modules of empty background around the symbol, on its narrowest side. A circle has one module, and then more dots. */
const quietZoneOf = ({ widthPx, heightPx }: Design, geometry: Geometry, bleedPx: number): number => {
  const { xPx, yPx, modulePx, moduleCount, fillerRings } = geometry;
  if (fillerRings > 0) return 1;
  const sidePx = moduleCount * modulePx;
  const marginPx = Math.min(xPx, yPx, widthPx - xPx - sidePx, heightPx - yPx - sidePx);
  return (marginPx - bleedPx) / modulePx;
};

/**
 * Wrong codewords of the worst block, as a share of those that can be repaired. Above 1 hardly any reader reads the
 * code; a print needs a reserve, which ISO/IEC 15415 grades (unused error correction).
 */
const USED_CORRECTION: Thresholds = [0.6, 0.85, 1, 1];

/** A grade, and its warnings as `Tessera-Warnings` writes them. */
export interface Graded {
  readonly quality: Quality;
  readonly warnings: string;
}

/** A style, and the grades of its symbols, keyed by their damage: few symbols differ in that. */
interface KeptStyle extends StyleQuality {
  readonly graded: Map<string, Graded>;
}

const MAX_GRADED = 32;
/** A style with its grades takes at most this, and 4 bytes for each module that its paints or its logo make unclear. */
const STYLE_BYTES = 24 * 1024;
const ANCHOR_BYTES = 1024;
const MAX_CACHE_BYTES = 16 * 1024 * 1024;
const kept = new LRUCache<string, KeptStyle>({
  maxSize: MAX_CACHE_BYTES,
  sizeCalculation: ({ harm: { ofField, losses, anchors } }) =>
    STYLE_BYTES + ofField.byteLength + losses.modules.byteLength + anchors.length * ANCHOR_BYTES,
});

/**
 * Returns the grade of a picture, the same in every lane and for SVG: it follows from the masks, paints and pixels of
 * the logo that the lanes draw, not from their output. What depends on style, version, level and size alone is cached;
 * a symbol adds only what the logo and paints do to its own modules. `page` is that of a picture in millimetres.
 */
export const gradeOf = (
  symbol: QrSymbol,
  design: Design,
  geometry: Geometry,
  logo: Logo | null,
  page: PrintPage | null = null,
): Graded => {
  const { symbol: _, ...look } = design;
  const styleKey =
    JSON.stringify([symbol.version, geometry.logo, look, page]) + (logo === null ? '' : logoHashOf(logo));
  const style = getOrMake(kept, styleKey, (): KeptStyle => {
    const quality = gradeStyle(symbol.version, design, geometry, logo, page);
    return { ...quality, graded: new Map() };
  });
  const damage = damageOf(symbol, style.harm);
  const key = `${damage.modulation} ${damage.usedCorrection} ${damage.fixedPatterns}`;
  const known = style.graded.get(key);
  if (known) return known;
  const quality = qualityOf(style, damage);
  const graded = { quality, warnings: serializeWarnings(quality.warnings) };
  if (style.graded.size < MAX_GRADED) style.graded.set(key, graded);
  return graded;
};

/** Adds what a symbol's own modules decide. */
const qualityOf = (style: StyleQuality, { modulation, usedCorrection, fixedPatterns }: Damage): Quality => {
  const { contrast, 'red-light': redLight, ...others } = style.parameters;
  // In the order of docs/quality.md.
  const parameters: Record<ParameterName, Grade> = {
    contrast,
    'red-light': redLight,
    modulation,
    'logo-damage': gradeAtMost(usedCorrection, USED_CORRECTION),
    'fixed-patterns': fixedPatterns,
    ...others,
  };
  const figures = { ...style.figures, 'logo-damage': usedCorrection };
  const grade = Math.min(...Object.values(parameters)) as Grade;
  return { grade, parameters, figures, warnings: warningsOf(parameters, figures) };
};

/** Grades a design without drawing its picture. Returns the faults of `planRender`. */
export const gradeDesign = (text: string, design: Design, logo: Logo | null): Quality | Fault => {
  const plan = planRender(text, design, logo);
  if (isFault(plan)) return plan;
  return gradeOf(createSymbol(text, plan.symbol), design, plan.geometry, logo).quality;
};
