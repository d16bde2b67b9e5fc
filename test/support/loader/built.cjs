/** Runs a program of the build so that it starts in half the processor time: from a bundle, and hardly optimised. */
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { isMainThread } = require('node:worker_threads');
const { CACHE } = require('./bundle.cjs');
const { bundleMain } = require('./main.cjs');

/** Functions are optimised when they have run four times as often as by default. Flags, by the major version of Node. */
const OPTIMISE_LATER = {
  20: ['--interrupt-budget=500000'],
  24: ['--invocation-count-for-maglev=1600', '--invocation-count-for-turbofan=12000'],
};
const [major] = process.versions.node.split('.');

// Its threads run the build as it is.
if (isMainThread) {
  for (const flag of OPTIMISE_LATER[major] ?? []) setFlagsFromString(flag);
  // Node 20 has none.
  enableCompileCache?.(join(CACHE, 'compiled'));
  bundleMain(() => true);
}
