import type { RenderTask } from '../../workers/protocol.ts';
import type { RenderOutcome } from './outcome.ts';

/** Single and image requests go before the items of bulk requests. */
export type RenderKind = 'single' | 'bulk';

/** What admission asks about a request. */
export interface RenderLoad {
  readonly accountId: string;
  readonly kind: RenderKind;
  /** One a task: rough time in a thread. */
  readonly estimatedMs: readonly number[];
  /** Epoch milliseconds (`Date.now()`): tasks not begun by then fail. */
  readonly deadlineMs: number;
}

/** The tasks are kept until they are drawn and must not be changed meanwhile. */
export interface RenderRequest extends RenderLoad {
  readonly tasks: readonly RenderTask[];
}

export interface RenderRun {
  /** One a task, in order. */
  readonly outcomes: readonly RenderOutcome[];
  /** Until the first task was handed to a thread. */
  readonly queueMs: number;
  /** From then until the last outcome. */
  readonly renderMs: number;
}
