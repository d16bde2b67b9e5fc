import type { ComponentChildren } from 'preact';
import { say } from '../words/say.ts';
import { formatNumber } from './format.ts';
import { makePart } from './part.tsx';
import type { Line, Times } from './series-chart.tsx';

const Space = ({ children }: { readonly children: ComponentChildren }) => <div class="chart">{children}</div>;
const SeriesChart = makePart('series-chart', () => import('./series-chart.tsx'), {
  what: say('the chart'),
  frame: Space,
});

/** The looks of the lines of a chart: dashes tell them apart without colours. */
export const LOOKS = [
  { color: '--series-1', dash: [] },
  { color: '--series-2', dash: [6, 4] },
  { color: '--series-3', dash: [2, 3] },
  { color: '--series-4', dash: [10, 3, 2, 3] },
  { color: '--series-5', dash: [14, 5] },
  { color: '--series-6', dash: [1, 5] },
] as const;

/** A line of a chart, and how the table writes its values. */
export interface NamedLine extends Line {
  readonly name: string;
  readonly cell: (value: number) => string;
}

/** The look of a line in the legend. */
const Sample = ({ color, dash }: Line) => (
  <svg viewBox="0 0 24 4" width="24" height="4" aria-hidden="true">
    <line
      x1="0"
      y1="2"
      x2="24"
      y2="2"
      stroke={`var(${color})`}
      stroke-width="3"
      stroke-dasharray={dash.join()}
    />
  </svg>
);

interface SeriesProps extends Times {
  readonly caption: string;
  readonly lines: readonly NamedLine[];
  /** Writes the beginning of an interval. */
  readonly when: (start: string) => string;
}

/** Shows lines over time as a chart with a legend, and as a table for screen readers, without the rows of zeros. */
export const Series = ({ caption, lines, when, ...times }: SeriesProps) => (
  <>
    <p class="legend" aria-hidden="true">
      {lines.map((line) => (
        <span key={line.name} class="wrap">
          <Sample {...line} /> {line.name}
        </span>
      ))}
    </p>
    <SeriesChart
      {...times}
      lines={lines}
      tell={(index) =>
        [
          when(times.starts[index] ?? ''),
          ...lines.map(({ name, values }) => `${name} ${formatNumber(values[index] ?? 0)}`),
        ].join(' · ')
      }
    />
    {/* A table does not shrink to the size of `hidden`; what contains it does. */}
    <div class="hidden">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th>{say('From')}</th>
            {lines.map(({ name }) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.starts.map(
            (start, index) =>
              lines.some(({ values }) => values[index] !== 0) && (
                <tr key={start}>
                  <td>{when(start)}</td>
                  {lines.map(({ name, values, cell }) => (
                    <td key={name}>{cell(values[index] ?? 0)}</td>
                  ))}
                </tr>
              ),
          )}
        </tbody>
      </table>
    </div>
  </>
);
