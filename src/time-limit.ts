import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for the answer, and throws the error of `onTimeout` when it does not arrive in time. An answer that arrived
 * while the process was blocked is in time. The work is not cancelled; its late outcome is dropped, even a failure.
 */
export const within = async <T>(
  answer: Promise<T>,
  timeoutMs: number,
  onTimeout: () => Error,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  let last: NodeJS.Immediate | undefined;
  const timeout = new Promise<never>((_, reject) => {
    // When this process was blocked, an answer that has already arrived is read before an immediate runs.
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
