/** Cuts long work on the event loop into slices, so that other requests are served in between. */

/** Slices of the event loop's time for long work. */
export interface TimeSlices {
  /**
   * Resolves in a later turn of the event loop. One caller continues in each turn, in the order of the calls, so ten
   * large bodies delay a small request no longer than one does.
   */
  next(): Promise<void>;
  /** Begins a slice. The returned function says whether its time is over, so that `next` is due. */
  slice(): () => boolean;
}

/** Far below the 25 ms that a turn may take, because a step that begins at the end of a slice is not interrupted. */
const SLICE_MS = 4;

/** Creates the slices. All long work of a gateway must share them. */
export const createTimeSlices = (): TimeSlices => {
  const waiting: (() => void)[] = [];
  const letOneGoOn = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(letOneGoOn);
  };
  return {
    next() {
      return new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) setImmediate(letOneGoOn);
      });
    },
    slice() {
      const startedMs = performance.now();
      return () => performance.now() - startedMs > SLICE_MS;
    },
  };
};
