/** Questions to another process, each with a number that its answer repeats. */
export interface Questions<T> {
  /** Sends a question with its number. Resolves with the answer, or with `null` when none comes in time. */
  ask(send: (id: number) => void): Promise<T | null>;
  /** Takes an answer. One that comes too late is dropped. */
  answered(id: number, answer: T): void;
}

/** Creates questions that wait for their answers for `timeoutMs`. */
export const createQuestions = <T>(timeoutMs: number): Questions<T> => {
  const open = new Map<number, (answer: T | null) => void>();
  let lastId = 0;
  return {
    ask(send) {
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
    answered: (id, answer) => open.get(id)?.(answer),
  };
};
