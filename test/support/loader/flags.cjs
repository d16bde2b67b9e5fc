/** Lets V8 optimise only functions that run often: most of the code of a test runs a few times. */
const { setFlagsFromString } = require('node:v8');

/** Functions are optimised when they have run four times as often as by default. Flags, by the major version of Node. */
const OPTIMISE_LATER = {
  20: ['--interrupt-budget=500000'],
  24: ['--invocation-count-for-maglev=1600', '--invocation-count-for-turbofan=12000'],
};
const [major] = process.versions.node.split('.');

exports.optimiseLater = () => {
  for (const flag of OPTIMISE_LATER[major] ?? []) setFlagsFromString(flag);
};
