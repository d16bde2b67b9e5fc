/** Runs once before all tests: installs the servers and the browser they need where it may, and prepares the databases. */
import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium } from './chromium.ts';
import { findNginx } from './nginx.ts';
import { findPostgres } from './postgres.ts';
import { hasPromtool } from './promtool.ts';
import { hasRedis } from './redis.ts';
import { prepareTemplates, removeLeftovers } from './templates.ts';

const SERVERS = [
  { name: 'redis-server', variable: 'TEST_REDIS_URL', isThere: hasRedis },
  { name: 'chromium', variable: 'CHROMIUM', isThere: () => findChromium() !== null },
  { name: 'nginx-light', variable: 'NGINX', isThere: () => findNginx() !== null },
  { name: 'postgresql', variable: 'TEST_DATABASE_URL', isThere: () => findPostgres() !== null },
  // No package has promtool alone.
  { name: 'prometheus', variable: 'PROMTOOL', isThere: hasPromtool },
];

const missing = () => SERVERS.filter(({ variable, isThere }) => !process.env[variable] && !isThere());

const install = (packages: readonly string[]): void => {
  console.error(`installing ${packages.join(' and ')} for the tests`);
  // RUNLEVEL=1 keeps Debian from starting what it installs.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const options: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'], env };
  execFileSync('apt-get', ['update', '-qq'], options);
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
};

const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
if (mayInstall && missing().length > 0) install(missing().map(({ name }) => name));

if (missing().length > 0) {
  const wanted = missing().map(({ name, variable }) => `${name} (or set ${variable})`);
  console.error(`The tests need ${wanted.join(' and ')} on this machine.`);
  process.exit(1);
}
await removeLeftovers();
await prepareTemplates();
