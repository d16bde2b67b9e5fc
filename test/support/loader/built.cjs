/** Runs a program of the build so that it starts in half the processor time: from a bundle, and hardly optimised. */
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');
const { isMainThread } = require('node:worker_threads');
const { CACHE } = require('./bundle.cjs');
const { optimiseLater } = require('./flags.cjs');
const { bundleMain } = require('./main.cjs');

// Its threads run the build as it is.
if (isMainThread) {
  optimiseLater();
  // Node 20 has none.
  enableCompileCache?.(join(CACHE, 'compiled'));
  bundleMain(() => true);
}
