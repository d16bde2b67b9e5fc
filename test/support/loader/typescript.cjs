/**
 * Runs TypeScript in the processes of the tests, from bundles: removes the types and checks nothing, since
 * `test/types.test.ts` does. Node's loader takes a millisecond for each module, and twice as long with hooks. What tap
 * imports first has no effect: it would load a compiler, and keep a record of each process.
 */
const { bundleMain } = require('./main.cjs');
require('./threads.cjs');

bundleMain((main) => /\.tsx?$/.test(main));

// Tap puts its hooks into every process that a test starts, which then takes twice the processor time to start.
process.env.NODE_OPTIONS = process.env.NODE_OPTIONS?.replace(/"?--import=\S*@tapjs\S*/, '') ?? '';

// Processes that a test starts with these arguments may have another working directory.
process.execArgv = process.execArgv.map((arg) =>
  arg.endsWith('loader/typescript.cjs') ? `--require=${__filename}` : arg,
);
