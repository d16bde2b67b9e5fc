import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for the answer, and throws the error of `onTimeout` when it does not arrive in time. An answer that arrived while
 * the process could not read it is in time. The work behind the answer continues, and its late outcome is dropped, even a
 * failure.
 */
export const within = async <T>(
  answer: Promise<T>,
  timeoutMs: number,
  onTimeout: () => Error,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  let last: NodeJS.Immediate | undefined;
  const timeout = new Promise<never>((_, reject) => {
    // After a pause of this process an answer may be there, and be read only now: before an immediate runs.
    const end = () => reject(onTimeout());
    timer = setTimeout(() => {
      last = setImmediate(end);
    }, timeoutMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
    clearImmediate(last);
  }
};

/**
 * Waits for some work to end, but at most `timeoutMs`, without telling which came first. Fails when the work fails in
 * time. Waiting does not keep the process alive.
 */
export const waitAtMost = async (ended: Promise<unknown> | null, timeoutMs: number): Promise<void> => {
  await Promise.race([ended, sleep(timeoutMs, undefined, { ref: false })]);
};
