import type { ComponentChildren } from 'preact';
import { FigureList } from '../ui/figures.tsx';
import { count, day, moment } from '../ui/format.ts';
import { part } from '../ui/part.tsx';
import type { ScanPoint } from './series-chart.tsx';

const Space = ({ children }: { readonly children: ComponentChildren }) => <div class="chart">{children}</div>;
const SeriesChart = part('series-chart', () => import('./series-chart.tsx'), {
  what: 'the chart',
  frame: Space,
});

/** Scans of a period, by kind. */
export interface ScanTotals {
  readonly people: number;
  readonly bots: number;
  readonly previews: number;
  readonly unique_visitors: number;
}

/** Shows the totals as four labelled numbers. */
export const Figures = ({ totals }: { readonly totals: ScanTotals }) => (
  <FigureList
    figures={[
      ['People', totals.people],
      ['Unique visitors', totals.unique_visitors],
      ['Bots', totals.bots],
      ['Previews', totals.previews],
    ]}
  />
);

/** Shows a series as a chart, and as a table for screen readers. `interval` is `hour`, `day` or `month`. */
export const ScanSeries = ({
  series,
  interval,
}: {
  readonly series: readonly ScanPoint[];
  readonly interval: string;
}) => {
  const when = interval === 'hour' ? moment : day;
  return (
    <>
      <p class="legend" aria-hidden="true">
        <span>People</span>
        <span class="bots">Bots</span>
      </p>
      <SeriesChart series={series} />
      <table class="hidden">
        <caption>Scans by {interval}</caption>
        <thead>
          <tr>
            <th>From</th>
            <th>People</th>
            <th>Bots</th>
          </tr>
        </thead>
        <tbody>
          {series
            .filter(({ people, bots }) => people + bots > 0)
            .map(({ start, people, bots }) => (
              <tr key={start}>
                <td>{when(start)}</td>
                <td>{count(people, 'person', 'people')}</td>
                <td>{count(bots, 'bot')}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </>
  );
};
