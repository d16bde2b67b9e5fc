/** Ends everything that a run has started, in reverse order: at its end, on an error and on Ctrl-C. */
export interface Scope {
  teardown(run: () => unknown): void;
}

/** Runs a function with a new scope, which ends with it. On Ctrl-C the process exits with 130. */
export const inScope = async <T>(run: (scope: Scope) => Promise<T>): Promise<T> => {
  const steps: (() => unknown)[] = [];
  const end = async () => {
    for (const step of steps.splice(0).reverse()) await step();
  };
  const interrupted = () => void end().then(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    return await run({ teardown: (step) => void steps.push(step) });
  } finally {
    await end();
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  }
};
