import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { RenderResult, RenderTask } from './protocol.ts';
import { render } from './render.ts';
import { checkSymbols } from './symbol/self-test.ts';

// A thread that draws wrong symbols must not start.
checkSymbols();

/**
 * Draws a group of tasks in order and answers one result for each: the entry point of a render thread. A task that
 * cannot be drawn fails alone. The bytes are moved out of the thread, not copied.
 */
export default function renderGroup(tasks: readonly RenderTask[]): unknown {
  const results: readonly RenderResult[] = tasks.map(render);
  const buffers = results.flatMap((result) => (result.ok ? [result.bytes.buffer] : []));
  return move({ [transferableSymbol]: buffers, [valueSymbol]: results });
}
