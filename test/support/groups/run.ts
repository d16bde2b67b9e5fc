/** Runs several test files in one process, one after the other, each as a test of its own. */
import t, { type Test } from 'tap';

/** Far more than a file takes on a busy machine. A file may set its own limit. */
const FILE_TIMEOUT_MS = 900_000;

let running: Test | undefined;

// An uncaught exception fails the running file (`loader/typescript.cjs`).
process.on('uncaughtException', (error) => (running ?? t).threw(error));

/**
 * The `t` of the file that is being loaded: a separate test when several files share a process. `make.mjs` gives it to
 * test files in place of tap's, so that a file's teardown ends before the next file begins.
 */
export const ownTest = (): Test => running ?? t;

/**
 * Loads and runs the files in turn. When there are several, sharp reads no SVG in any of them (`src/logo/bitmap.ts`),
 * so that a file that needs this fails regardless of the order.
 */
export const runFiles = (files: Readonly<Record<string, () => Promise<unknown>>>): void => {
  const isShared = Object.keys(files).length > 1;
  t.setTimeout(Object.keys(files).length * FILE_TIMEOUT_MS);
  for (const [name, load] of Object.entries(files)) {
    void t.test(name, { timeout: FILE_TIMEOUT_MS }, async (own) => {
      running = own;
      if (isShared) await import('../../../src/logo/bitmap.ts');
      await load();
    });
  }
};
