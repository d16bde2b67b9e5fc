/** Figures over many reports by date. Pure. */
import type { Table } from '../page/text.ts';
import { BUSY_LOAD } from '../page/text.ts';
import { percent, figure as written } from '../say.ts';
import { type Summary, summarize } from '../stats.ts';
import { type Figure, figuresOf } from './figures.ts';
import type { SavedReport } from './read.ts';
import { findName } from './require.ts';

/** A figure at the time of one report. */
export interface Moment extends Summary {
  readonly at: string;
  readonly commit: string;
  readonly rounds: number;
  /** Other work ran on the machine. */
  readonly isBusy: boolean;
}

/** A figure over time. */
export interface Trend {
  readonly name: string;
  readonly measure: string;
  /** The oldest first; at least one. */
  readonly moments: readonly Moment[];
}

/** Shown when no figure is named. */
const isUsual = ({ name, measure }: Figure): boolean =>
  name === 'capacity' || (measure === 'good/s' && !name.includes(':'));

/**
 * Returns the figures over the reports, in the order in which they are named, or the rates of all scenarios.
 *
 * @param reports The oldest first.
 * @returns A sentence instead when a name is unknown.
 */
export const trendsOf = (reports: readonly SavedReport[], wanted: readonly string[]): Trend[] | string => {
  const all = reports.map((report) => ({ report, figures: figuresOf(report) }));
  const known = all.flatMap(({ figures }) => figures);
  const names: string[] = [];
  for (const name of wanted) {
    const found = findName(name, [...new Set(known.map((one) => one.name))]);
    if (typeof found === 'string') return found;
    names.push(found.name);
  }
  const shown = wanted.length > 0 ? names : known.filter(isUsual).map(({ name }) => name);
  return [...new Set(shown)].map((name): Trend => {
    const moments = all.flatMap(({ report: { at, machine }, figures }): Moment[] => {
      const found = figures.find((one) => one.name === name);
      if (found === undefined) return [];
      const { commit, load } = machine;
      return [
        { at, commit, rounds: found.values.length, isBusy: load > BUSY_LOAD, ...summarize(found.values) },
      ];
    });
    return { name, measure: known.find((one) => one.name === name)!.measure, moments };
  });
};

const change = (from: number, to: number): string =>
  from === 0 ? '–' : `${to >= from ? '+' : ''}${percent(to / from - 1)}`;

/** Shows where each figure began and where it is. */
export const overview = (trends: readonly Trend[]): Table => ({
  head: ['figure', 'reports', 'first', 'last', 'last to first', 'least', 'most', ''],
  rows: trends.map(({ name, measure, moments }) => {
    const medians = moments.map((moment) => moment.median);
    const [first, last] = [medians[0]!, medians.at(-1)!];
    const ends = [Math.min(...medians), Math.max(...medians)].map(written);
    return [
      name,
      String(moments.length),
      written(first),
      written(last),
      moments.length === 1 ? '–' : change(first, last),
      ...ends,
      measure,
    ];
  }),
});

/** Shows each moment of one figure. */
export const momentTable = ({ measure, moments }: Trend): Table => ({
  head: ['date', 'commit', measure, 'rounds', 'to the one before', ''],
  rows: moments.map(({ at, commit, median, min, max, rounds, isBusy }, i) => [
    at.slice(0, 16).replace('T', ' '),
    commit,
    written(median),
    rounds === 1 ? '1' : `${rounds}: ${written(min)} – ${written(max)}`,
    i === 0 ? '–' : change(moments[i - 1]!.median, median),
    isBusy ? 'busy machine' : '',
  ]),
});
