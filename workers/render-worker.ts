import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import type { RenderResult, RenderTask, ThreadSettings } from './protocol.ts';
import { boundLayers } from './raster/layers/kept-layers.ts';
import { render } from './render.ts';
import { checkSymbols } from './symbol/self-test.ts';

/** Absent outside a thread of the pool. */
const settings = workerData as ThreadSettings | undefined;
if (settings !== undefined) boundLayers(settings.layersMaxBytes);

/**
 * Calls `check` and returns the function that draws groups of tasks in this thread. When `check` throws, that function
 * throws the same for every group, and draws nothing: Piscina hides what a thread throws while it starts.
 */
export function createRenderGroup(check: () => void): (tasks: readonly RenderTask[]) => unknown {
  try {
    check();
    return renderGroup;
  } catch (err) {
    return () => {
      throw err;
    };
  }
}

/**
 * Draws a group of tasks in order and answers one result for each. A task that cannot be drawn fails alone. The bytes
 * are moved out of the thread, not copied.
 */
function renderGroup(tasks: readonly RenderTask[]): unknown {
  const results: readonly RenderResult[] = tasks.map(render);
  const buffers = results.flatMap((result) => (result.ok ? [result.bytes.buffer] : []));
  return move({ [transferableSymbol]: buffers, [valueSymbol]: results });
}

/** The entry point of a render thread, which draws nothing when its symbols are wrong. */
export default createRenderGroup(checkSymbols);
