import { useMemo } from 'preact/hooks';
import type { AccountScans } from '../api/shapes.ts';
import { count, formatDay, formatMoment } from '../ui/format.ts';
import { FigureList } from '../ui/page.tsx';
import { LOOKS, type NamedLine, Series } from './series.tsx';

/** Shows the totals as four labelled numbers. */
export const Figures = ({ totals }: Pick<AccountScans, 'totals'>) => (
  <FigureList
    figures={[
      ['Scans', totals.people],
      ['Unique visitors', totals.unique_visitors],
      ['Bots', totals.bots],
      ['Previews', totals.previews],
    ]}
  />
);

/** Says since when scans are kept, where a period begins earlier. */
export const KeptSince = ({ from, complete_since: since }: Pick<AccountScans, 'from' | 'complete_since'>) =>
  since === null || Date.parse(since) <= Date.parse(from) ? null : (
    <p class="muted small">Scans before {formatDay(since)} are no longer kept, and not counted here.</p>
  );

type Point = Pick<AccountScans['series'][number], 'start' | 'people' | 'bots' | 'previews'>;

const KINDS = [
  ['people', 'People', 'person', 'people'],
  ['bots', 'Bots', 'bot', 'bots'],
  ['previews', 'Previews', 'preview', 'previews'],
] as const;

const toLines = (series: readonly Point[]): readonly NamedLine[] =>
  KINDS.map(([kind, name, one, many], index) => ({
    name,
    ...(LOOKS[index] ?? LOOKS[0]),
    values: series.map((point) => point[kind]),
    cell: (scans) => count(scans, one, many),
  }));

interface ScanSeriesProps {
  readonly series: readonly Point[];
  /** `hour`, `day` or `month`. */
  readonly interval: string;
}

/** Shows people, bots and previews over time. */
export const ScanSeries = ({ series, interval }: ScanSeriesProps) => (
  <Series
    caption={`Scans by ${interval}`}
    starts={series.map(({ start }) => start)}
    when={interval === 'hour' ? formatMoment : formatDay}
    lines={useMemo(() => toLines(series), [series])}
  />
);
