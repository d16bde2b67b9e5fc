/**
 * Loads TypeScript in the processes and threads of the tests: removes the types and checks nothing, since
 * `npm run typecheck` does. The compiler of tap would take seconds of processor time in each of them.
 */
import { register } from 'node:module';
import './threads.mjs';

// Tap loads its compiler as soon as it is imported; processes that a test starts do not need it either.
if (process.argv[1]?.endsWith('.test.ts')) {
  await import('tap');
  process.env.TAP_TYPE_STRIP_ONLY = '1';
}

register('./hooks.mjs', import.meta.url);

// Tap puts its hooks into every process that a test starts, which then takes twice the processor time to start.
globalThis[Symbol.for('process-on-spawn@*:singletonId')]?.unwrap();
process.env.NODE_OPTIONS = process.env.NODE_OPTIONS?.replace(/"?--import=\S*@tapjs\S*/, '') ?? '';

// Processes that a test starts with these arguments may have another working directory.
process.execArgv = process.execArgv.map((arg) =>
  arg.endsWith('loader/typescript.mjs') ? `--import=${import.meta.url}` : arg,
);
