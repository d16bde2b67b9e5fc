/** What the guard watches, as data. */
import type { RecipeName } from '../load/recipes.ts';
import type { KernelName } from './kernels.ts';

interface Common {
  readonly name: string;
  /** How often in one sample: some 40 ms of processor time. */
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

/** Sampled in this order in every round. */
export const MEASURES: readonly Measure[] = [
  kernel('calibration', 60),
  request('bare route', 'bare', 'bare', 2000),
  kernel('draw plain', 120),
  kernel('draw styled', 60),
  kernel('draw gradient', 10),
  kernel('ledger redis', 1000),
  kernel('ledger sql', 200),
  request('render hit, Redis ledger', 'redis', 'render hit 300', 400),
  request('render hit, SQL ledger', 'sql', 'render hit 300', 250),
  request('render miss 300', 'redis', 'render miss 300', 120),
  request('single styled', 'redis', 'single styled', 60),
  request('bulk 10', 'redis', 'bulk 10', 14),
  request('redirect', 'redis', 'redirect', 1200),
];

/** What the others are divided by: the same on every tree, so that the machine cancels out. */
export const CALIBRATION = 'calibration';
export const BARE = 'bare route';
