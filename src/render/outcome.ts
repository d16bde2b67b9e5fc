import type { Fault, Rendered, RenderResult } from '../../workers/protocol.ts';
import { ok, type Result, refused } from '../result.ts';

/**
 * Why a task was not drawn, through no fault of the caller's. `queue_full`: refused on arrival. `deadline`: not
 * begun in time. `crashed`: the thread died or hung, or the renderer failed on it. `closed`: shutting down.
 */
export type Failure = 'queue_full' | 'deadline' | 'crashed' | 'closed';

/** Why there is no picture. `unfit`: what was asked for can't be drawn; anything else is ours. */
export type NotDrawn = { readonly reason: 'unfit'; readonly fault: Fault } | { readonly reason: Failure };

export type RenderOutcome = Result<Rendered, NotDrawn>;

export const failed = (reason: Failure): RenderOutcome => refused({ reason });

export const unfit = (fault: Fault): RenderOutcome => refused({ reason: 'unfit', fault });

/** Of what a thread answered. */
export const toOutcome = (result: RenderResult): RenderOutcome =>
  result.ok ? ok(result) : unfit(result.fault);
