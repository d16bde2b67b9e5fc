/**
 * Runs TypeScript in the processes of the tests, from bundles: removes the types and checks nothing, since
 * `test/types.test.ts` does. Node's loader takes a millisecond for each module, and twice as long with hooks. The
 * modules that tap preloads are disabled, because they would load a compiler and record each process.
 */
const hooks = require('node:async_hooks');
const { statfsSync } = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { bundleMain } = require('./main.cjs');
const { optimiseLater } = require('./flags.cjs');
require('./threads.cjs');

optimiseLater();

// Tap tracks the test of each promise, which takes a tenth of the processor time. `groups/run.ts` does not need that.
hooks.createHook = () => ({ enable() {}, disable() {} });
syncBuiltinESMExports();

bundleMain((main) => /\.tsx?$/.test(main));

// Tap injects its hooks into every process that a test starts, which doubles the processor time of the start.
process.env.NODE_OPTIONS = process.env.NODE_OPTIONS?.replace(/"?--import=\S*@tapjs\S*/, '') ?? '';

/** Creating a database here takes a sixteenth of the processor time that it takes on a disk. */
const IN_MEMORY = '/dev/shm';
const FREE_MIN_BYTES = 4 * 1024 ** 3;

const hasRoom = (folder) => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > FREE_MIN_BYTES;
  } catch {
    return false;
  }
};

if (/(\.test|\/before)\.ts$/.test(process.argv[1]) && hasRoom(IN_MEMORY)) process.env.TMPDIR ??= IN_MEMORY;

// Processes that a test starts with these arguments may have another working directory.
process.execArgv = process.execArgv.map((arg) =>
  arg.endsWith('loader/typescript.cjs') ? `--require=${__filename}` : arg,
);
