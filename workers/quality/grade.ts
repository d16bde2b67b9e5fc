import { LRUCache } from 'lru-cache';
import type { Geometry } from '../design/geometry.ts';
import { isFault, planRender } from '../plan.ts';
import type { Design, Fault, Grade, Logo, ParameterName, Quality } from '../protocol.ts';
import { logoHashOf } from '../raster/layers/logo-hash.ts';
import { createSymbol, type QrSymbol } from '../symbol/symbol.ts';
import { damageOf } from './damage.ts';
import { gradeAtMost, type Thresholds } from './grades.ts';
import { gradeStyle, type StyleQuality } from './style.ts';
import { warningsOf } from './warnings.ts';

/**
 * Share of the codewords that can be repaired in the worst block. Above 1 hardly a reader reads the code; a print needs a
 * reserve, and ISO/IEC 15415 grades it (unused error correction).
 */
const COVER: Thresholds = [0.6, 0.8, 0.9, 1];

/** A style takes some 2 kB, and 4 bytes for each module that its paints or its logo make unclear. */
const MAX_CACHE_BYTES = 8 * 1024 * 1024;
const STYLE_BYTES = 2048;
const kept = new LRUCache<string, KeptStyle>({
  maxSize: MAX_CACHE_BYTES,
  sizeCalculation: ({ suspects: { ofField, ofLogo } }) =>
    STYLE_BYTES + ofField.byteLength + ofLogo.byteLength,
});

/**
 * Returns the grade of a picture, the same in every lane and for SVG: it follows from the masks, paints and pixels of
 * the logo that the lanes draw, not from their output. What depends on style, version, level and size alone is kept;
 * a symbol adds only what the logo and paints do to its own modules.
 */
export function gradeOf(symbol: QrSymbol, design: Design, geometry: Geometry, logo: Logo | null): Quality {
  const style = styleQualityOf(symbol, design, geometry, logo);
  return style.whole ?? qualityOf(style, symbol);
}

/** Adds what a symbol's own modules decide. */
function qualityOf(style: StyleQuality, symbol: QrSymbol): Quality {
  const { modulation, cover, fixedPatterns } = damageOf(symbol, style.suspects);
  const { contrast, 'red-light': redLight, ...others } = style.parameters;
  // In the order of docs/quality.md.
  const parameters: Record<ParameterName, Grade> = {
    ...{ contrast, 'red-light': redLight, modulation },
    ...{ 'logo-damage': gradeAtMost(cover, COVER), 'fixed-patterns': fixedPatterns },
    ...others,
  };
  const figures = { ...style.figures, 'logo-damage': cover };
  const grade = Math.min(...Object.values(parameters)) as Grade;
  return { grade, parameters, figures, warnings: warningsOf(parameters, figures) };
}

/** Grades a design without drawing its picture. Returns the faults of `planRender`. */
export function gradeDesign(text: string, design: Design, logo: Logo | null): Quality | Fault {
  const plan = planRender(text, design, logo);
  if (isFault(plan)) return plan;
  return gradeOf(createSymbol(text, plan.symbol), design, plan.geometry, logo);
}

/** A style, and the whole quality of its pictures when no symbol can change it. */
interface KeptStyle extends StyleQuality {
  readonly whole: Quality | null;
}

function styleQualityOf(symbol: QrSymbol, design: Design, geometry: Geometry, logo: Logo | null): KeptStyle {
  const { symbol: _, ...look } = design;
  const key = JSON.stringify([symbol.version, geometry.logo, look]) + (logo === null ? '' : logoHashOf(logo));
  const known = kept.get(key);
  if (known) return known;
  const style = gradeStyle(design, geometry, logo);
  const isWhole = style.suspects.ofField.length + style.suspects.ofLogo.length === 0;
  const made = { ...style, whole: isWhole ? qualityOf(style, symbol) : null };
  kept.set(key, made);
  return made;
}
