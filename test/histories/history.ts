/** The record of a run, which is all that the checker uses. */
import type { Blow } from './faults.ts';
import type { Final } from './final.ts';
import type { Operation } from './operations.ts';

/** The parts of an answer that the checker compares. */
export interface Answer {
  /** A digest of everything that a replay must repeat. */
  readonly digest: string;
  readonly isReplay: boolean;
  /** Of a bulk call: the slug of each item, `null` where it has none. */
  readonly slugs: readonly (string | null)[];
  /** The folder of a bulk call, the id of a batch, a folder or a change of many, the destination of a redirect. */
  readonly names: string | null;
}

/** One request. Times are milliseconds since the run began. */
export interface Call {
  readonly operation: Operation;
  readonly gateway: number;
  /** Numbers above 1 are repetitions of the same operation. */
  readonly attempt: number;
  readonly beginMs: number;
  readonly endMs: number;
  /** `indeterminate`: the call got no answer in time, or one that says that the outcome is unknown. */
  readonly outcome: 'ok' | 'refused' | 'indeterminate';
  /** `null` when there was no answer. */
  readonly status: number | null;
  readonly answer: Answer | null;
}

/** A blow and the duration of its effects: until connections were open again, or the gateway served again. */
export interface Felt {
  readonly blow: Blow;
  readonly beginMs: number;
  readonly endMs: number;
}

export interface History {
  readonly seed: number;
  readonly calls: readonly Call[];
  readonly faults: readonly Felt[];
  readonly final: Final;
  /** How long a reservation lives. */
  readonly ttlMs: number;
  /** How much longer than a second another gateway may take to follow an edit on a busy machine. */
  readonly slackMs: number;
}
