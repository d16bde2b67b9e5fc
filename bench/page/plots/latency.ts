/** Plots of latency. */
import * as Plot from '@observablehq/plot';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import type { LatencyRun } from '../../stages/latency.ts';
import type { CapacityReport } from '../model.ts';
import { draw } from './draw.ts';

interface Point {
  readonly series: string;
  readonly x: number;
  readonly y: number;
}

const PERCENTILES = [1, 5, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9];

/** Puts percentiles on an axis of rarity: to the right 10, 1 and 0.1 % of the requests are slower. */
const spectrum = (series: string, histogram: string): Point[] => {
  const decoded = decodeFromCompressedBase64(histogram);
  return PERCENTILES.map((percentile) => ({
    series,
    x: 100 / (100 - percentile),
    y: decoded.getValueAtPercentile(percentile) / 1000,
  }));
};

/** Draws latency by percentile, one curve for each run. */
export const percentileCurves = (runs: readonly LatencyRun[]): string => {
  const points = runs.flatMap(({ scenario, result }) => spectrum(scenario, result.histogram));
  const options: Plot.PlotOptions = {
    x: {
      type: 'log',
      label: 'percentile →',
      ticks: [1, 2, 10, 100, 1000],
      tickFormat: (value: number) => String(Number((100 - 100 / value).toFixed(2))),
    },
    y: { type: 'log', label: '↑ latency, ms', grid: true },
    marks: [Plot.line(points, { x: 'x', y: 'y', z: 'series', stroke: 'series', strokeWidth: 2 })],
  };
  return draw('Latency by percentile', options, [...new Set(points.map(({ series }) => series))]);
};

/** Draws the 99th percentile of each scenario over its load: flat at first, and steep where requests begin to wait. */
export const latencyByLoad = (runs: readonly LatencyRun[]): string => {
  const points = runs
    .filter(({ result }) => result.latencyMs.p99 > 0)
    .map(({ scenario, load, result }) => ({ series: scenario, x: 100 * load, y: result.latencyMs.p99 }));
  const options: Plot.PlotOptions = {
    x: { label: '% of the scenario’s throughput →', domain: [0, 100] },
    y: { type: 'log', label: '↑ p99, ms', grid: true },
    marks: [
      Plot.line(points, {
        x: 'x',
        y: 'y',
        z: 'series',
        stroke: 'series',
        strokeWidth: 2,
      }),
      Plot.dot(points, { x: 'x', y: 'y', fill: 'series', r: 3 }),
    ],
  };
  return draw('Latency over load', options, [...new Set(points.map(({ series }) => series))]);
};

/** Percentiles that are drawn, with their labels. */
const SHOWN = { p50: 'p50', p99: 'p99', p999: 'p99.9' } as const;

/** The last attempt at each rate, which decided. */
const decidingSteps = ({ found }: CapacityReport) =>
  [...new Map(found.steps.map(({ result }) => [result.askedPerS, result])).values()].sort(
    (a, b) => a.askedPerS - b.askedPerS,
  );

/** Draws the latency of every step of a search, with the objective and the rate that was found. */
export const latencyByRate = (report: CapacityReport): string => {
  const { found, slo } = report;
  const percentiles = Object.keys(SHOWN) as (keyof typeof SHOWN)[];
  const points = percentiles.flatMap((percentile) =>
    decidingSteps(report)
      .filter(({ latencyMs }) => latencyMs[percentile] > 0)
      .map(({ askedPerS, latencyMs }) => ({
        series: SHOWN[percentile],
        x: askedPerS,
        y: latencyMs[percentile],
      })),
  );
  const options: Plot.PlotOptions = {
    x: { label: 'requests a second →' },
    y: { type: 'log', label: '↑ latency, ms', grid: true },
    marks: [
      Plot.ruleY([slo.ms], { stroke: 'currentColor', strokeDasharray: '4 3' }),
      Plot.ruleX([found.ratePerS], { stroke: 'currentColor', strokeDasharray: '2 3' }),
      Plot.line(points, { x: 'x', y: 'y', z: 'series', stroke: 'series', strokeWidth: 2 }),
      Plot.dot(points, { x: 'x', y: 'y', fill: 'series', r: 3 }),
    ],
  };
  return draw('Latency against rate', options, Object.values(SHOWN));
};
