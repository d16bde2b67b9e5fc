import { LRUCache } from 'lru-cache';
import type { Geometry } from '../design/geometry.ts';
import { getOrMake } from '../kept.ts';
import type { ParameterName } from '../lists.ts';
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
import { type Damage, damageOf } from './damage.ts';
import { gradeAtMost, serializeWarnings, type Thresholds, warningsOf } from './grades.ts';
import { gradeStyle, type StyleQuality } from './style.ts';

/**
 * Wrong codewords of the worst block, as a share of those that can be repaired. Above 1 hardly any reader reads the
 * code; a print needs a reserve, which ISO/IEC 15415 grades (unused error correction).
 */
const COVER: Thresholds = [0.6, 0.85, 1, 1];

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
  const key = `${damage.modulation} ${damage.cover} ${damage.fixedPatterns}`;
  const known = style.graded.get(key);
  if (known) return known;
  const quality = qualityOf(style, damage);
  const graded = { quality, warnings: serializeWarnings(quality.warnings) };
  if (style.graded.size < MAX_GRADED) style.graded.set(key, graded);
  return graded;
};

/** Adds what a symbol's own modules decide. */
const qualityOf = (style: StyleQuality, { modulation, cover, fixedPatterns }: Damage): Quality => {
  const { contrast, 'red-light': redLight, ...others } = style.parameters;
  // In the order of docs/quality.md.
  const parameters: Record<ParameterName, Grade> = {
    contrast,
    'red-light': redLight,
    modulation,
    'logo-damage': gradeAtMost(cover, COVER),
    'fixed-patterns': fixedPatterns,
    ...others,
  };
  const figures = { ...style.figures, 'logo-damage': cover };
  const grade = Math.min(...Object.values(parameters)) as Grade;
  return { grade, parameters, figures, warnings: warningsOf(parameters, figures) };
};

/** Grades a design without drawing its picture. Returns the faults of `planRender`. */
export const gradeDesign = (text: string, design: Design, logo: Logo | null): Quality | Fault => {
  const plan = planRender(text, design, logo);
  if (isFault(plan)) return plan;
  return gradeOf(createSymbol(text, plan.symbol), design, plan.geometry, logo).quality;
};
