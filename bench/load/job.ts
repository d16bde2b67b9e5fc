/** What the generator processes are told and answer. */
import type { Aim } from './aim.ts';
import type { Mix } from './mix.ts';
import type { Tally } from './tally.ts';

interface Load {
  readonly url: string;
  readonly mix: Mix;
  readonly aim: Aim;
  /** Of the first request; a load's requests are numbered on from it. */
  readonly firstSerial: number;
  readonly connections: number;
}

/** Each connection sends its next request when the last one is answered: finds the throughput. */
export interface ClosedJob extends Load {
  readonly kind: 'closed';
  readonly warmUpS: number;
  readonly seconds: number;
}

/** Exactly so many requests, at most `connections` at a time: finds what a request costs. */
export interface CountedJob extends Load {
  readonly kind: 'counted';
  readonly requests: number;
}

/** Requests come at a rate, whether or not the last ones are answered: finds the latency. */
export interface OpenJob extends Load {
  readonly kind: 'open';
  readonly ratePerS: number;
  readonly seconds: number;
  /** Requests under way beyond which a due one is dropped and counted. */
  readonly underWayMax: number;
}

export type Job = ClosedJob | CountedJob | OpenJob;

export interface Percentiles {
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

export interface ClosedResult {
  readonly seconds: number;
  readonly tally: Tally;
  /** From sending to the end of the answer: not corrected, as a closed loop slows down with its server. */
  readonly latencyMs: Percentiles;
  readonly generatorCpuMs: number;
  readonly nextSerial: number;
}

export interface CountedResult {
  readonly tally: Tally;
  readonly nextSerial: number;
}

export interface OpenResult {
  readonly seconds: number;
  readonly tally: Tally;
  readonly askedPerS: number;
  /** Requests sent a second. */
  readonly sentPerS: number;
  /** Good answers a second while requests were sent: goodput. */
  readonly goodPerS: number;
  /** Due while too many were under way. */
  readonly dropped: number;
  /** From the moment a good request was due, sent late or not: coordinated omission cannot hide in it. */
  readonly latencyMs: Percentiles;
  /** The same from the moment it was sent. */
  readonly uncorrectedMs: Percentiles;
  /** From due to answered, of answers with another status. */
  readonly refusedMs: Percentiles;
  /** HdrHistogram of `latencyMs` in microseconds, V2 compressed, base64: to be merged with others. */
  readonly histogram: string;
  /** Mean number of requests under way, sampled every 10 ms. */
  readonly meanUnderWay: number;
  readonly generatorCpuMs: number;
  readonly nextSerial: number;
}

export type Message =
  | { readonly kind: 'begin' }
  | { readonly kind: 'closed'; readonly result: ClosedResult }
  | { readonly kind: 'counted'; readonly result: CountedResult }
  | { readonly kind: 'open'; readonly result: OpenResult };
