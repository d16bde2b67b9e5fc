import type { Call } from '../../../clients/typescript/src/call.ts';
import type { Status } from '../progress.ts';
import type { Output } from '../terminal.ts';
import type { Run } from './run-folder.ts';
import type { Saved } from './saved.ts';
import type { Store } from './store.ts';

/** A run that is open. */
export interface Work {
  readonly out: string;
  readonly run: Run;
  /** The folder in which the run keeps its state. */
  readonly state: string;
  /** The folder of the parts that are being downloaded. */
  readonly parts: string;
  readonly store: Store;
  readonly saved: Saved;
  /** The parts that earlier commands have saved. */
  readonly before: ReadonlySet<number>;
  readonly call: Call;
  readonly status: Status;
  /** Aborted when the user interrupts the command. */
  readonly interrupted: AbortSignal;
  readonly err: Output;
}
