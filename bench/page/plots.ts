/** The plots of the page as SVG text. They use the page's colours, so that they follow its dark theme. */
import { createRequire } from 'node:module';
import * as Plot from '@observablehq/plot';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { predict, type Usl } from '../capacity/usl.ts';
import type { LatencyRun } from '../stages/latency.ts';
import { PARTS } from '../stages/parts.ts';
import type { BenchReport, CapacityReport } from './model.ts';

/** Has no types of its own: they are published for `domino`, of which it is a fork. */
const domino = createRequire(import.meta.url)('@mixmark-io/domino') as {
  createWindow(html: string): { readonly document: object };
};
const { document } = domino.createWindow('<!doctype html><body></body>');

interface Drawn {
  setAttribute(name: string, value: string): void;
  readonly outerHTML: string;
}

/** Eight colours that can be told apart on white and on black; the page defines them. */
const SERIES = Array.from({ length: 8 }, (_, index) => `var(--series-${index + 1})`);

const SIZE = { width: 720, height: 320, marginLeft: 56, marginBottom: 40, marginRight: 110 };

/** Returns a legend above the plot, as text: labels at the ends of the lines would overlap. */
const key = (names: readonly string[]): string =>
  names.map((name, index) => `<span style="color:${SERIES[index]}">■</span> ${name}`).join(' &nbsp; ');

/** @param series Names of the series that have colours of their own, in the order of the colours. */
const draw = (label: string, options: Plot.PlotOptions, series: readonly string[] = []): string => {
  const color = { domain: [...series], range: SERIES.slice(0, series.length) };
  const all = { ...SIZE, document, ...(series.length === 0 ? {} : { color }), ...options };
  const plot = Plot.plot(all as Plot.PlotOptions) as unknown as Drawn;
  plot.setAttribute('role', 'img');
  plot.setAttribute('aria-label', label);
  return `${series.length === 0 ? '' : `<p class="key">${key(series)}</p>`}${plot.outerHTML}`;
};

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

/** The curve is drawn up to this multiple of the measured threads; beyond that the law says nothing. */
const EXTRAPOLATED = 2;

/** Draws throughput by number of render threads, with the fitted law. */
export const scalability = ({ levels, usl }: NonNullable<CapacityReport['threads']>): string => {
  const last = Math.max(...levels.map(({ n }) => n));
  const at = Array.from({ length: 60 }, (_, i) => 1 + (i / 59) * (EXTRAPOLATED * last - 1));
  const curve = (from: number, to: number) =>
    at.filter((n) => n >= from && n <= to).map((n) => ({ x: n, y: predict(usl as Usl, n) }));
  return draw('Throughput over render threads', {
    x: { label: 'render threads →' },
    y: { label: '↑ codes a second', grid: true, zero: true },
    marks: [
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

/**
 * Returns the parts of `Server-Timing`, with drawing divided further where it was profiled, and the rest of the
 * answer's time: HTTP, authentication, JSON, sockets.
 */
const timeBudget = (runs: readonly LatencyRun[], parts: BenchReport['parts']) =>
  runs.flatMap(({ scenario, result }) => {
    const { quota = 0, queue = 0, render = 0 } = result.tally.serverMs ?? {};
    const rest = Math.max(0, result.uncorrectedMs.mean - quota - queue - render);
    const shares = parts[scenario];
    const drawing = shares === undefined ? { render } : { ...shares };
    return [
      ...Object.entries({ quota, queue }),
      ...Object.entries(drawing).map(([part, amount]) => [
        part,
        part === 'render' ? amount : amount * render,
      ]),
      ['rest', rest],
    ].map(([part, ms]) => ({ scenario, part, ms }));
  });

const BUDGET = ['quota', 'queue', ...PARTS, 'render', 'rest'];

/** Draws how the time of an average request is divided, one bar for each run. */
export const timeBudgets = (runs: readonly LatencyRun[], parts: BenchReport['parts']): string => {
  const options: Plot.PlotOptions = {
    marginLeft: 110,
    height: 60 + 34 * runs.length,
    x: { label: 'ms of an average request →', grid: true },
    y: { label: null },
    marks: [Plot.barX(timeBudget(runs, parts), { x: 'ms', y: 'scenario', fill: 'part' })],
  };
  return draw('Where the time of a request goes', options, BUDGET);
};

/** Draws the throughput of each scenario, one dot for each round. */
export const throughputs = ({ measured }: BenchReport): string => {
  const rates = measured.flatMap(({ scenario, rounds }) =>
    rounds.map(({ goodPerS }) => ({ scenario: scenario.name, goodPerS })),
  );
  return draw('Throughput of each scenario, one dot a round', {
    marginLeft: 110,
    height: 60 + 24 * measured.length,
    x: { type: 'log', label: 'good answers a second →', grid: true },
    y: { label: null, domain: measured.map(({ scenario }) => scenario.name) },
    marks: [Plot.dot(rates, { x: 'goodPerS', y: 'scenario', fill: SERIES[0]!, r: 4, fillOpacity: 0.7 })],
  });
};
