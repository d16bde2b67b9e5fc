import { asText } from '../../../csv/formula.ts';
import type { LinkScans } from '../../api/shapes.ts';

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
