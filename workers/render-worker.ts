import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import type { RenderResult, RenderTask, ThreadSettings } from './protocol.ts';
import { boundLayers } from './raster/layers/kept-layers.ts';
import { render } from './render.ts';

/** Absent outside a thread of the pool. */
const settings = workerData as ThreadSettings | undefined;
if (settings !== undefined) boundLayers(settings.layersMaxBytes);

/**
 * Draws a group of tasks in order and answers one result for each: the entry point of a render thread. A task that
 * cannot be drawn fails alone. The bytes are moved out of the thread, not copied.
 */
export default function renderGroup(tasks: readonly RenderTask[]): unknown {
  const results: readonly RenderResult[] = tasks.map(render);
  const buffers = results.flatMap((result) => (result.ok ? [result.bytes.buffer] : []));
  return move({ [transferableSymbol]: buffers, [valueSymbol]: results });
}
