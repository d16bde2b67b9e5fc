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

/** Returns an advice of `PARAMETERS` without the fields of the API that it names in brackets. */
export const inPlainWords = (advice: string): string => advice.replace(/ \(`[^`]+`\)|`/g, '');

/** Returns a hint for each parameter of a check, the lowest first: what it measures and, below 4, what to do. */
export const hintsOf = ({ parameters, warnings }: Pick<Check, 'parameters' | 'warnings'>): readonly Hint[] =>
  Object.entries(parameters)
    .map(([name, grade]) => {
      const { title, about, advice } = PARAMETERS[name as ParameterName];
      const isLow = warnings.some((each) => each.name === name);
      return { about: title, grade, text: isLow ? `${about} ${inPlainWords(advice)}` : about };
    })
    .sort((one, other) => one.grade - other.grade);

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
