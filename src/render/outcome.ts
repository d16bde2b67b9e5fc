import type { RenderResult } from '../../workers/protocol.ts';

/**
 * Why a task was not drawn, through no fault of the caller's. `queue_full`: refused on arrival. `deadline`: not
 * begun in time. `crashed`: the thread died or hung, or the renderer failed on it. `closed`: shutting down.
 */
export type Failure = 'queue_full' | 'deadline' | 'crashed' | 'closed';

export type RenderOutcome = RenderResult | { readonly ok: false; readonly failure: Failure };

export const failed = (failure: Failure): RenderOutcome => ({ ok: false, failure });
