import type { RenderResult } from '../../workers/protocol.ts';

/**
 * Why a task was not drawn, through no fault of the caller. `queue_full`: it was refused on arrival. `deadline`: it
 * did not start in time. `crashed`: its thread died or hung, or the renderer failed on it. `closed`: the pool is
 * shutting down.
 */
export type Failure = 'queue_full' | 'deadline' | 'crashed' | 'closed';

/** A picture, a fault of the caller, or a failure. */
export type RenderOutcome = RenderResult | { readonly ok: false; readonly failure: Failure };

/** The outcome of a task that failed. */
export const failed = (failure: Failure): RenderOutcome => ({ ok: false, failure });
