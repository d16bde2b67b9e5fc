import type { Fault, Rendered, TaskResult } from '../../workers/protocol.ts';
import { type Result, refused } from '../result.ts';

/**
 * Why a task was not drawn, through no fault of the caller. `queue_full`: it was refused on arrival. `deadline`: it
 * did not start in time. `crashed`: its thread died, or the renderer failed on it. `hung`: it exceeded the hang
 * limit. `closed`: the pool is shutting down.
 */
export type Failure = 'queue_full' | 'deadline' | 'crashed' | 'hung' | 'closed';

/** Why there is no picture. `unfit`: what was asked for cannot be drawn. Any other reason is a failure of ours. */
export type NotDrawn =
  | { readonly reason: 'unfit'; readonly fault: Fault }
  /** `cause` is for the log. */
  | { readonly reason: Failure; readonly cause?: unknown };

/** A picture, or why there is none. */
export type RenderOutcome = Result<Rendered, NotDrawn>;

/** Returns the outcome of a task that failed. */
export const failDrawing = (reason: Failure, cause?: unknown): RenderOutcome =>
  refused(cause === undefined ? { reason } : { reason, cause });

/** Returns the outcome of a task that cannot be drawn. */
export const refuseUnfit = (fault: Fault): RenderOutcome => refused({ reason: 'unfit', fault });

/** Returns the outcome of a task that a thread has answered. */
export const toOutcome = (result: TaskResult): RenderOutcome => {
  if (result.ok) return result;
  return 'fault' in result ? refuseUnfit(result.fault) : failDrawing('crashed', result.thrown);
};
