/**
 * Makes a function that runs its argument in one of `count` lines, in rotation. Within a line one runs at a time.
 */
export const createLines = (count: number) => {
  const lines: Promise<unknown>[] = Array.from({ length: count }, () => Promise.resolve());
  let next = 0;
  return <T>(work: () => Promise<T>): Promise<T> => {
    const line = next % count;
    next += 1;
    const done = lines[line]!.then(work);
    lines[line] = done.catch(() => {});
    return done;
  };
};
