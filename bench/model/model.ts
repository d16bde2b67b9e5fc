/** The cost model: what a call of each kind costs each part, as measured on one machine. */
import type { Spent } from '../cpu.ts';
import type { RecipeName } from '../load/recipes.ts';
import type { Machine } from '../machine.ts';

/** The kind that is a code of a batch, and no call: it is made behind all calls. */
export const BATCH_CODE = 'batch code';
/** What the model has costs of. */
export type Kind = RecipeName | typeof BATCH_CODE;

/** What a call costs at one load. */
export interface Level {
  /** The load as a share of the peak. */
  readonly share: number;
  readonly callsPerS: number;
  /** Microseconds of processor time of one call. */
  readonly us: Spent;
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
  /** The line of the access log (`LOG_LEVEL=info`). */
  readonly log: number;
  /** In the store of batches. */
  readonly batches: number;
}

/** What one kind of call costs. */
export interface KindCost {
  readonly kind: Kind;
  /** Codes that one call makes. */
  readonly codes: number;
  /** The most calls per second of one gateway process on the measured machine, which also ran the generator. */
  readonly peakPerS: number;
  /** In ascending order of `share`. The last one is the peak. */
  readonly levels: readonly Level[];
  readonly bytes: CallBytes;
  /** How often a call waits for Redis before its answer. */
  readonly redisRoundTrips: number;
  /** Median latency at a low load in ms, with Redis on the same machine. */
  readonly latencyMs: number;
}

/** The figures of one machine, as `model.json` holds them. */
export interface CostModel {
  /** ISO 8601. */
  readonly at: string;
  readonly machine: Machine;
  /** Processor time of each part when idle, in microseconds per second. */
  readonly idle: Spent;
  /** Memory of a gateway process after calls of all kinds. */
  readonly processBytes: number;
  readonly kinds: readonly KindCost[];
}
