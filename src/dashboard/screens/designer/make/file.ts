/** The file that a person wants of a design: its format, and its width in pixels or on paper. */
import { type FileFormat, FORMATS } from '../../../../../workers/lists.ts';
import { sizeFaultOfTill } from '../../../../../workers/print/dots.ts';
import { ok, type Result, refused } from '../../../../result.ts';
import { NOT_FOR_TILLS, type TillChoice, toQueryParameters } from '../../codes/file-choice.ts';

/** As it is typed: numbers are texts. In pixels the design has the width. */
export interface FileChoice extends TillChoice {
  readonly format: FileFormat;
  readonly unit: 'px' | 'mm';
  readonly widthMm: string;
  /** Of the printer; counts for PNG and WebP in millimetres. */
  readonly dpi: string;
}

/** A file for screens; in millimetres as wide as a label. */
export const FOR_SCREENS: FileChoice = {
  format: 'png',
  unit: 'px',
  widthMm: '40',
  dpi: '600',
  ...NOT_FOR_TILLS,
};

export interface ChoiceFault {
  readonly field: 'widthMm' | 'dpi';
  readonly text: string;
}

/** What the paper has to hold. */
interface Symbol {
  /** Modules along one side, without quiet zone. */
  readonly modules: number;
  readonly isCircle: boolean;
}

const MM_PER_INCH = 25.4;
const QUIET_ZONE_MODULES = 4;
const BITMAP_MAX_PX = 4096;
const WIDTH_MAX_MM = 5000;

/** Modules along one side of the paper, with the quiet zone. */
export const sideModulesOf = ({ modules, isCircle }: Symbol): number =>
  (isCircle ? Math.ceil(modules * Math.SQRT2) : modules) + 2 * QUIET_ZONE_MODULES;

/** A size on paper as the query of a file. */
interface PrintedSize {
  readonly query: string;
  /** The width that the file has. */
  readonly widthMm: number;
}

const within = (text: string, min: number, max: number): boolean =>
  text.trim() !== '' && Number(text) >= min && Number(text) <= max;

/**
 * Returns the query for a width in millimetres. The modules of a bitmap have whole dots, so it is the widest one that
 * is no wider than the choice.
 */
export const toPrintedSize = (
  { format, widthMm, dpi, ...forTills }: FileChoice,
  symbol: Symbol,
): Result<PrintedSize, ChoiceFault> => {
  const wrong = (field: ChoiceFault['field'], text: string) => refused({ field, text });
  if (!within(widthMm, 1, WIDTH_MAX_MM)) return wrong('widthMm', `Enter a number from 1 to ${WIDTH_MAX_MM}.`);
  const wantedMm = Number(widthMm);
  const sideModules = sideModulesOf(symbol);
  const sized = (moduleMm: number, parameters: Readonly<Record<string, string>>) => {
    const layout = { moduleMm, sideModules, quietModules: QUIET_ZONE_MODULES };
    const fault = forTills.till ? sizeFaultOfTill({ shape: 'square' }, {}, layout) : null;
    if (fault !== null) return wrong('widthMm', `Here ${fault.message}.`);
    const query = new URLSearchParams({ ...parameters, ...toQueryParameters(forTills) }).toString();
    return ok({ query, widthMm: moduleMm * sideModules });
  };
  if (!FORMATS[format].isBitmap) return sized(wantedMm / sideModules, { width_mm: String(wantedMm) });
  if (!within(dpi, 72, 2400) || !Number.isInteger(Number(dpi)))
    return wrong('dpi', 'Enter a whole number from 72 to 2400.');
  const dotMm = MM_PER_INCH / Number(dpi);
  const dots = Math.floor(wantedMm / (sideModules * dotMm) + 1e-6);
  if (dots < 1)
    return wrong('widthMm', `At ${dpi} dpi it needs ${Math.ceil(sideModules * dotMm)} mm or more.`);
  if (dots * sideModules > BITMAP_MAX_PX)
    return wrong('widthMm', `At ${dpi} dpi that is too many pixels. Use SVG or PDF, or fewer dpi.`);
  const moduleMm = dots * dotMm;
  return sized(moduleMm, { module_mm: moduleMm.toFixed(6), dpi: String(Number(dpi)) });
};
