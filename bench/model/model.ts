/** The cost model: what a call of each kind costs each part, as measured on one machine. */
import type { RecipeName } from '../load/recipes.ts';
import type { Machine } from '../machine.ts';

/**
 * What spends processor time. `loop` is the event loop of a gateway process, `drawing` its render threads, `threads`
 * its other threads: garbage collection, compilers, files.
 */
export const PARTS = ['loop', 'drawing', 'threads', 'redis', 'postgres'] as const;
/** A part of the service. */
export type Part = (typeof PARTS)[number];
/** A number for each part. */
export type ByPart = Readonly<Record<Part, number>>;

/** What a call costs at one load. */
export interface Level {
  /** The load as a share of the peak. */
  readonly share: number;
  readonly callsPerS: number;
  /** Microseconds of processor time of one call. */
  readonly us: ByPart;
}

/** Bytes of one call. Negative measurements count as 0. */
export interface CallBytes {
  /** What Postgres stores: tables and indexes. */
  readonly postgres: number;
  readonly wal: number;
  /** What Redis still stores once the call has reached Postgres. */
  readonly redis: number;
  /** To and from the caller, including HTTP headers, without TLS. */
  readonly fromCaller: number;
  readonly toCaller: number;
  /** In both directions. */
  readonly redisNetwork: number;
  readonly postgresNetwork: number;
}

/** What one kind of call costs. */
export interface KindCost {
  readonly kind: RecipeName;
  /** Codes that one call makes. */
  readonly codes: number;
  /** Calls per second of a closed loop on the measured machine, which also ran the generator. */
  readonly peakPerS: number;
  /** In ascending order of `share`. The last one is the peak. */
  readonly levels: readonly Level[];
  readonly bytes: CallBytes;
  /** What the access log adds (`LOG_LEVEL=info`): processor time of the gateway in microseconds, and bytes of log. */
  readonly logs: { readonly us: number; readonly bytes: number };
  /** How often a call waits for Redis before its answer. */
  readonly redisRoundTrips: number;
  /** Median latency at a low load in ms, with Redis on the same machine. */
  readonly latencyMs: number;
}

/** Latency and processor time of a call with added latency to Redis. */
export interface Away {
  readonly kind: RecipeName;
  readonly roundTripMs: number;
  readonly latencyMs: number;
  readonly p99Ms: number;
  /** Processor time of all parts, in microseconds. */
  readonly us: number;
}

/** The figures of one machine, as `model.json` holds them. */
export interface CostModel {
  /** ISO 8601. */
  readonly at: string;
  readonly machine: Machine;
  /** Processor time of each part when idle, in microseconds per second. */
  readonly idle: ByPart;
  readonly kinds: readonly KindCost[];
  readonly away: readonly Away[];
}

/** Adds up the parts. */
export const allOf = (us: ByPart): number => PARTS.reduce((total, part) => total + us[part], 0);

/** Makes a number for each part. */
export const byPart = (of: (part: Part) => number): ByPart =>
  Object.fromEntries(PARTS.map((part) => [part, of(part)])) as unknown as ByPart;
