/** Breakdowns of scans as bars. */
import { OTHER } from '../../../lists.ts';
import type { ScanBreakdowns } from '../../api/shapes.ts';

/** The rows of a breakdown. */
export type Rows = ScanBreakdowns['breakdowns']['device'];

/** Values that have bars of their own. */
const SHOWN = 8;

/**
 * Returns the people of the most frequent values, of all others together, and those of whom the value is not known.
 *
 * @param isNullKnown Whether `null` says something, as of visitors who come from no page: it has a bar of its own.
 */
export const barsOf = (
  rows: Rows,
  isNullKnown = false,
): readonly Pick<Rows[number], 'value' | 'people'>[] => {
  const named = rows.filter(({ value }) => value !== null && value !== OTHER);
  const others = rows.filter(({ value }) => value === OTHER).concat(named.slice(SHOWN));
  const other = { value: OTHER, people: others.reduce((sum, { people }) => sum + people, 0) };
  const ofNull = rows.filter(({ value }) => value === null);
  const first = named.slice(0, SHOWN);
  const all = isNullKnown
    ? [...[...first, ...ofNull].sort((a, b) => b.people - a.people), other]
    : [...first, other, ...ofNull];
  return all.filter(({ people }) => people > 0);
};
