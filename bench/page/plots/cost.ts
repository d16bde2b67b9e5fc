/** Plots of throughput, and of what a request costs. */
import * as Plot from '@observablehq/plot';
import { figure } from '../../say.ts';
import type { LatencyRun } from '../../stages/latency.ts';
import { PARTS } from '../../stages/parts.ts';
import { median, sum } from '../../stats.ts';
import type { BenchReport, CostBar } from '../model.ts';
import { draw, SERIES } from './draw.ts';

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
    marginLeft: 130,
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
    marginLeft: 130,
    height: 60 + 24 * measured.length,
    x: { type: 'log', label: 'good answers a second →', grid: true },
    y: { label: null, domain: measured.map(({ scenario }) => scenario.name) },
    marks: [Plot.dot(rates, { x: 'goodPerS', y: 'scenario', fill: SERIES[0]!, r: 4, fillOpacity: 0.7 })],
  });
};

const totalOf = (us: CostBar['us']): number => sum(Object.values(us));

const written = (us: number): string => (us < 1000 ? `${figure(us)} µs` : `${figure(us / 1000)} ms`);

/**
 * Draws how the processor time of each kind of request is divided, one bar each, with all of it beside the bar. The
 * bars are equally long, because a bulk call costs a hundred redirects.
 */
export const costByPart = (bars: readonly CostBar[]): string => {
  const parts = [...new Set(bars.flatMap(({ us }) => Object.keys(us)))];
  const pieces = bars.flatMap(({ label, us }) =>
    parts.map((part) => ({ label, part, share: (100 * (us[part] ?? 0)) / (totalOf(us) || 1) })),
  );
  const options: Plot.PlotOptions = {
    marginLeft: 160,
    marginRight: 80,
    height: 60 + 26 * bars.length,
    x: { label: '% of the processor time →', domain: [0, 100] },
    y: { label: null, domain: bars.map(({ label }) => label) },
    marks: [
      Plot.barX(pieces, { x: 'share', y: 'label', fill: 'part', insetTop: 2, insetBottom: 2 }),
      Plot.text(bars, {
        x: 100,
        y: 'label',
        text: ({ us }: CostBar) => written(totalOf(us)),
        textAnchor: 'start',
        dx: 8,
        fill: 'currentColor',
      }),
    ],
  };
  return draw('Processor time of a request by part', options, parts);
};

/** Returns what a request of each scenario costs the gateway and its stores: medians of the rounds. */
export const costsOf = ({ measured }: BenchReport): CostBar[] =>
  measured.map(({ scenario, rounds }) => ({
    label: scenario.name,
    us: {
      server: 1000 * median(rounds.map(({ serverCpuMs }) => serverCpuMs)),
      'Redis and Postgres': 1000 * median(rounds.map(({ storesCpuMs }) => storesCpuMs)),
    },
  }));
