/** Questions to another process that wait for their answers for `timeoutMs`. Each has a number that its answer repeats. */
export const createQuestions = <T>(timeoutMs: number) => {
  const open = new Map<number, (answer: T | null) => void>();
  let lastId = 0;
  return {
    /** Sends a question with its number. Resolves with the answer, or with `null` when none comes in time. */
    ask(send: (id: number) => void): Promise<T | null> {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve) => {
        const timer = setTimeout(() => settle(null), timeoutMs);
        const settle = (answer: T | null): void => {
          clearTimeout(timer);
          open.delete(id);
          resolve(answer);
        };
        open.set(id, settle);
        send(id);
      });
    },
    /** Takes an answer. One that comes too late is dropped. */
    answered: (id: number, answer: T): void => open.get(id)?.(answer),
  };
};
