/** The plot of a figure over time. */
import * as Plot from '@observablehq/plot';
import type { Moment, Trend } from '../../compare/trend.ts';
import { draw, SERIES } from './draw.ts';

/** Draws the medians of a figure by date, each with the range of its rounds. Hollow dots: busy machines. */
export const history = ({ name, measure, moments }: Trend): string => {
  const dated = moments.map((moment) => ({ ...moment, date: new Date(moment.at) }));
  const fill = ({ isBusy }: Moment) => (isBusy ? 'var(--background)' : SERIES[0]!);
  return draw(`${name} over time`, {
    height: 240,
    x: { type: 'utc', label: null, inset: 12 },
    y: { label: `↑ ${measure}`, grid: true, zero: true, nice: true },
    marks: [
      Plot.ruleX(dated, {
        x: 'date',
        y1: 'min',
        y2: 'max',
        stroke: SERIES[0]!,
        strokeWidth: 2,
        strokeOpacity: 0.4,
      }),
      Plot.line(dated, { x: 'date', y: 'median', stroke: SERIES[0]!, strokeWidth: 2 }),
      Plot.dot(dated, { x: 'date', y: 'median', r: 4, stroke: SERIES[0]!, strokeWidth: 2, fill }),
    ],
  });
};
