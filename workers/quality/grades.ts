import { PARAMETERS, type ParameterName } from '../lists.ts';
import { TILL } from '../print/dots.ts';
import type { Fault, Grade, Warning } from '../protocol.ts';

/** The least figures for the grades 4, 3, 2 and 1. */
export type Thresholds = readonly [four: number, three: number, two: number, one: number];

/** Returns the highest grade whose threshold a figure reaches. */
export const gradeAtLeast = (figure: number, thresholds: Thresholds): Grade =>
  gradeOfFirst(thresholds.findIndex((threshold) => figure >= threshold));

/** Returns the highest grade whose threshold a figure does not exceed. */
export const gradeAtMost = (figure: number, thresholds: Thresholds): Grade =>
  gradeOfFirst(thresholds.findIndex((threshold) => figure <= threshold));

const gradeOfFirst = (index: number): Grade => (index < 0 ? 0 : ((4 - index) as Grade));

/** Returns the lowest of some grades. */
export const lowestGradeOf = (...grades: readonly Grade[]): Grade => Math.min(...grades) as Grade;

/** Returns a warning for each parameter below 4, the lowest grade first. */
export const warningsOf = (
  parameters: Readonly<Record<ParameterName, Grade>>,
  figures: Readonly<Partial<Record<ParameterName, number>>>,
): readonly Warning[] => {
  const names = Object.keys(parameters) as ParameterName[];
  return names
    .filter((name) => parameters[name] < 4)
    .sort((one, other) => parameters[one] - parameters[other])
    .map((name) => (figures[name] === undefined ? { name } : { name, value: figures[name] }));
};

/** Writes warnings as an RFC 8941 list: names with the parameter `v`, of at most two decimals. '' without warnings. */
export const serializeWarnings = (warnings: readonly Warning[]): string =>
  warnings.map(({ name, value }) => (value === undefined ? name : `${name};v=${decimal(value)}`)).join(', ');

/** Returns the names in written warnings, in their order. */
export const namesIn = (warnings: string): ParameterName[] =>
  warnings === '' ? [] : warnings.split(', ').map((item) => item.split(';', 1)[0] as ParameterName);

/** RFC 8941, 3.3.2 allows twelve digits before the point. */
const MOST = 999_999_999_999;

const decimal = (value: number): string =>
  String(Math.round(Math.min(Math.max(value, -MOST), MOST) * 100) / 100);

/**
 * Returns why tills do not read a picture of this grade, on the field that decides its lowest parameter; `null`: they do.
 *
 * @param warnings As `serializeWarnings` writes them.
 */
export const gradeFaultOfTill = (grade: Grade, warnings: string): Fault | null => {
  const names = namesIn(warnings);
  if (grade < TILL.grade) {
    const { field, advice } = PARAMETERS[names[0]!];
    return {
      field,
      message: `this gives grade ${grade}, and tills need ${TILL.grade} (${warnings}). ${advice}`,
    };
  }
  // Tills look in red light (ISO/IEC 15415 at 660 nm), in which this contrast is below grade 2; cameras need nothing.
  if (!names.includes('red-light')) return null;
  const { field } = PARAMETERS['red-light'];
  return { field, message: 'must be an ink with less red, such as black, blue or green, for tills' };
};
