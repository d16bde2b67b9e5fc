/** What the gateway hands to a render thread. */
import type { BarcodeTask } from './barcode/protocol.ts';
import type { RenderTask } from './protocol.ts';

/** One file to draw. */
export type ThreadTask = RenderTask | BarcodeTask;

/** Tasks that a thread draws one after the other. */
export interface RenderGroup {
  readonly tasks: readonly ThreadTask[];
  /** Shared memory of two numbers: the index of the task that the thread draws now, and the thread's id (or 0). */
  readonly at: Int32Array<SharedArrayBuffer>;
}

/** Whether a task is a barcode: QR codes have no symbology to choose. */
export const isBarcode = (task: ThreadTask): task is BarcodeTask => 'symbology' in task;
