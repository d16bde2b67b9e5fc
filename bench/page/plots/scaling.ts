/** The plot of the scalability law. */
import * as Plot from '@observablehq/plot';
import { predict, predictionBand, type Usl } from '../../capacity/usl.ts';
import type { CapacityReport } from '../model.ts';
import { draw, SERIES } from './draw.ts';

/** The curve is drawn up to this multiple of the measured threads; beyond that the law says nothing. */
const EXTRAPOLATED = 2;

/** Draws throughput by number of render threads, with the fitted law and the band in which nine of ten fits lie. */
export const scalability = ({ levels, usl }: NonNullable<CapacityReport['threads']>): string => {
  const last = Math.max(...levels.map(({ n }) => n));
  const at = Array.from({ length: 60 }, (_, i) => 1 + (i / 59) * (EXTRAPOLATED * last - 1));
  const curve = (from: number, to: number) =>
    at.filter((n) => n >= from && n <= to).map((n) => ({ x: n, y: predict(usl as Usl, n) }));
  return draw('Throughput over render threads', {
    x: { label: 'render threads →' },
    y: { label: '↑ codes a second', grid: true, zero: true },
    marks: [
      Plot.areaY(predictionBand(levels, at), {
        x: 'n',
        y1: 'low',
        y2: 'high',
        fill: SERIES[0]!,
        fillOpacity: 0.15,
      }),
      Plot.line(curve(1, last), { x: 'x', y: 'y', stroke: SERIES[0]!, strokeWidth: 2 }),
      Plot.line(curve(last, EXTRAPOLATED * last), {
        x: 'x',
        y: 'y',
        stroke: SERIES[0]!,
        strokeWidth: 2,
        strokeDasharray: '4 4',
      }),
      Plot.dot(levels, { x: 'n', y: 'rate', fill: SERIES[1]!, r: 4 }),
    ],
  });
};
