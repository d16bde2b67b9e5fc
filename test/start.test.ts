/** Errors that stop a start are reported immediately in one line, and the key of a first start is always printed. */
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readConfig } from '../src/config/config.ts';
import { createBodyBudget } from '../src/http/bodies/body-budget.ts';
import { createGateway } from '../src/http/gateway.ts';
import { createLogger } from '../src/http/log.ts';
import { createFreeWork } from '../src/limits/free-work.ts';
import { createMeter } from '../src/limits/meter.ts';
import { createRequestMeter } from '../src/metrics/requests.ts';
import { checkAddress, checkDataDir } from '../src/process/start.ts';
import { demoKeyIn, launchGateway, runGateway, startGateway } from './servers/gateway-process.ts';
import { freePort } from './servers/server-process.ts';
import { temporaryFolder } from './servers/temporary-folder.ts';
import { until } from './servers/until.ts';
import { embeddedFolder, realDatabaseUrl } from './support/database/database.ts';

t.setTimeout(600_000);

const takePort = async (t: Test, port = 0): Promise<number> => {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return (server.address() as { port: number }).port;
};

/** The error line of a failed start. */
const isOneLine = (t: Test, { code, output }: { code: number | string; output: string }, line: RegExp) => {
  t.equal(code, 1);
  t.equal(output.trim().split('\n').length, 1, output);
  t.match(output, line);
};

const statusWith = async (url: string, key: string): Promise<number> => {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${url}/api/v1/usage`, { headers })).status;
};

t.test('a port in use is reported before anything is created', async (t) => {
  const PORT = String(await takePort(t));
  const dataDir = await temporaryFolder(t);
  const refused = await runGateway(t, { PORT, DATA_DIR: dataDir });
  isOneLine(t, refused, new RegExp(`^PORT: .* port ${PORT} of 127\\.0\\.0\\.1; .* example PORT=3000\n$`));
  t.strictSame(await readdir(dataDir), []);
});

t.test('a port that is taken while the database is being opened does not lose the demo key', async (t) => {
  const dataDir = await embeddedFolder(t);
  const port = await freePort();
  const refused = await launchGateway(t, { PORT: String(port), DATA_DIR: dataDir });
  await until(() => refused.output().includes('Opening the embedded database'), {
    pauseMs: 5,
    deadlineMs: 60_000,
  });
  await takePort(t, port);
  t.equal(await refused.ended, 1);
  t.match(refused.output(), new RegExp(`^PORT: .* port ${port} `, 'm'));
  t.notOk((await readdir(dataDir)).includes('demo-key'));

  const gateway = await startGateway(t, { DATA_DIR: dataDir });
  t.equal(await statusWith(gateway.url, await demoKeyIn(dataDir)), 200, 'the next start prints a valid key');
});

t.test('after a first start is killed while announcing the key, exactly one key works', async (t) => {
  const dataDir = await embeddedFolder(t);
  const first = await launchGateway(t, { DATA_DIR: dataDir });
  const toldKey = () => demoKeyIn(dataDir).catch(() => '');
  await until(async () => (await toldKey()) !== '', { pauseMs: 1, deadlineMs: 60_000 });
  first.process.kill('SIGKILL');
  await first.ended;
  const toldFirst = await toldKey();
  const second = await startGateway(t, { DATA_DIR: dataDir });
  const told = [toldFirst, await toldKey()];
  const statuses = await Promise.all([...new Set(told)].map((key) => statusWith(second.url, key)));
  t.equal(statuses.filter((status) => status === 200).length, 1);
});

t.test('on an external database no account is created, and the start says how to create one', async (t) => {
  const ADMIN_TOKEN = 'a-token-for-the-first-start';
  const DATABASE_URL = await realDatabaseUrl();
  const gateway = await startGateway(t, { DATABASE_URL, ADMIN_TOKEN, LOG_LEVEL: 'warn' });
  t.notMatch(gateway.output(), /TESSERA_KEY/);
  t.match(gateway.output(), `There is no account yet. Make one`);
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
  const accounts = `${gateway.url}/admin/v1/accounts`;
  t.match(await (await fetch(accounts, { headers })).json(), { data: [] });

  const withoutToken = await startGateway(t, { DATABASE_URL });
  t.match(withoutToken.output(), /none can be made without ADMIN_TOKEN/);
  await fetch(accounts, { method: 'POST', headers, body: JSON.stringify({ name: 'first', plan: 'pro' }) });
  const later = await startGateway(t, { DATABASE_URL });
  t.notMatch(later.output(), /no account/);
});

t.test('a HOST that is not an address of this machine is reported with its variable', async (t) => {
  await t.rejects(checkAddress({ host: '192.0.2.1', port: 0 }), {
    message: /^HOST: 192\.0\.2\.1 is not an addr/,
  });
  isOneLine(t, await runGateway(t, { HOST: '192.0.2.1' }), /^HOST: .*, for example HOST=0\.0\.0\.0\n$/);
});

t.test('a DATA_DIR that can’t be used is reported with its variable', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'file');
  await writeFile(file, '');
  for (const folder of ['/proc/x', '/proc/x/y', '/proc', file, join(file, 'x')])
    await t.rejects(checkDataDir(folder), { message: `DATA_DIR: ${folder} can't be used: ` });
  const line = /^DATA_DIR: \/proc\/x can't be used: .*, for example DATA_DIR=\.\/data\n$/;
  isOneLine(t, await runGateway(t, { DATA_DIR: '/proc/x' }), line);

  t.test('a DATA_DIR that only another user may write to is reported too', async (t) => {
    const locked = await mkdtemp(join(tmpdir(), 'tessera-test-locked-'));
    t.teardown(() => rm(locked, { recursive: true, force: true }));
    await mkdir(join(locked, 'data'), { mode: 0o555 });
    await chmod(locked, 0o755);
    // Root may write anywhere, so the gateway runs as the owner of this tree, who can read it, and the folder belongs
    // to another user.
    const through: string[] = [];
    if (process.getuid?.() === 0) {
      const { uid } = await stat(new URL('.', import.meta.url));
      await chown(join(locked, 'data'), uid + 1, uid + 1);
      through.push('setpriv', `--reuid=${uid}`, '--clear-groups', '--inh-caps=-all', '--bounding-set=-all');
    }
    const refused = await runGateway(t, { DATA_DIR: join(locked, 'data') }, { through });
    isOneLine(t, refused, /^DATA_DIR: .*: this user may not write there, for example DATA_DIR=\.\/data\n$/);
  });

  t.test('a DATA_DIR that does not exist yet is created', async (t) => {
    const made = join(folder, 'a', 'b');
    await checkDataDir(made);
    t.strictSame(await readdir(made), []);
  });
});

t.test('without a demo account the first start says how to create an account', async (t) => {
  const dataDir = await embeddedFolder(t);
  const gateway = await startGateway(t, { DATA_DIR: dataDir, DEMO_ACCOUNT: 'false' });
  t.notMatch(gateway.output(), /TESSERA_KEY/);
  t.match(gateway.output(), `export ADMIN_TOKEN=$(cat ${join(dataDir, 'admin-token')})`);
  const headers = { authorization: `Bearer ${await readFile(join(dataDir, 'admin-token'), 'utf8')}` };
  const accounts = await fetch(`${gateway.url}/admin/v1/accounts`, { headers });
  t.match(await accounts.json(), { data: [] });
});

t.test('TRUST_PROXY accepts the values that Fastify accepts, and others are reported', async (t) => {
  const log = createLogger('silent');
  const gatewayWith = (TRUST_PROXY: string) =>
    createGateway(readConfig({ TRUST_PROXY }), log, {
      requests: createRequestMeter(),
      bodies: createBodyBudget(1024),
      meter: createMeter(createFreeWork(0), 1, () => 0),
      tracer: null,
      isImageSource: () => true,
      isLeaving: () => false,
      refusesWhenClosing: () => true,
      findDomain: () => undefined,
    });
  const right =
    'true|false|loopback|loopback, linklocal,uniquelocal|10.0.0.1|10.0.0.0/8, 192.168.0.0/16|::1|fd00::/8,2001:db8::1';
  for (const value of right.split('|')) t.ok(gatewayWith(value), value);
  isOneLine(
    t,
    await runGateway(t, { TRUST_PROXY: 'yes' }),
    /^TRUST_PROXY: must be .*; "yes" is none of these, for example TRUST_PROXY=loopback,10\.0\.0\.0\/8\n$/,
  );
});

t.test('an unusable REDIS_URL is reported with its variable', async (t) => {
  const right = 'redis://h rediss://:secret@h:1/2 redis+sentinel://a,b/main redis+cluster://a:1,b';
  for (const value of right.split(' ')) t.equal(readConfig({ REDIS_URL: value }).redisUrl, value);
  const wrong =
    'http://h|redis://h/x|redis://a,b|redis+sentinel://a|redis+cluster://a/1|redis://%@h|redis://a b|redis://a b@h';
  for (const value of wrong.split('|'))
    t.throws(() => readConfig({ REDIS_URL: value }), /^REDIS_URL: must/, value);
});

t.test('an invalid environment is reported before the app is loaded', async (t) => {
  const server = await readFile(new URL('../src/server.ts', import.meta.url), 'utf8');
  const [before = '', after = ''] = server.split("await import('./app.ts')");
  t.notMatch(before + after, /from '\.\/app\.ts'/);
  for (const check of ['await checkAddress(', 'await checkDataDir(']) t.match(before, check);
});
