import type { Log } from '../log.ts';

/**
 * Runs `build`, which registers with `begun` how to close each part that it has started. When `build` fails, those
 * parts are closed, the latest first, and the error is thrown again. A part that cannot be closed is logged; the rest
 * are still closed.
 */
export const closeOnFailure = async <T>(
  log: Pick<Log, 'error'>,
  build: (begun: (close: () => unknown) => void) => Promise<T>,
): Promise<T> => {
  const closers: (() => unknown)[] = [];
  try {
    return await build((close) => closers.unshift(close));
  } catch (error) {
    for (const close of closers) {
      try {
        await close();
      } catch (err) {
        log.error({ err }, 'gateway could not be built, and one of its parts cannot be closed');
      }
    }
    throw error;
  }
};
