/** The messages between a benchmark and its load generator. */
import type { Aim } from './aim.ts';
import type { Percentiles } from './histogram.ts';
import type { Mix } from './mix.ts';
import type { Arrivals, Phase } from './open/arrivals.ts';
import type { Outcomes, Tally } from './outcomes.ts';
import type { RecipeName } from './recipes.ts';

interface Load {
  readonly url: string;
  readonly mix: Mix;
  readonly aim: Aim;
  readonly connections: number;
}

/** Each connection sends its next request when the previous one is answered. Measures throughput. */
export interface ClosedJob extends Load {
  readonly warmUpS: number;
  readonly seconds: number;
}

/** Sends exactly `requests` requests, at most `connections` at a time. Measures the cost of a request. */
export interface CountedJob extends Load {
  readonly requests: number;
}

/** Sends requests at a given rate, whether or not earlier ones are answered. Measures latency. */
export interface OpenJob extends Load {
  /** The mean rate, like the duration, when there is a profile. */
  readonly ratePerS: number;
  readonly seconds: number;
  /**
   * Seconds before the measurement in which all connections open and the rate rises from 0; their requests do not count. If
   * absent, the measurement begins cold.
   */
  readonly warmUpS?: number;
  /** If absent, requests are evenly spaced. */
  readonly arrivals?: Arrivals;
  /** If absent, the rate is constant. */
  readonly profile?: readonly Phase[];
  /** While this many requests are in flight, due requests are dropped and counted as dropped. */
  readonly underWayMax: number;
}

/** What a closed loop measured, without its warm-up. */
export interface ClosedResult {
  readonly seconds: number;
  readonly tally: Tally;
  readonly generatorCpuMs: number;
}

/** The outcomes of the requests. The caller measures their cost. */
export interface CountedResult {
  readonly tally: Tally;
}

/** What an open loop measured: the outcomes of all requests, and of each kind. */
export interface OpenResult extends Outcomes {
  readonly kinds: Readonly<Partial<Record<RecipeName, Outcomes>>>;
  /** From the first request until the last answer. */
  readonly seconds: number;
  /** The rate of the job. */
  readonly askedPerS: number;
  /** Requests sent per second. */
  readonly sentPerS: number;
  /** Goodput: good answers per second while requests were sent. */
  readonly goodPerS: number;
  /** Of all requests that were due; failures count with at least the time limit. */
  readonly latencyMs: Percentiles;
  /** Of good answers, from the moment the request was due. */
  readonly acceptedMs: Percentiles;
  /** The same from the moment the request left. */
  readonly uncorrectedMs: Percentiles;
  /** Of all other answers and failures, from the moment the request was due. */
  readonly refusedMs: Percentiles;
  /** How late requests were sent: the 99th percentile; of several generators, of the latest. */
  readonly lateMs: number;
  /** Of several generators, of the busiest. */
  readonly generatorCpuMs: number;
}

/** The loads that a generator makes, and what they measure. */
export interface Loads {
  readonly closed: { readonly job: ClosedJob; readonly result: ClosedResult };
  readonly counted: { readonly job: CountedJob; readonly result: CountedResult };
  readonly open: { readonly job: OpenJob; readonly result: OpenResult };
}

/** The kind of a load. */
export type Kind = keyof Loads;

/** A message of the load generator: that the measurement begins now, or its result. */
export type Message = 'begin' | Loads[Kind]['result'];
