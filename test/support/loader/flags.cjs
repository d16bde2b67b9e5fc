/** Makes V8 optimise only functions that run often, because most of the code of a test runs only a few times. */
const { setFlagsFromString } = require('node:v8');

/** Flags by the major version of Node. Functions are optimised after running four times as often as by default. */
const OPTIMISE_LATER = {
  20: ['--interrupt-budget=500000'],
  24: ['--invocation-count-for-maglev=1600', '--invocation-count-for-turbofan=12000'],
};
const [major] = process.versions.node.split('.');

exports.optimiseLater = () => {
  for (const flag of OPTIMISE_LATER[major] ?? []) setFlagsFromString(flag);
};
