/** Compares two sides of reports: what became slower or faster. Pure. */
import { BUSY_LOAD, hardwareOf } from '../machine.ts';
import { median } from '../stats.ts';
import { type Figure, figuresOf, isHigherBetter, searchedFor } from './figures.ts';
import { type Ratio, ratioOf, scatterOf, together } from './ratio.ts';
import { ReportFault, type SavedReport } from './read.ts';

/** A change smaller than this share is ignored, even when it is certain. */
const TOLERANCE = 0.05;
/** A figure counts as the same when the whole interval of its ratio lies within this share of 1. */
const SAME = 0.1;

/** The verdict on a change. */
export type Verdict = 'slower' | 'faster' | 'the same' | 'not determined';

/** A figure that both sides have. */
export interface Change extends Ratio {
  readonly name: string;
  readonly kind: Figure['kind'];
  /** Medians of the rounds. */
  readonly before: number;
  readonly after: number;
  readonly verdict: Verdict;
}

/** The changes, with what a reader must know about them. */
export interface Comparison {
  readonly changes: readonly Change[];
  /** Figures that only one side has, which are not compared. */
  readonly missing: readonly string[];
  /** Sentences about machines and load. */
  readonly notes: readonly string[];
}

/** Returns the verdict on one of `count` ratios. @param isHigherGood Whether a higher ratio is better. */
export const verdictOf = (ratio: Pick<Ratio, 'low' | 'high'>, isHigherGood: boolean, count = 1): Verdict => {
  const { low, high } = together(ratio, count);
  const fell = high < 1 / (1 + TOLERANCE);
  const rose = low > 1 + TOLERANCE;
  if (fell || rose) return rose === isHigherGood ? 'faster' : 'slower';
  return ratio.low > 1 / (1 + SAME) && ratio.high < 1 + SAME ? 'the same' : 'not determined';
};

type Figures = ReadonlyMap<string, Figure>;

/** Figures of all reports of a side. With several reports, the median of each counts as one round. */
const figuresOfSide = (reports: readonly SavedReport[]): Figures => {
  const figures = new Map<string, Figure>();
  for (const figure of reports.flatMap(figuresOf)) {
    const known = figures.get(figure.name);
    const values = reports.length === 1 ? figure.values : [median(figure.values)];
    figures.set(figure.name, { ...figure, values: [...(known?.values ?? []), ...values] });
  }
  return figures;
};

/** Answers cost more at low rates, so costs are compared only when the rates are within this factor. */
const LIKE_RATES = 2;

/** Whether both sides measured a cost at similar rates. */
const hasLikeRates = (cost: string, was: Figures, is: Figures): boolean => {
  const [rate = ''] = cost.split(': ');
  const [before, after] = [was.get(rate)?.values ?? [], is.get(rate)?.values ?? []].map(median);
  const ratio = after! / before!;
  return ratio <= LIKE_RATES && ratio >= 1 / LIKE_RATES;
};

const machinesOf = (reports: readonly SavedReport[]): string =>
  [...new Set(reports.map(({ machine }) => hardwareOf(machine)))].sort().join(' and ');

const isBusy = (reports: readonly SavedReport[]): boolean =>
  reports.some(({ machine }) => machine.load > BUSY_LOAD);

const notesOf = (before: readonly SavedReport[], after: readonly SavedReport[]): string[] => {
  const [was, is] = [machinesOf(before), machinesOf(after)];
  return [
    ...(was === is
      ? []
      : [`The machines differ, so that only ratios within a run are compared: ${was}; then ${is}.`]),
    ...(isBusy([...before, ...after])
      ? [
          'A machine was busy with other work: rates and latencies are not determined, and only processor time is compared, where the rates were similar.',
        ]
      : []),
  ];
};

/**
 * Returns the changes from `before` to `after`.
 *
 * @throws {ReportFault} When they have no figure in common, or their searches had different objectives or mixes.
 */
export const compareReports = (before: readonly SavedReport[], after: readonly SavedReport[]): Comparison => {
  const searches = new Set(
    [...before, ...after].flatMap((report) => (report.kind === 'capacity' ? [searchedFor(report)] : [])),
  );
  if (searches.size > 1)
    throw new ReportFault(
      `the searches differ, so their rates cannot be compared: ${[...searches].join('; ')}`,
    );
  const [was, is] = [figuresOfSide(before), figuresOfSide(after)];
  const [wasScatter, isScatter] = [scatterOf([...was.values()]), scatterOf([...is.values()])];
  const busy = isBusy([...before, ...after]);
  const isOneMachine = machinesOf(before) === machinesOf(after);
  const isJudged = ({ kind, name }: Figure): boolean => {
    if (kind === 'cost') return isOneMachine && hasLikeRates(name, was, is);
    return !busy && (isOneMachine || kind === 'ratio' || kind === 'cost ratio');
  };
  const pairs = [...was.values()].flatMap((figure) => {
    const other = is.get(figure.name);
    if (other === undefined || figure.kind === 'other') return [];
    const ratio = ratioOf({ figure, scatter: wasScatter }, { figure: other, scatter: isScatter });
    return ratio === null ? [] : [{ figure, other, ratio }];
  });
  const judged = pairs.filter(({ figure }) => isJudged(figure)).length;
  const changes = pairs.map(({ figure, other, ratio }): Change => {
    const { name, kind, values } = figure;
    const verdict = isJudged(figure) ? verdictOf(ratio, isHigherBetter(kind), judged) : 'not determined';
    return { name, kind, before: median(values), after: median(other.values), ...ratio, verdict };
  });
  if (changes.length === 0) throw new ReportFault('the reports have no figure in common');
  const missing = [...was.keys(), ...is.keys()].filter((name) => !was.has(name) || !is.has(name));
  return { changes, missing, notes: notesOf(before, after) };
};
