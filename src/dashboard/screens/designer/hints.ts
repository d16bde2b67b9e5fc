/** How easily a design can be scanned, in words. */
import { PARAMETERS, type ParameterName } from '../../../../workers/lists.ts';
import type { Check, Grade, QrRequest } from '../../api/shapes.ts';
import { withField } from './draft.ts';

export interface Hint {
  readonly about: string;
  readonly grade: Grade;
  readonly text: string;
}

export interface Measures {
  /** Modules along one side, without quiet zone. */
  readonly modules: number;
  readonly modulePx: number;
  /** Error correction level. */
  readonly level: string;
}

const decimal = (value: number, digits = 1): string => value.toFixed(digits).replace(/\.0+$/, '');

/** Returns a hint for each parameter of a check, the lowest first: what it measures and, below 4, what to do. */
export const hintsOf = ({ parameters, warnings }: Pick<Check, 'parameters' | 'warnings'>): readonly Hint[] =>
  Object.entries(parameters)
    .map(([name, grade]) => {
      const { title, about } = PARAMETERS[name as ParameterName];
      const warning = warnings.find((each) => each.name === name);
      const advice = warning?.advice.replace(/^[\w.]+: /, '').replaceAll('`', '');
      return { about: title, grade, text: advice === undefined ? about : `${about} ${advice}` };
    })
    .sort((one, other) => one.grade - other.grade);

/** With smaller modules the cameras of phones begin to fail at arm's length. */
const MODULE_MM = 0.4;

/** Grades the printed size of a module. `printMm` is the printed width of the whole picture. */
export const moduleSizeHint = (modulePx: number, widthPx: number, printMm: number): Hint => {
  const about = 'Printed modules';
  const moduleMm = (modulePx / widthPx) * printMm;
  if (!(moduleMm > 0)) return { about, grade: 3, text: 'Enter the printed width.' };
  const grade = moduleMm + 1e-6 >= MODULE_MM ? 4 : moduleMm + 1e-6 >= 0.25 ? 2 : 0;
  const said = `${decimal(moduleMm, 2)} mm at ${decimal(printMm)} mm width.`;
  const neededMm = Math.ceil((MODULE_MM * widthPx) / modulePx);
  return { about, grade, text: grade === 4 ? said : `${said} Print it ${neededMm} mm wide or more.` };
};

/** Returns the design with the fields of a repair set. A field that is `null` is removed. */
export const repair = (request: QrRequest, { options }: NonNullable<Check['repair']>): QrRequest => {
  let repaired = request;
  for (const [name, value] of Object.entries(options)) {
    if (typeof value !== 'object') repaired = withField(repaired, name, value);
    else if (value === null) repaired = withField(repaired, name, undefined);
    else
      for (const [inner, set] of Object.entries(value))
        repaired = withField(repaired, `${name}.${inner}`, set);
  }
  return repaired;
};

export const toMeasures = (headers: { get(name: string): string | null }): Measures => ({
  modules: Number(headers.get('tessera-modules')),
  modulePx: Number(headers.get('tessera-module-px')),
  level: headers.get('tessera-level') ?? 'Q',
});
