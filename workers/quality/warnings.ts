import type { ParameterName } from '../lists.ts';
import type { Grade, Warning } from '../protocol.ts';

/** Returns a warning for each parameter below 4, the lowest grade first. */
export function warningsOf(
  parameters: Readonly<Record<ParameterName, Grade>>,
  figures: Readonly<Partial<Record<ParameterName, number>>>,
): readonly Warning[] {
  const names = Object.keys(parameters) as ParameterName[];
  return names
    .filter((name) => parameters[name] < 4)
    .sort((one, other) => parameters[one] - parameters[other])
    .map((name) => (figures[name] === undefined ? { name } : { name, value: figures[name] }));
}

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
