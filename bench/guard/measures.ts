/** What the guard watches, as data. */
import type { RecipeName } from '../load/recipes.ts';

/**
 * The measure that the others are divided by. Its code is the same in every tree, so the speed of the machine cancels
 * out.
 */
export const CALIBRATION = 'calibration';
/** The second yardstick: requests to a bare Fastify route. */
export const BARE = 'bare route';

/** Inner parts that are run by themselves, and how often a sample runs each. */
const MICROBENCHMARKS = {
  [CALIBRATION]: 30,
  'draw plain': 80,
  'draw styled': 30,
  'draw gradient': 12,
  'draw logo': 30,
  'ledger redis': 2000,
  'ledger sql': 150,
} as const;
/** The name of a microbenchmark. */
export type MicrobenchmarkName = keyof typeof MICROBENCHMARKS;

/** Requests over HTTP to a whole server, and how many make a sample. */
const REQUESTS = {
  [BARE]: ['bare', 'bare', 2000],
  'render hit, Redis ledger': ['redis', 'render hit 300', 800],
  'render hit, SQL ledger': ['sql', 'render hit 300', 250],
  'render miss 300': ['redis', 'render miss 300', 120],
  'single styled': ['redis', 'single styled', 60],
  'single gradient': ['redis', 'single gradient', 30],
  'single logo': ['redis', 'single logo', 50],
  'bulk 10': ['redis', 'bulk 10', 14],
  redirect: ['redis', 'redirect', 2500],
} as const satisfies Record<string, readonly [server: string, RecipeName, times: number]>;

/** Something whose processor time is watched. */
export interface Measure {
  /** Its key in `bench/baseline.json`. */
  readonly name: string;
  readonly kind: 'microbenchmark' | 'request';
  /**
   * How often one sample runs the measure: enough for 10 to 20 ms of processor time when all work ends with the call,
   * and for 20 to 80 ms otherwise.
   */
  readonly times: number;
  /** The server that requests go to, and what they ask for; `null` for a microbenchmark. */
  readonly to: readonly ['bare' | 'redis' | 'sql', RecipeName] | null;
}

const microbenchmarks = Object.entries(MICROBENCHMARKS).map(
  ([name, times]): Measure => ({ name, kind: 'microbenchmark', times, to: null }),
);
const requests = Object.entries(REQUESTS).map(
  ([name, [server, recipe, times]]): Measure => ({ name, kind: 'request', times, to: [server, recipe] }),
);

/** All measures, each once. */
export const MEASURES: readonly Measure[] = [...microbenchmarks, ...requests];

/** What each round samples, in this order. Short measures are sampled twice. */
export const ROUND: readonly Measure[] = [
  ...microbenchmarks,
  ...requests.slice(0, 4),
  ...microbenchmarks.filter(({ name }) => !name.startsWith('ledger')),
  ...requests.slice(4),
];

/**
 * Whether a measure is also divided by the bare route. Half of the cost of requests and ledgers is system calls. A
 * busy machine slows these down, which the calibration does not show because it only computes.
 */
export const hasBareYardstick = ({ name, kind }: Measure): boolean =>
  name !== BARE && (kind === 'request' || name.startsWith('ledger'));
