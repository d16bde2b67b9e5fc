/** Starts the threads of the tests from bundles. */
const { syncBuiltinESMExports } = require('node:module');
const { join } = require('node:path');
const { fileURLToPath } = require('node:url');
const threads = require('node:worker_threads');
const { bundleOf } = require('./bundle.cjs');

/** Without source maps, which a thread would read before it starts and which take a quarter of that processor time. */
const FLAGS = ['--require', join(__dirname, 'thread.cjs')];

class BundledWorker extends threads.Worker {
  constructor(file, { execArgv = FLAGS, ...options } = {}) {
    const isTypeScript = String(file).endsWith('.ts');
    super(isTypeScript ? bundleOf('thread', fileURLToPath(file)) : file, { ...options, execArgv });
  }
}

threads.Worker = BundledWorker;
syncBuiltinESMExports();
