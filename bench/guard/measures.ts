/** What the guard watches, as data. */
import type { RecipeName } from '../load/recipes.ts';
import type { MicrobenchmarkName } from './microbenchmarks.ts';

interface Common {
  readonly name: string;
  /**
   * How often one sample runs the measure: enough for 10 to 20 ms of processor time when all work ends with the call,
   * and for 20 to 80 ms otherwise.
   */
  readonly times: number;
}

/** An inner part, run by itself. */
export interface MicrobenchmarkMeasure extends Common {
  readonly kind: 'microbenchmark';
  readonly microbenchmark: MicrobenchmarkName;
}

/** Requests over HTTP to a whole server. */
export interface RequestMeasure extends Common {
  readonly kind: 'request';
  readonly server: 'bare' | 'redis' | 'sql';
  readonly recipe: RecipeName;
}

/** Something whose processor time is watched. */
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

/** All measures, each once. Their names are keys in `bench/baseline.json`. */
export const MEASURES: readonly Measure[] = [
  microbenchmark('calibration', 30),
  request('bare route', 'bare', 'bare', 2000),
  microbenchmark('draw plain', 80),
  microbenchmark('draw styled', 30),
  microbenchmark('draw gradient', 12),
  microbenchmark('draw logo', 30),
  microbenchmark('ledger redis', 2000),
  microbenchmark('ledger sql', 150),
  request('render hit, Redis ledger', 'redis', 'render hit 300', 800),
  request('render hit, SQL ledger', 'sql', 'render hit 300', 250),
  request('render miss 300', 'redis', 'render miss 300', 120),
  request('single styled', 'redis', 'single styled', 60),
  request('single gradient', 'redis', 'single gradient', 30),
  request('single logo', 'redis', 'single logo', 50),
  request('bulk 10', 'redis', 'bulk 10', 14),
  request('redirect', 'redis', 'redirect', 2500),
];

const microbenchmarks = MEASURES.filter(({ kind }) => kind === 'microbenchmark');
const requests = MEASURES.filter(({ kind }) => kind === 'request');
const short = microbenchmarks.filter(({ name }) => !name.startsWith('ledger'));
/** What each round samples, in this order. Short measures are sampled twice. */
export const ROUND: readonly Measure[] = [
  ...microbenchmarks,
  ...requests.slice(0, 4),
  ...short,
  ...requests.slice(4),
];

/**
 * The measure that the others are divided by. Its code is the same in every tree, so the speed of the machine cancels
 * out.
 */
export const CALIBRATION = 'calibration';
/** The second yardstick: requests to a bare Fastify route. */
export const BARE = 'bare route';

/**
 * Whether a measure is also divided by the bare route. Half of the cost of requests and ledgers is system calls. A
 * busy machine slows these down, which the calibration does not show because it only computes.
 */
export const hasBareYardstick = ({ name, kind }: Measure): boolean =>
  name !== BARE && (kind === 'request' || name.startsWith('ledger'));
