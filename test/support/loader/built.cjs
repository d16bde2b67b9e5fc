/** Starts a program of the build in half the processor time: from a bundle, and hardly optimised. */
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');
const { isMainThread } = require('node:worker_threads');
const { CACHE } = require('./bundle.cjs');
const { optimiseLater } = require('./flags.cjs');
const { bundleMain } = require('./main.cjs');

// Its threads run the unbundled build.
if (isMainThread) {
  optimiseLater();
  // Node 20 does not have it.
  enableCompileCache?.(join(CACHE, 'compiled'));
  bundleMain(() => true);
}
