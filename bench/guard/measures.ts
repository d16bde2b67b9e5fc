/** What the guard watches, as data. */
import type { RecipeName } from '../load/recipes.ts';
import type { KernelName } from './kernels.ts';

interface Common {
  readonly name: string;
  /** How often in one sample: 10 to 20 ms of processor time for what is over when it returns, else 20 to 80. */
  readonly times: number;
}

/** An inner part, run by itself. */
export interface KernelMeasure extends Common {
  readonly kind: 'kernel';
  readonly kernel: KernelName;
}

/** Requests over HTTP to the whole server. */
export interface RequestMeasure extends Common {
  readonly kind: 'request';
  readonly server: 'bare' | 'redis' | 'sql';
  readonly recipe: RecipeName;
}

export type Measure = KernelMeasure | RequestMeasure;

const kernel = (kernel: KernelName, times: number): KernelMeasure => ({
  kind: 'kernel',
  name: kernel,
  kernel,
  times,
});

const request = (
  name: string,
  server: RequestMeasure['server'],
  recipe: RecipeName,
  times: number,
): RequestMeasure => ({ kind: 'request', name, server, recipe, times });

export const MEASURES: readonly Measure[] = [
  kernel('calibration', 30),
  request('bare route', 'bare', 'bare', 2000),
  kernel('draw plain', 80),
  kernel('draw styled', 30),
  kernel('draw gradient', 4),
  kernel('ledger redis', 2000),
  kernel('ledger sql', 150),
  request('render hit, Redis ledger', 'redis', 'render hit 300', 800),
  request('render hit, SQL ledger', 'sql', 'render hit 300', 250),
  request('render miss 300', 'redis', 'render miss 300', 120),
  request('single styled', 'redis', 'single styled', 60),
  request('bulk 10', 'redis', 'bulk 10', 14),
  request('redirect', 'redis', 'redirect', 2500),
];

const kernels = MEASURES.filter(({ kind }) => kind === 'kernel');
const requests = MEASURES.filter(({ kind }) => kind === 'request');
const short = kernels.filter(({ name }) => !name.startsWith('ledger'));
/** What is sampled in each round, in this order: what is short more often. */
export const ROUND: readonly Measure[] = [
  ...kernels,
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
