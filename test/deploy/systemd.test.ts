/** The systemd unit. test/deploy/image.test.ts starts the service with its command. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { readConfig, VARIABLES } from '../../src/config/config.ts';
import { SECRETS as ALL_SECRETS } from '../../src/config/secrets.ts';
import { imageCommand, ROOT, shutdownTimeoutMs } from './dockerfile.ts';
import { credentials, UNIT, unitCommand, unitEnv, valuesOf } from './unit.ts';

/** Those of a collector, a pooler, a replica and ClickHouse are optional. */
const OPTIONAL = ['OTEL_EXPORTER_OTLP_HEADERS', 'LISTEN_DATABASE_URL', 'DATABASE_READ_URL', 'CLICKHOUSE_URL'];
const SECRETS = ALL_SECRETS.filter((name) => !OPTIONAL.includes(name));

const run = promisify(execFile);
const env = unitEnv({ state: '/var/lib', credentials: '/run/credentials/tessera.service' });

/** Exposure score out of 10 by systemd-analyze. A service that uses the network and compiles code cannot reach 0. */
const EXPOSURE_MAX = 2;

t.test('the unit runs the command of the image, with known settings and its secrets', async (t) => {
  t.strictSame(unitCommand.slice(1), imageCommand.slice(1));
  t.strictSame(Object.keys(credentials), SECRETS);
  const { NODE_ENV, DATA_DIR, ...files } = env;
  t.equal(NODE_ENV, 'production');
  t.equal(DATA_DIR, `/var/lib/${valuesOf('StateDirectory')[0]}`);
  t.strictSame(
    files,
    Object.fromEntries(SECRETS.map((name) => [`${name}_FILE`, `/run/credentials/tessera.service/${name}`])),
  );
  const [path = ''] = valuesOf('EnvironmentFile');
  const settings = readFileSync(join(ROOT, 'deploy/systemd', path.replace('/etc/tessera/', '')), 'utf8');
  const given = [...settings.matchAll(/^(\w+)=(.+)$/gm)].map(([, name = '', value = '']) => [name, value]);
  for (const [name = ''] of given)
    t.ok(name in VARIABLES && !SECRETS.some((secret) => secret === name), name);
  const stores = { DATABASE_URL: 'postgres://db/t', REDIS_URL: 'redis://redis' };
  t.match(readConfig({ ...Object.fromEntries(given), DATA_DIR, ...stores }), { trustProxy: 'loopback' });
});

t.test('the unit gives the service time to shut down, and signals only its main process', async (t) => {
  const { shutdownGraceMs } = readConfig({ DATABASE_URL: 'postgres://db/t', REDIS_URL: 'redis://redis' });
  t.ok(Number(valuesOf('TimeoutStopSec')[0]) * 1000 > shutdownGraceMs + shutdownTimeoutMs);
  t.strictSame(valuesOf('KillMode'), ['mixed']);
  t.match(valuesOf('ExecReload'), [/-HUP \$MAINPID/]);
  // A single process exits with 0 on SIGHUP. A service that `systemctl stop` ended is not restarted.
  t.strictSame(valuesOf('Restart'), ['always']);
});

t.test('the unit is sandboxed, and systemd (if installed) gives it a low exposure score', async (t) => {
  const bounds = {
    DynamicUser: 'yes',
    CapabilityBoundingSet: '',
    ProtectSystem: 'strict',
    NoNewPrivileges: 'yes',
  };
  for (const [name, value] of Object.entries(bounds)) t.strictSame(valuesOf(name), [value], name);
  if (!existsSync('/usr/bin/systemd-analyze')) {
    t.comment('systemd is not installed, so the unit was not checked with it');
    return;
  }
  // systemd checks that the command and the documentation exist.
  const text = readFileSync(UNIT, 'utf8')
    .replace('/usr/bin/node', process.execPath)
    .replace('file:///opt/tessera/docs/operations/systemd.md', 'man:node(1)');
  const unit = join(t.testdir({ 'tessera.service': text }), 'tessera.service');
  const { stderr } = await run('systemd-analyze', ['verify', '--man=no', unit]);
  t.notMatch(stderr, 'tessera.service');
  const { stdout } = await run('systemd-analyze', ['security', '--offline=yes', '--no-pager', unit]);
  const [, exposure = ''] = /exposure level for tessera\.service: ([\d.]+)/.exec(stdout)!;
  t.comment(`exposure ${exposure}`);
  t.ok(Number(exposure) <= EXPOSURE_MAX, exposure);
});
