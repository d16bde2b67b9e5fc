import type { Fault, Rendered, RenderResult } from '../../workers/protocol.ts';
import { type Result, refused } from '../result.ts';

/**
 * Why a task was not drawn, through no fault of the caller. `queue_full`: it was refused on arrival. `deadline`: it
 * did not start in time. `crashed`: its thread died or hung, or the renderer failed on it. `closed`: the pool is
 * shutting down.
 */
export type Failure = 'queue_full' | 'deadline' | 'crashed' | 'closed';

/** Why there is no picture. `unfit`: what was asked for cannot be drawn. Any other reason is a failure of ours. */
export type NotDrawn = { readonly reason: 'unfit'; readonly fault: Fault } | { readonly reason: Failure };

/** A picture, or why there is none. */
export type RenderOutcome = Result<Rendered, NotDrawn>;

/** Returns the outcome of a task that failed. */
export const failed = (reason: Failure): RenderOutcome => refused({ reason });

/** Returns the outcome of a task that cannot be drawn. */
export const unfit = (fault: Fault): RenderOutcome => refused({ reason: 'unfit', fault });

/** Returns the outcome of a task that a thread has answered. */
export const toOutcome = (result: RenderResult): RenderOutcome => (result.ok ? result : unfit(result.fault));
