/** How likely a design is to be read, told in words. */
import type { QrRequest } from '../../api/shapes.ts';
import type { Contrast } from './contrast.ts';

export type Grade = 'good' | 'careful' | 'bad';
export type Level = 'L' | 'M' | 'Q' | 'H';

export interface Hint {
  readonly about: string;
  readonly grade: Grade;
  readonly text: string;
}

/** What the service measured on a design. */
export interface Measures {
  /** A side, without quiet zone. */
  readonly modules: number;
  readonly modulePx: number;
  readonly quietZoneModules: number;
  /** Share of the symbol, 0 to 1. */
  readonly logoCover: number;
  readonly level: Level;
}

/** Share of codewords that each level restores (ISO/IEC 18004, table of error correction levels). */
export const REPAIRS: Readonly<Record<Level, number>> = { L: 0.07, M: 0.15, Q: 0.25, H: 0.3 };

/** Of ISO/IEC 18004. */
const QUIET_ZONE_MODULES = 4;
/** Below this the cameras of phones begin to fail at an arm's length. */
const MODULE_MM = 0.4;

const grade = (value: number, good: number, careful: number): Grade =>
  value >= good ? 'good' : value >= careful ? 'careful' : 'bad';

const decimal = (value: number, digits = 1): string => value.toFixed(digits).replace(/\.0+$/, '');
const percent = (share: number): string => `${decimal(share * 100)} %`;

export const contrastHint = (contrast: Contrast | null): Hint => {
  const about = 'Contrast';
  if (contrast === null)
    return { about, grade: 'careful', text: 'A colour is not understood, so nothing can be said.' };
  const ratio = `${decimal(contrast.ratio)} : 1`;
  const found = grade(contrast.ratio, 4.5, 3);
  if (found === 'bad')
    return { about, grade: found, text: `${ratio}. Make the dots much darker than the ground.` };
  if (contrast.inverted)
    return { about, grade: 'careful', text: `${ratio}, but light on dark: older readers see nothing.` };
  const text = found === 'good' ? `${ratio}. Clear to every camera.` : `${ratio}. 4.5 : 1 or more is safe.`;
  return { about, grade: found, text };
};

export const logoHint = ({ logoCover, level }: Pick<Measures, 'logoCover' | 'level'>): Hint => {
  const about = 'Logo';
  if (logoCover === 0)
    return { about, grade: 'good', text: `None; all of level ${level} is left for damage.` };
  const repairs = REPAIRS[level];
  const said = `Covers ${percent(logoCover)} of what level ${level} restores up to ${percent(repairs)}.`;
  if (logoCover > repairs)
    return { about, grade: 'bad', text: `${said} Make it smaller, or raise error correction.` };
  if (logoCover > repairs / 2) return { about, grade: 'careful', text: `${said} Little is left for damage.` };
  return { about, grade: 'good', text: said };
};

export const quietZoneHint = (modules: number): Hint => {
  const found = grade(modules + 1e-6, QUIET_ZONE_MODULES, QUIET_ZONE_MODULES / 2);
  const said = `${decimal(modules)} modules of empty rim.`;
  const text = found === 'good' ? said : `${said} Four are wanted: raise the margin, or leave it empty.`;
  return { about: 'Quiet zone', grade: found, text };
};

/** Readers find a code by its corners; in discs that don't touch they see none, but from some way off. */
export const cornersHint = ({
  dotsOptions,
  cornersSquareOptions,
  cornersDotOptions,
}: Pick<QrRequest, 'dotsOptions' | 'cornersSquareOptions' | 'cornersDotOptions'>): Hint => {
  const about = 'Corners';
  const types = [cornersSquareOptions, cornersDotOptions].map((corner) => corner?.type ?? dotsOptions?.type);
  return types.includes('dots')
    ? {
        about,
        grade: 'careful',
        text: 'Single dots: many readers miss them nearby. Choose another type for corners and centres.',
      }
    : { about, grade: 'good', text: 'Whole shapes, which readers find.' };
};

/** `printMm`: how wide the whole picture is printed. */
export const moduleSizeHint = (modulePx: number, widthPx: number, printMm: number): Hint => {
  const about = 'Module size';
  const moduleMm = (modulePx / widthPx) * printMm;
  if (!(moduleMm > 0)) return { about, grade: 'careful', text: 'Say how wide it is printed.' };
  const found = grade(moduleMm + 1e-6, MODULE_MM, 0.25);
  const said = `${decimal(moduleMm, 2)} mm at ${decimal(printMm)} mm width.`;
  const neededMm = Math.ceil((MODULE_MM * widthPx) / modulePx);
  const text = found === 'good' ? said : `${said} Print it ${neededMm} mm wide or more.`;
  return { about, grade: found, text };
};

const ORDER: readonly Grade[] = ['good', 'careful', 'bad'];

/** As good as its worst part. */
export const overall = (hints: readonly Hint[]): Grade =>
  ORDER[Math.max(0, ...hints.map((hint) => ORDER.indexOf(hint.grade)))] ?? 'good';

/** The service's headers of a preview. */
export const toMeasures = (headers: { get(name: string): string | null }): Measures => ({
  modules: Number(headers.get('tessera-modules')),
  modulePx: Number(headers.get('tessera-module-px')),
  quietZoneModules: Number(headers.get('tessera-quiet-zone')),
  logoCover: Number(headers.get('tessera-logo-cover')),
  level: (headers.get('tessera-level') ?? 'Q') as Level,
});
