/**
 * The answer, or `onTimeout`'s error when it does not come in time. What has begun goes on; its late outcome, a
 * failure included, is dropped.
 */
export const within = async <T>(
  answer: Promise<T>,
  timeoutMs: number,
  onTimeout: () => Error,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onTimeout()), timeoutMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
};
