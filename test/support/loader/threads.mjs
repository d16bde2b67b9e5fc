/**
 * Starts the threads of the tests from bundles: plain JavaScript, one file each. With the loaders of the test process,
 * ours and those of tap, each thread would start a second one for their hooks: two render threads would take 1.8 s of
 * processor time instead of 0.4 s.
 */
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import threads, { Worker } from 'node:worker_threads';
import bundle from './bundle.cjs';

const FLAGS = ['--enable-source-maps', '--require', fileURLToPath(new URL('./thread.cjs', import.meta.url))];

class BundledWorker extends Worker {
  constructor(file, { execArgv = FLAGS, ...options } = {}) {
    const isTypeScript = String(file).endsWith('.ts');
    super(isTypeScript ? bundle.bundleOf(fileURLToPath(file)) : file, { ...options, execArgv });
  }
}

threads.Worker = BundledWorker;
syncBuiltinESMExports();
