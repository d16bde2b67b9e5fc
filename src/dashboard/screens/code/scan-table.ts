/** The scans of a link as bars and as rows of a CSV file. */

import { asText } from '../../../csv/formula.ts';
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

/** A cell of RFC 4180. Texts cannot become formulas. */
const toCell = (value: string | number | null): string => {
  const safe = typeof value === 'string' ? asText(value) : String(value ?? '');
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Returns the series and then each breakdown, as rows of one table. */
export const scansAsCsv = ({ series, breakdowns }: Pick<LinkScans, 'series' | 'breakdowns'>): string => {
  const rows: (string | number | null)[][] = [
    ['what', 'value', 'people', 'bots', 'previews', 'unique_visitors'],
    ...series.map((point) => [
      'start',
      point.start,
      point.people,
      point.bots,
      point.previews,
      point.unique_visitors,
    ]),
  ];
  for (const [kind, values] of Object.entries(breakdowns)) {
    rows.push(
      ...values.map(({ value, people, bots, previews }) => [kind, value, people, bots, previews, null]),
    );
  }
  return rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
};
