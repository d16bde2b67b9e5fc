/** How easily a design can be scanned, in words. */
import type { QrRequest } from '../../api/shapes.ts';
import type { Contrast } from './colors/contrast.ts';

/** How good one aspect of a design is, from best to worst. */
export type Grade = 'good' | 'careful' | 'bad';
/** Error correction level. */
export type Level = 'L' | 'M' | 'Q' | 'H';

/** A judgement on one aspect of a design. */
export interface Hint {
  readonly about: string;
  readonly grade: Grade;
  readonly text: string;
}

/** What the service measured on a design. */
export interface Measures {
  /** Modules along one side, without quiet zone. */
  readonly modules: number;
  readonly modulePx: number;
  readonly quietZoneModules: number;
  /** Share of the symbol that the logo covers, 0 to 1. */
  readonly logoCover: number;
  readonly level: Level;
}

/** Share of codewords that each level restores (ISO/IEC 18004:2015, 6.5.1). */
export const REPAIRS: Readonly<Record<Level, number>> = { L: 0.07, M: 0.15, Q: 0.25, H: 0.3 };

/** ISO/IEC 18004:2015, 6.3.8. */
const QUIET_ZONE_MODULES = 4;
/** With smaller modules the cameras of phones begin to fail at arm's length. */
const MODULE_MM = 0.4;

const grade = (value: number, good: number, careful: number): Grade =>
  value >= good ? 'good' : value >= careful ? 'careful' : 'bad';

const decimal = (value: number, digits = 1): string => value.toFixed(digits).replace(/\.0+$/, '');
const percent = (share: number): string => `${decimal(share * 100)} %`;

/**
 * Grades the contrast: 4.5 and more is good, 3 and more acceptable, and light on dark at best acceptable. `null`
 * means that a colour could not be read.
 */
export const contrastHint = (contrast: Contrast | null): Hint => {
  const about = 'Contrast';
  if (contrast === null)
    return { about, grade: 'careful', text: 'Unknown, because a colour cannot be read.' };
  const ratio = `${decimal(contrast.ratio)} : 1`;
  const found = grade(contrast.ratio, 4.5, 3);
  if (found === 'bad')
    return { about, grade: found, text: `${ratio}. Make the dots much darker than the background.` };
  if (contrast.inverted)
    return {
      about,
      grade: 'careful',
      text: `${ratio}, but light on dark, which older scanners cannot read.`,
    };
  const text =
    found === 'good' ? `${ratio}. Every camera can read it.` : `${ratio}. 4.5 : 1 or more is safe.`;
  return { about, grade: found, text };
};

/**
 * Grades the logo by the share of the error correction that it uses up: up to half is good, up to all of it
 * acceptable.
 */
export const logoHint = ({ logoCover, level }: Pick<Measures, 'logoCover' | 'level'>): Hint => {
  const about = 'Logo';
  if (logoCover === 0)
    return { about, grade: 'good', text: `None. All of level ${level} can repair damage.` };
  const repairs = REPAIRS[level];
  const said = `Covers ${percent(logoCover)} of the code. Level ${level} can repair ${percent(repairs)}.`;
  if (logoCover > repairs)
    return { about, grade: 'bad', text: `${said} Make the logo smaller, or raise the error correction.` };
  if (logoCover > repairs / 2)
    return { about, grade: 'careful', text: `${said} Little is left to repair damage.` };
  return { about, grade: 'good', text: said };
};

/** Grades the quiet zone: four modules are good, two acceptable. */
export const quietZoneHint = (modules: number): Hint => {
  const found = grade(modules + 1e-6, QUIET_ZONE_MODULES, QUIET_ZONE_MODULES / 2);
  const said = `${decimal(modules)} modules of empty margin.`;
  const text = found === 'good' ? said : `${said} Scanners need four: raise the margin, or clear that field.`;
  return { about: 'Quiet zone', grade: found, text };
};

/**
 * Grades the corners, by which scanners find a code. Corners of separate discs are found only from some distance.
 */
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
        text: 'Made of single dots, which many scanners miss at close range. Choose another style for the corners.',
      }
    : { about, grade: 'good', text: 'Solid shapes, which scanners find.' };
};

/** Grades the printed size of a module. `printMm` is the printed width of the whole picture. */
export const moduleSizeHint = (modulePx: number, widthPx: number, printMm: number): Hint => {
  const about = 'Module size';
  const moduleMm = (modulePx / widthPx) * printMm;
  if (!(moduleMm > 0)) return { about, grade: 'careful', text: 'Enter the printed width.' };
  const found = grade(moduleMm + 1e-6, MODULE_MM, 0.25);
  const said = `${decimal(moduleMm, 2)} mm at ${decimal(printMm)} mm width.`;
  const neededMm = Math.ceil((MODULE_MM * widthPx) / modulePx);
  const text = found === 'good' ? said : `${said} Print it ${neededMm} mm wide or more.`;
  return { about, grade: found, text };
};

const ORDER: readonly Grade[] = ['good', 'careful', 'bad'];

/** Returns the worst grade of all hints. */
export const overall = (hints: readonly Hint[]): Grade =>
  ORDER[Math.max(0, ...hints.map((hint) => ORDER.indexOf(hint.grade)))] ?? 'good';

/** Reads the measures from the headers of a preview. */
export const toMeasures = (headers: { get(name: string): string | null }): Measures => ({
  modules: Number(headers.get('tessera-modules')),
  modulePx: Number(headers.get('tessera-module-px')),
  quietZoneModules: Number(headers.get('tessera-quiet-zone')),
  logoCover: Number(headers.get('tessera-logo-cover')),
  level: (headers.get('tessera-level') ?? 'Q') as Level,
});
