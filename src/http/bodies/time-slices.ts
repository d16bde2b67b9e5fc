/** Work of the event loop that is cut into slices, so that requests which need little time never wait for it. */

export interface TimeSlices {
  /**
   * Resolves in a later turn of the event loop. Only one of all that wait goes on in a turn, in the order in which
   * they came, so ten large bodies hold up a small request no longer than one does.
   */
  next(): Promise<void>;
  /** Begins a slice. The function it gives tells whether the slice has had its time, and `next` is due. */
  slice(): () => boolean;
}

/** Far below the 25 ms that no turn may take: what is begun at the end of a slice runs to its own end. */
const SLICE_MS = 4;

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
