/** What the guard watches, as data. */
import type { RecipeName } from '../load/recipes.ts';
import type { MicrobenchmarkName } from './microbenchmarks.ts';

interface Common {
  readonly name: string;
  /** How often in one sample: 10 to 20 ms of processor time for what is over when it returns, else 20 to 80. */
  readonly times: number;
}

/** An inner part, run by itself. */
export interface MicrobenchmarkMeasure extends Common {
  readonly kind: 'microbenchmark';
  readonly microbenchmark: MicrobenchmarkName;
}

/** Requests over HTTP to the whole server. */
export interface RequestMeasure extends Common {
  readonly kind: 'request';
  readonly server: 'bare' | 'redis' | 'sql';
  readonly recipe: RecipeName;
}

export type Measure = MicrobenchmarkMeasure | RequestMeasure;

const microbenchmark = (microbenchmark: MicrobenchmarkName, times: number): MicrobenchmarkMeasure => ({
  kind: 'microbenchmark',
  name: microbenchmark,
  microbenchmark,
  times,
});

const request = (
  name: string,
  server: RequestMeasure['server'],
  recipe: RecipeName,
  times: number,
): RequestMeasure => ({ kind: 'request', name, server, recipe, times });

export const MEASURES: readonly Measure[] = [
  microbenchmark('calibration', 30),
  request('bare route', 'bare', 'bare', 2000),
  microbenchmark('draw plain', 80),
  microbenchmark('draw styled', 30),
  microbenchmark('draw gradient', 4),
  microbenchmark('ledger redis', 2000),
  microbenchmark('ledger sql', 150),
  request('render hit, Redis ledger', 'redis', 'render hit 300', 800),
  request('render hit, SQL ledger', 'sql', 'render hit 300', 250),
  request('render miss 300', 'redis', 'render miss 300', 120),
  request('single styled', 'redis', 'single styled', 60),
  request('bulk 10', 'redis', 'bulk 10', 14),
  request('redirect', 'redis', 'redirect', 2500),
];

const microbenchmarks = MEASURES.filter(({ kind }) => kind === 'microbenchmark');
const requests = MEASURES.filter(({ kind }) => kind === 'request');
const short = microbenchmarks.filter(({ name }) => !name.startsWith('ledger'));
/** What is sampled in each round, in this order: what is short more often. */
export const ROUND: readonly Measure[] = [
  ...microbenchmarks,
  ...requests.slice(0, 4),
  ...short,
  ...requests.slice(4),
];

/** What the others are divided by: the same on every tree, so that the machine cancels out. */
export const CALIBRATION = 'calibration';
export const BARE = 'bare route';

/**
 * Whether a measure is also divided by the bare route: half of what requests and ledgers cost is system calls, which a
 * busy machine makes dearer and the calibration, all of it computing, does not show.
 */
export const hasBareYardstick = ({ name, kind }: Measure): boolean =>
  name !== BARE && (kind === 'request' || name.startsWith('ledger'));
