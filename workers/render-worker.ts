import { workerData } from 'node:worker_threads';
import { renderBarcode } from './barcode/draw.ts';
import { isBarcode, type RenderGroup, type ThreadTask } from './group.ts';
import type { TaskResult, ThreadSettings } from './protocol.ts';
import { boundLayers } from './raster/kept-layers.ts';
import { render } from './render.ts';
import { checkSymbols } from './symbol/self-test.ts';
import { readThreadId } from './thread-time.ts';

const threadId = readThreadId();

/** `null` outside a thread of the pool. Importing it from Piscina would add 16 ms to the start of each thread. */
const settings = workerData as ThreadSettings | null;
if (settings !== null) boundLayers(settings.layersMaxBytes);

/**
 * Calls `check` and returns the function that draws groups of tasks in this thread. When `check` throws, that function
 * rethrows the error for every group and draws nothing: Piscina hides what a thread throws while it starts.
 */
export const createRenderGroup = (check: () => void): typeof renderGroup => {
  try {
    check();
    return renderGroup;
  } catch (err) {
    return () => {
      throw err;
    };
  }
};

/** Draws one task. Whatever the renderer throws fails this task alone. */
const renderAlone = (task: ThreadTask): TaskResult => {
  try {
    return isBarcode(task) ? renderBarcode(task) : render(task);
  } catch (err) {
    return { ok: false, thrown: err instanceof Error && err.stack ? err.stack : String(err) };
  }
};

/**
 * Draws a group of tasks in order and returns one result for each. The bytes are copied to the gateway, since once a
 * thread has transferred a buffer, V8 checks at every array access whether the buffer is detached, and drawing takes up
 * to a tenth longer.
 */
const renderGroup = ({ tasks, at }: RenderGroup): readonly TaskResult[] => {
  Atomics.store(at, 1, threadId);
  return tasks.map((task, index) => {
    Atomics.store(at, 0, index);
    return renderAlone(task);
  });
};

/** The entry point of a render thread, which draws nothing when its self-test fails. */
export default createRenderGroup(checkSymbols);
