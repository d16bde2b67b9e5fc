/** Scans over time: totals and a chart. */
import { useMemo } from 'preact/hooks';
import type { AccountScans } from '../../api/shapes.ts';
import { count, formatDay, formatDifference, formatMoment, formatMonth } from '../../ui/format.ts';
import { type Figure, FigureList } from '../../ui/page.tsx';
import { LOOKS, type NamedLine, Series } from '../../ui/series.tsx';
import { say } from '../../words/say.ts';

type Totals = AccountScans['totals'];

/** Shows totals. @param before Those of the days before, to compare with. */
export const Figures = ({ totals, before }: { readonly totals: Totals; readonly before?: Totals }) => {
  const figure = (name: string, field: keyof Totals): Figure =>
    before === undefined
      ? [name, totals[field]]
      : [name, totals[field], formatDifference(totals[field], before[field])];
  return (
    <>
      <FigureList
        figures={[
          figure(say('Scans'), 'people'),
          figure(say('Visitors'), 'unique_visitors'),
          figure(say('Bots'), 'bots'),
          figure(say('Previews'), 'previews'),
        ]}
      />
      <p class="muted small">
        {say(
          'Scans are those by people. A visitor counts once a day (UTC) for each short link, because nobody is recognised on another day or at another link.',
        )}
      </p>
    </>
  );
};

/** Says since when scans are kept, where a period begins earlier. */
export const KeptSince = ({ from, complete_since: since }: Pick<AccountScans, 'from' | 'complete_since'>) =>
  since === null || Date.parse(since) <= Date.parse(from) ? null : (
    <p class="muted small">
      {say('Scans before {day} are no longer kept, and not counted here.', { day: formatDay(since) })}
    </p>
  );

type Scans = Pick<AccountScans, 'series' | 'interval' | 'time_zone'>;

const KINDS = [
  ['people', say('People'), (scans: number) => count(scans, 'person', 'people')],
  ['bots', say('Bots'), (scans: number) => count(scans, 'bot', 'bots')],
  ['previews', say('Previews'), (scans: number) => count(scans, 'preview', 'previews')],
] as const;

const toLines = ({ series }: Scans, before: Scans | undefined): readonly NamedLine[] => {
  const lines: NamedLine[] = KINDS.map(([kind, name, cell], index) => ({
    name,
    ...(LOOKS[index] ?? LOOKS[0]),
    values: series.map((point) => point[kind]),
    cell,
  }));
  if (before === undefined) return lines;
  const values = series.map((_, index) => before.series[index]?.people ?? 0);
  const earlier: NamedLine = {
    name: say('People before'),
    ...LOOKS[3],
    values,
    cell: (scans) => count(scans, 'person', 'people'),
  };
  return [...lines, earlier];
};

const INTERVALS = {
  hour: { caption: say('Scans by hour'), when: formatMoment },
  day: { caption: say('Scans by day'), when: formatDay },
  month: { caption: say('Scans by month'), when: formatMonth },
} as const;

/** Shows a chart. @param before The series of the days before, whose people are shown too. */
export const ScanSeries = ({ scans, before }: { readonly scans: Scans; readonly before?: Scans }) => {
  const { series, time_zone: timeZone } = scans;
  const { caption, when } = INTERVALS[scans.interval as keyof typeof INTERVALS];
  return (
    <Series
      caption={caption}
      starts={series.map(({ start }) => start)}
      timeZone={timeZone}
      when={(start) => when(start, timeZone)}
      lines={useMemo(() => toLines(scans, before), [scans, before])}
    />
  );
};
