import type { RenderTask } from '../../workers/protocol.ts';
import type { KeptLayers } from './kept-layers.ts';
import type { RenderOutcome } from './outcome.ts';

/** Single and image requests are drawn before the items of bulk calls, and these before the rows of batches. */
export type RenderKind = 'single' | 'bulk' | 'batch';

/** What admission needs to know of a request. */
export interface RenderLoad {
  readonly accountId: string;
  readonly kind: RenderKind;
  /** Rough time in a thread, for each task. */
  readonly estimatedMs: readonly number[];
  /** Epoch milliseconds (`Date.now()`). Tasks that have not started by then fail. */
  readonly deadlineMs: number;
}

/** Tasks to draw. They are kept until they are drawn and must not be changed meanwhile. */
export interface RenderRequest extends RenderLoad {
  readonly tasks: readonly RenderTask[];
  /** What `estimatedMs` leaves out of each task, because its thread may keep it from another. */
  readonly layers?: readonly (KeptLayers | null)[];
}

/** What became of a request. */
export interface RenderRun {
  /** One for each task, in order. */
  readonly outcomes: readonly RenderOutcome[];
  /** Time until the first task was handed to a thread. */
  readonly queueMs: number;
  /** Time from then until the last outcome. */
  readonly renderMs: number;
}
