/** Whether the service can be reached, as far as the calls of this page tell. */

const PAUSE_MS = 3000;

let isDown = false;
const listeners = new Set<(isDown: boolean) => void>();

export const isLineDown = (): boolean => isDown;

/** Calls a listener when the service can no longer be reached, and when it can again. Returns what ends that. */
export const onLine = (listener: (isDown: boolean) => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

let probe = (): Promise<unknown> => Promise.resolve();

/** Says whether the latest call had an answer. Without one, the service is asked until it answers. */
export const noteLine = (down: boolean): void => {
  if (down === isDown) return;
  isDown = down;
  for (const listener of listeners) listener(down);
  if (down) setTimeout(tryAgain, PAUSE_MS);
};

const tryAgain = (): void => {
  if (!isDown) return;
  probe().then(
    () => noteLine(false),
    () => setTimeout(tryAgain, PAUSE_MS),
  );
};

/** Finds out whether a call has failed because there is no line. */
export const checkLine = (): void => void probe().catch(() => noteLine(true));

/** @param ask A call that rejects when no answer comes. */
export const watchLine = (ask: () => Promise<unknown>): void => {
  probe = ask;
  addEventListener('offline', () => noteLine(true));
  addEventListener('online', tryAgain);
};
