import { OTHER } from '../../../lists.ts';
import type { LinkScans } from '../../api/shapes.ts';

/** A breakdown of scans. */
export type Rows = LinkScans['breakdowns']['device'];

/** Values that have bars of their own. */
const SHOWN = 8;

/** Returns the people of the most frequent values, of all others together, and those of whom the value is not known. */
export const barsOf = (rows: Rows): readonly Pick<Rows[number], 'value' | 'people'>[] => {
  const named = rows.filter(({ value }) => value !== null && value !== OTHER);
  const others = rows.filter(({ value }) => value === OTHER).concat(named.slice(SHOWN));
  const other = { value: OTHER, people: others.reduce((sum, { people }) => sum + people, 0) };
  const unknown = rows.filter(({ value }) => value === null);
  return [...named.slice(0, SHOWN), other, ...unknown].filter(({ people }) => people > 0);
};
