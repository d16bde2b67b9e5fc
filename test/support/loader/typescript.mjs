/**
 * Loads TypeScript in the processes and threads of the tests: types are removed and nothing is checked, which
 * `npm run typecheck` does. The compiler that tap would load instead takes seconds of processor time for each of them.
 */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

register('./hooks.mjs', import.meta.url);

// Processes that a test starts with these arguments may have another working directory.
process.execArgv = process.execArgv.map((arg) =>
  arg.endsWith('loader/typescript.mjs') ? `--import=${import.meta.url}` : arg,
);

// Tap asks for its compiler as soon as it is imported; threads that the test starts need none either.
if (isMainThread && process.argv[1]?.endsWith('.test.ts')) {
  await import('tap');
  process.env.TAP_TYPE_STRIP_ONLY = '1';
}
