/** Runs first in the threads of the tests: the module that Piscina requires there may be TypeScript. */
const { bundleOf } = require('./bundle.cjs');

require.extensions['.ts'] = (module, file) => {
  module.exports = require(bundleOf('thread', file));
};
