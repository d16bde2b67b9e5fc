import type { RenderTask } from '../../workers/protocol.ts';

/** A task with its design, its job and its place in an answer, as measured on V8 and rounded up. */
const TASK_BYTES = 2048;
/** JavaScript keeps text as UTF-16, or as Latin-1 where that suffices. */
const CHARACTER_BYTES = 2;

/**
 * Returns the estimated memory, in bytes, that each task of a request holds while it waits. Tasks of a request often
 * share one logo, which is counted once, with the first of them.
 */
export const footprintsOf = (tasks: readonly RenderTask[]): readonly number[] => {
  const counted = new Set<Uint8Array>();
  return tasks.map(({ text, logo }) => {
    const bytes = TASK_BYTES + CHARACTER_BYTES * text.length;
    if (logo === null || counted.has(logo.png)) return bytes;
    counted.add(logo.png);
    return bytes + logo.png.byteLength + (logo.grid === undefined ? 0 : 2 * logo.grid.luma.byteLength);
  });
};
