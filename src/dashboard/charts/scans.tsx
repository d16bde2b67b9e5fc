import { useMemo } from 'preact/hooks';
import { FigureList } from '../ui/figures.tsx';
import { count, day, moment } from '../ui/format.ts';
import { type NamedLine, Series } from './series.tsx';

/** Scans of a period, by kind. */
export interface ScanTotals {
  readonly people: number;
  readonly bots: number;
  readonly previews: number;
  readonly unique_visitors: number;
}

/** Scans in one interval. */
export interface ScanPoint {
  /** ISO 8601. */
  readonly start: string;
  readonly people: number;
  readonly bots: number;
  readonly previews: number;
}

/** Shows the totals as four labelled numbers. */
export const Figures = ({ totals }: { readonly totals: ScanTotals }) => (
  <FigureList
    figures={[
      ['Scans', totals.people],
      ['Unique visitors', totals.unique_visitors],
      ['Bots', totals.bots],
      ['Previews', totals.previews],
    ]}
  />
);

const toLines = (series: readonly ScanPoint[]): readonly NamedLine[] => [
  {
    name: 'People',
    color: '--series-1',
    dash: [],
    values: series.map(({ people }) => people),
    cell: (people) => count(people, 'person', 'people'),
  },
  {
    name: 'Bots',
    color: '--series-2',
    dash: [6, 4],
    values: series.map(({ bots }) => bots),
    cell: (bots) => count(bots, 'bot'),
  },
  {
    name: 'Previews',
    color: '--series-3',
    dash: [2, 3],
    values: series.map(({ previews }) => previews),
    cell: (previews) => count(previews, 'preview'),
  },
];

/** Shows people, bots and previews over time. `interval` is `hour`, `day` or `month`. */
export const ScanSeries = ({
  series,
  interval,
}: {
  readonly series: readonly ScanPoint[];
  readonly interval: string;
}) => (
  <Series
    caption={`Scans by ${interval}`}
    starts={series.map(({ start }) => start)}
    when={interval === 'hour' ? moment : day}
    lines={useMemo(() => toLines(series), [series])}
  />
);
