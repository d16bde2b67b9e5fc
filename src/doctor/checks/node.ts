import { type Finding, findingsOf } from '../finding.ts';

const { ok, warn, fail } = findingsOf('node');

const OLDEST = [20, 15] as const;
const NEWEST_MAJOR = 26;

/** Judges a version of Node.js, such as 24.9.0. */
export const checkNode = (version: string): Finding => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  if (isOld) return fail(`Node.js ${version} is too old: install 24.`);
  if (major > NEWEST_MAJOR) return warn(`Node.js ${version} is newer than the tested versions: install 24.`);
  return ok(`Node.js ${version}.`);
};
