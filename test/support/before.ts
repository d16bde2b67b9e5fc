/**
 * Runs once before all tests: installs the servers and the browser that they need, and prepares the databases. It
 * installs packages only as root on a Debian-like system, announces it, and never does so with `TEST_INSTALL=0`. The
 * run ends when something is still missing, so no test is skipped.
 */
import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findPostgres } from '../servers/postgres/postgres.ts';
import { findProgram } from '../servers/server-process.ts';
import { findChromium } from './browser/chromium.ts';
import { prepareTemplates, removeLeftovers } from './database/templates.ts';
import { findPython } from './python.ts';

if (!existsSync(new URL('../../dist/src/server.js', import.meta.url))) {
  console.error(
    'The tests start gateways from the build: run npm run build:unchecked first. Nothing was run.',
  );
  process.exit(1);
}

/** `npm test` leaves out what needs more than Redis, Postgres and curl: see `groups/groups.mjs`. */
const isShort = process.env.TEST_SHORT === '1';

const runs = (program: string): boolean => findProgram(program) !== null;

const SERVERS = [
  { name: 'redis-server', variable: 'TEST_REDIS_URL', isThere: () => runs('redis-server') },
  { name: 'postgresql', variable: 'TEST_DATABASE_URL', isThere: () => findPostgres() !== null },
  { name: 'curl', variable: 'CURL', isThere: () => runs('curl') },
];

const PROGRAMS = [
  { name: 'chromium-headless-shell', variable: 'CHROMIUM', isThere: () => findChromium() !== null },
  { name: 'nginx-light', variable: 'NGINX', isThere: () => runs('nginx') },
  { name: 'caddy', variable: 'CADDY', isThere: () => runs('caddy') },
  { name: 'haproxy', variable: 'HAPROXY', isThere: () => runs('haproxy') },
  { name: 'pgbouncer', variable: 'PGBOUNCER', isThere: () => runs('pgbouncer') },
  // Programs that check files for print.
  { name: 'ghostscript', variable: 'GHOSTSCRIPT', isThere: () => runs('gs') },
  { name: 'poppler-utils', variable: 'POPPLER', isThere: () => runs('pdftoppm') },
  { name: 'qpdf', variable: 'QPDF', isThere: () => runs('qpdf') },
  { name: 'python3', variable: 'PYTHON3', isThere: () => runs('python3') },
  // For packing, installing and checking the Python client.
  ...['python3-build', 'python3-venv', 'python3-setuptools', 'python3-wheel'].map((name) => ({
    ...{ name, variable: 'PYTHON_TOOLS' },
    isThere: () => findPython() !== null,
  })),
  { name: 'mypy', variable: 'MYPY', isThere: () => runs('mypy') },
  { name: 'wrk', variable: 'WRK', isThere: () => runs('wrk') },
  // No package contains only promtool.
  { name: 'prometheus', variable: 'PROMTOOL', isThere: () => runs('promtool') },
];

const NEEDED = isShort ? SERVERS : [...SERVERS, ...PROGRAMS];

const missing = () => NEEDED.filter(({ variable, isThere }) => !process.env[variable] && !isThere());

const install = (packages: readonly string[]): void => {
  console.error(
    `The tests install system packages: apt-get install ${packages.join(' ')}. TEST_INSTALL=0 forbids it.`,
  );
  // RUNLEVEL=1 keeps Debian from starting installed services.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const options: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'], env };
  execFileSync('apt-get', ['update', '-qq'], options);
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
};

const mayInstall =
  process.env.TEST_INSTALL !== '0' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
if (mayInstall && missing().length > 0) install(missing().map(({ name }) => name));

if (missing().length > 0) {
  const wanted = missing().map(({ name, variable }) => `${name} (or set ${variable})`);
  console.error(`The tests need ${wanted.join(', ')} on this machine. Nothing was run.`);
  process.exit(1);
}
await removeLeftovers();
await prepareTemplates();
