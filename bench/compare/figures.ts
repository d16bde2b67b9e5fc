/** The figures of a report under names that people can type. Pure. */
import { describeSlo, type Slo } from '../capacity/slo.ts';
import { percent } from '../say.ts';
import { ratiosOf, type Target } from '../stages/scenarios.ts';
import type { SavedReport } from './read.ts';

/** The kind of a figure, which decides how it is compared. `other` is kept but not compared. */
export type Kind = 'rate' | 'ratio' | 'latency' | 'cost' | 'cost ratio' | 'other';

/** A figure of a report. */
export interface Figure {
  /** Unique in the report: `redirect`, `redirect: server CPU ms`, `redirect at 50 %: p99 ms`. */
  readonly name: string;
  /** The quantity without its subject: `good/s`, `p99 ms`. */
  readonly measure: string;
  /** The subject: the scenario, and its load if any. */
  readonly of: Readonly<Record<string, string>>;
  readonly kind: Kind;
  /** One value per round. */
  readonly values: readonly number[];
}

/** Rates and ratios are better when they are higher, times and costs when they are lower. */
export const isHigherBetter = (kind: Kind): boolean => kind === 'rate' || kind === 'ratio';

const PERCENTILES = { p50: 'p50 ms', p99: 'p99 ms', p999: 'p99.9 ms' } as const;

/** The measures of a round of a scenario; the figure of the first is named after the scenario alone. */
const MEASURES = [
  ['goodPerS', 'good/s', 'rate'],
  ['codesPerS', 'codes/s', 'rate'],
  ['serverCpuMs', 'server CPU ms', 'cost'],
  ['storesCpuMs', 'Redis + Postgres CPU ms', 'cost'],
  ['bytesAGood', 'bytes an answer', 'other'],
  ['rssBytes', 'memory bytes', 'other'],
  ['generatorCores', 'generator cores', 'other'],
  ['failures', 'failed', 'other'],
] as const;

type Bench = Extract<SavedReport, { kind: 'bench' }>;
type Capacity = Extract<SavedReport, { kind: 'capacity' }>;
type Round = Bench['measured'][number]['rounds'][number];

/**
 * Whether a measure is informative: a redirect makes no codes, a single call one, and the bare route has no stores.
 */
const isTelling = (measure: string, rounds: readonly Round[]): boolean => {
  if (measure === 'codes/s')
    return rounds.some(({ codesPerS, goodPerS }) => codesPerS > 0 && codesPerS !== goodPerS);
  return measure !== 'Redis + Postgres CPU ms' || rounds.some(({ storesCpuMs }) => storesCpuMs > 0);
};

const nameIn = (scenario: string, measure: string): string =>
  measure === 'good/s' ? scenario : `${scenario}: ${measure}`;

/** Returns the names of the figures of a scenario, including those that make no sense for it. */
export const scenarioNames = (scenario: string): string[] =>
  MEASURES.map(([, measure]) => nameIn(scenario, measure));

/** Returns the names of the latencies of a scenario at a share of its throughput. */
export const latencyNames = (scenario: string, load: number): string[] =>
  Object.values(PERCENTILES).map((measure) => `${scenario} at ${percent(load)}: ${measure}`);

const RATIOS = { goodPerS: '', codesPerS: ' (codes)', serverCpuMs: ' (server CPU)' } as const;

/** Returns the name of the ratio of two scenarios. */
export const ratioName = ({ of, to, measure }: Pick<Target, 'of' | 'to' | 'measure'>): string =>
  `${of}${RATIOS[measure]} / ${to}`;

const ofScenarios = ({ measured }: Bench): Figure[] =>
  measured.flatMap(({ scenario: { name: scenario }, rounds }) =>
    MEASURES.filter(([, measure]) => isTelling(measure, rounds)).map(([field, measure, kind]) => ({
      name: nameIn(scenario, measure),
      measure,
      of: { scenario },
      kind,
      values: rounds.map((round) => round[field]),
    })),
  );

const ofRatios = ({ measured, outcomes }: Bench): Figure[] =>
  outcomes.flatMap(({ target }) => {
    const values = ratiosOf(measured, target);
    const name = ratioName(target);
    const kind = target.measure === 'serverCpuMs' ? 'cost ratio' : 'ratio';
    return values.length === 0 ? [] : [{ name, measure: 'ratio', of: { ratio: name }, kind, values }];
  });

const ofLatencies = ({ latencies }: Bench): Figure[] =>
  latencies.flatMap(({ scenario, load, result }) => {
    const names = latencyNames(scenario, load);
    return Object.entries(PERCENTILES).map(([field, measure], i) => ({
      name: names[i]!,
      measure,
      of: { scenario, load: String(load) },
      kind: 'latency' as const,
      values: [result.latencyMs[field as keyof typeof PERCENTILES]],
    }));
  });

const COSTS = [
  ['gatewayMs', 'gateway CPU ms'],
  ['redisMs', 'Redis CPU ms'],
  ['postgresMs', 'Postgres CPU ms'],
] as const;

/** Returns the objective and mix of a search: rates of different ones cannot be compared. */
export const searchedFor = ({ slo, mix }: Capacity): string =>
  `${mix.map(([name, weight]) => `${name}=${weight}`).join(',')} at ${describeSlo(slo as Slo)}`;

const ofCapacity = (report: Capacity): Figure[] => {
  const { found, cost } = report;
  const of = { search: searchedFor(report) };
  return [
    { name: 'capacity', measure: 'requests/s', of, kind: 'rate', values: [found.ratePerS] },
    ...COSTS.flatMap(([field, measure]): Figure[] => {
      const value = cost[field];
      return value === null
        ? []
        : [{ name: `capacity: ${measure}`, measure, of, kind: 'cost', values: [value] }];
    }),
  ];
};

/** Returns all figures of a report. */
export const figuresOf = (report: SavedReport): Figure[] =>
  report.kind === 'bench'
    ? [...ofScenarios(report), ...ofRatios(report), ...ofLatencies(report)]
    : ofCapacity(report);
