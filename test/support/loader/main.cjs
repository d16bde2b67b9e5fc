/** Runs the main module of a process from its bundle. */
const Module = require('node:module');
const { pathToFileURL } = require('node:url');
const { bundleOf } = require('./bundle.cjs');

/** Node's exit code for an unsettled top-level await in the main module. */
const UNSETTLED = 13;

const run = async (main) => {
  const onExit = () => {
    process.exitCode ??= UNSETTLED;
  };
  process.on('exit', onExit);
  await import(pathToFileURL(bundleOf('module', main)).href);
  process.off('exit', onExit);
};

/**
 * Call it before the main module runs: with `--require`. `--import` then has no effect on a main module for which
 * `isBundled` returns true.
 */
exports.bundleMain = (isBundled) => {
  const { runMain } = Module;
  Module.runMain = (main = process.argv[1]) => (isBundled(main) ? run(main) : runMain(main));
};
