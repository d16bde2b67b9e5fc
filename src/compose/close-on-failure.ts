import type { Log } from '../log.ts';

/**
 * Runs `build`, which tells `begun` how to close each part that it has begun. When `build` fails, those parts are
 * closed, the latest first, and its error is thrown on. A part that cannot be closed is logged and holds up no other.
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
        log.error({ err }, 'a part of a gateway that could not be built cannot be closed');
      }
    }
    throw error;
  }
};
