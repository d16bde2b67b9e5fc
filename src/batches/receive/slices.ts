/** Reading rows leaves the event loop to others every few milliseconds. */
import { setImmediate } from 'node:timers/promises';

/** CSV of the shortest rows takes two milliseconds for so many bytes. */
const SLICE_BYTES = 4096;
const TURN_MS = 4;

/** Passes chunks on in slices, and waits for the next turn of the event loop when their reader has taken a while. */
export async function* inSlices(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let endMs = performance.now() + TURN_MS;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      yield chunk.subarray(at, at + SLICE_BYTES);
      if (performance.now() < endMs) continue;
      await setImmediate();
      endMs = performance.now() + TURN_MS;
    }
  }
}
