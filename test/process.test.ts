/** The gateway process from outside: starts, the greeting of the first start, signals, kills, the log. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { slowItems } from './faults/stack.ts';
import { oddRequests } from './hostile/odd-requests.ts';
import { operationsOf } from './hostile/operations.ts';
import { sendBytes } from './hostile/wire.ts';
import {
  demoKeyIn,
  type GatewayProcess,
  launchGateway,
  runGateway,
  SERVER,
  signalGroup,
  startGateway,
} from './servers/gateway-process.ts';
import { freePort } from './servers/server-process.ts';
import { temporaryFolder } from './servers/temporary-folder.ts';
import { until } from './servers/until.ts';
import { startGatewayWithKey } from './support/app/gateway-with-key.ts';
import { PHONE_BROWSER } from './support/browser/phone-browser.ts';
import { casesOf } from './support/cases.ts';
import { embeddedFolder, realDatabaseUrl } from './support/database/database.ts';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const post = (url: string, token: string, body: unknown) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

t.test('the first start', async (t) => {
  const dataDir = await temporaryFolder(t);
  const gateway = await startGateway(t, { DATA_DIR: dataDir });
  const output = gateway.output();
  const key = await demoKeyIn(dataDir);

  t.test('prints what it waits for, the file of the key and a curl command for each endpoint', async (t) => {
    t.match(output, `Opening the embedded database in ${dataDir}`);
    for (const path of ['/api/v1/qr', '/api/v1/qr/bulk', '/api/v1/render']) {
      t.match(output, `${gateway.url}${path}`);
    }
    const answer = await post(`${gateway.url}/api/v1/qr`, key, { data: 'x' });
    t.equal(answer.status, 200);
  });

  t.test('logs JSON lines, including messages for people, when there is no terminal', (t) => {
    const lines = output.split('\n').slice(0, -1);
    for (const line of lines) t.match(JSON.parse(line), { level: Number, time: Number, msg: String });
    t.ok(lines.length > 2);
    t.end();
  });

  t.test('keeps the key out of the log, in a file that only its owner can read', async (t) => {
    t.notMatch(output, /tsr_[0-9A-Za-z]{6}/);
    t.match(output, `export TESSERA_KEY=$(cat ${join(dataDir, 'demo-key')})`);
    t.equal((await stat(join(dataDir, 'demo-key'))).mode & 0o777, 0o600);
  });

  t.test('keeps the admin token in a file that only its owner can read', async (t) => {
    const path = join(dataDir, 'admin-token');
    t.equal((await stat(path)).mode & 0o777, 0o600);
    const token = (await readFile(path, 'utf8')).trim();
    const accounts = await fetch(`${gateway.url}/admin/v1/accounts`, {
      headers: { authorization: `Bearer ${token}` },
    });
    t.match(await accounts.json(), { data: [{ name: 'demo', plan: 'pro' }], next_cursor: null });
  });

  t.test('refuses a second gateway on the same folder with one line', async (t) => {
    const { code, output } = await runGateway(t, { DATA_DIR: dataDir });
    t.equal(code, 1);
    const complaint = output.split('\n').filter((line) => line.startsWith('Tessera cannot start'));
    t.equal(complaint.length, 1, output);
    t.match(complaint[0], dataDir);
  });

  t.test('exits with 0 on SIGTERM, and the next start makes no key', async (t) => {
    gateway.process.kill('SIGTERM');
    t.equal(await gateway.ended, 0);
    const again = await startGateway(t, { DATA_DIR: dataDir });
    t.notMatch(again.output(), /TESSERA_KEY/);
    t.equal((await post(`${again.url}/api/v1/qr`, key, { data: 'x' })).status, 200);
  });
});

t.test('on a terminal the first start prints the key and writes no file', async (t) => {
  const dataDir = await embeddedFolder(t);
  // `script` of util-linux gives the process a terminal.
  const command = [
    'script',
    '--quiet',
    '--command',
    `${process.execPath} --liftoff-only ${SERVER}`,
    '/dev/null',
  ] as const;
  const gateway = await launchGateway(t, { DATA_DIR: dataDir }, { command });
  await until(() => gateway.output().includes('Tessera is ready'), { pauseMs: 50, deadlineMs: 120_000 });
  const key = /tsr_[0-9A-Za-z]{38}/.exec(gateway.output())?.[0] ?? '';
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(gateway.output()) ?? [];
  t.match(gateway.output(), `-H "Authorization: Bearer ${key}"`);
  t.equal((await post(`${url}/api/v1/qr`, key, { data: 'x' })).status, 200);
  t.notOk((await readdir(dataDir)).includes('demo-key'));

  // Killing `script` takes the terminal away.
  const pid = Number(/"pid":(\d+)/.exec(gateway.output())?.[1]);
  t.ok(isRunning(pid));
  gateway.process.kill('SIGKILL');
  await until(() => !isRunning(pid), { pauseMs: 50, deadlineMs: 60_000 });
});

t.test('a gateway whose log cannot be written serves, and ends in order', async (t) => {
  const env = { DATABASE_URL: await realDatabaseUrl() };
  const command = ['sh', '-c', `exec ${process.execPath} ${SERVER} > /dev/full`] as const;
  const port = String(await freePort());
  const gateway = await launchGateway(t, { ...env, PORT: port }, { command });
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  await until(
    () =>
      get('/readyz').then(
        ({ ok }) => ok,
        () => false,
      ),
    { pauseMs: 50, deadlineMs: 120_000 },
  );
  for (let n = 0; n < 20; n += 1) t.equal((await get('/nowhere')).status, 404);
  gateway.process.kill('SIGTERM');
  t.equal(await gateway.ended, 0);
});

t.test('an invalid environment stops the start with a line for each fault', async (t) => {
  const { code, output } = await runGateway(t, { PORT: '99999', RENDER_THREADS: 'many', LOG_LEVEL: 'loud' });
  t.equal(code, 1);
  const lines = output.trim().split('\n');
  t.equal(lines.length, 3, output);
  for (const name of ['PORT', 'RENDER_THREADS', 'LOG_LEVEL']) {
    t.ok(
      lines.some((line) => line.startsWith(`${name}: must be `) && line.includes(`for example ${name}=`)),
      name,
    );
  }
});

t.test('a database that does not answer stops the start with one line', async (t) => {
  const { code, output } = await runGateway(t, { DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' });
  t.equal(code, 1);
  const lines = output
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{'));
  t.equal(lines.length, 1, output);
  t.notMatch(output, 'secret');
});

/** Sends a bulk call that takes a second or more to draw; resolves when it has begun. */
const beginBatch = async ({ url, key }: GatewayProcess & { readonly key: string }) => {
  const body = { items: slowItems(20, 1000) };
  const sent = post(`${url}/api/v1/qr/bulk`, key, body);
  await sleep(150);
  return {
    async successful(): Promise<number> {
      const answer = await sent;
      const { meta } = (await answer.json()) as { meta: { successful: number } };
      return answer.status === 200 ? meta.successful : 0;
    },
  };
};

t.test('a bulk call in progress is answered completely after SIGTERM', async (t) => {
  const gateway = await startGatewayWithKey(t);
  const batch = await beginBatch(gateway);
  gateway.process.kill('SIGTERM');
  t.equal(await batch.successful(), 20);
  t.equal(await gateway.ended, 0);
});

t.test('a bulk call in progress is answered completely after two SIGINTs at once', async (t) => {
  const gateway = await startGatewayWithKey(t, {}, { detached: true });
  const batch = await beginBatch(gateway);
  signalGroup(gateway.process, 'SIGINT');
  await sleep(20);
  signalGroup(gateway.process, 'SIGINT');
  t.equal(await batch.successful(), 20);
  t.equal(await gateway.ended, 0);
});

t.test('a bulk call in progress is answered after Ctrl-C under npm, which signals twice', async (t) => {
  const cwd = await temporaryFolder(t);
  // The unbundled build; other tests run it from a bundle.
  const start = ['exec', process.execPath, '--enable-source-maps', SERVER].join(' ');
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ name: 'x', scripts: { start } }));
  const options = { command: ['npm', 'start'] as const, cwd, detached: true };
  const gateway = await startGatewayWithKey(t, { LOG_LEVEL: 'info' }, options);
  const batch = await beginBatch(gateway);
  signalGroup(gateway.process, 'SIGINT');
  t.equal(await batch.successful(), 20);
  await gateway.ended;
});

t.test('a second signal after some seconds ends the process immediately', async (t) => {
  const env = { DATABASE_URL: await realDatabaseUrl(), SHUTDOWN_GRACE_MS: '60000' };
  const gateway = await startGateway(t, env);
  gateway.process.kill('SIGINT');
  await sleep(500);
  gateway.process.kill('SIGINT');
  await sleep(2500);
  t.equal((await fetch(`${gateway.url}/healthz`)).status, 200, 'an immediate second signal does not');
  gateway.process.kill('SIGINT');
  t.equal(await gateway.ended, 'SIGINT');
});

t.test('everything older than a second survives kill -9', async (t) => {
  const dataDir = await embeddedFolder(t);
  const gateway = await startGateway(t, { DATA_DIR: dataDir, PUBLIC_URL: 'http://qr.test' });
  const key = await demoKeyIn(dataDir);
  const items = [{ data: 'https://example.com/kept', dynamic: true }, { data: 'x' }];
  const batch = await post(`${gateway.url}/api/v1/qr/bulk`, key, { items, folderName: 'Kept' });
  const { results, meta } = (await batch.json()) as {
    results: { slug: string }[];
    meta: { folder_id: string; usage_count: number };
  };
  const { slug } = results[0]!;
  const scans = await Promise.all(
    Array.from({ length: 50 }, () =>
      fetch(`${gateway.url}/l/${slug}`, { redirect: 'manual', headers: { 'user-agent': PHONE_BROWSER } }),
    ),
  );
  t.ok(scans.every(({ status }) => status === 302));
  await sleep(1000);
  gateway.process.kill('SIGKILL');
  await gateway.ended;

  const again = await startGateway(t, { DATA_DIR: dataDir, PUBLIC_URL: 'http://qr.test' });
  const link = await fetch(`${again.url}/api/v1/links/${slug}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  t.match(await link.json(), { destination: 'https://example.com/kept', scan_count: scans.length });
  const redirect = await fetch(`${again.url}/l/${slug}`, { redirect: 'manual' });
  t.equal(redirect.headers.get('location'), 'https://example.com/kept');
  const next = await post(`${again.url}/api/v1/qr/bulk`, key, { items: [{ data: 'y' }], folderName: 'Kept' });
  const kept = ((await next.json()) as { meta: typeof meta }).meta;
  t.equal(kept.folder_id, meta.folder_id);
  t.equal(kept.usage_count, meta.usage_count + 1);
});

t.test('malformed requests never get a 5xx, and no key appears in the log at level trace', async (t) => {
  const gateway = await startGatewayWithKey(t, { LOG_LEVEL: 'trace', RATE_LIMIT_PER_SECOND: '0' });
  const { url, key } = gateway;
  const here = { host: '127.0.0.1', port: Number(new URL(url).port) };
  const operations = operationsOf(await (await fetch(`${url}/docs/json`)).json());
  const odd = oddRequests(operations, { key, adminToken: null, cookie: null, ids: [] });
  let sent = 0;
  for (const { bytes, isWhole } of fc.sample(odd, { numRuns: casesOf(25) }).flat()) {
    const { status, hangs } = await sendBytes(here, bytes, isWhole);
    const isFault = hangs || (status !== null && status >= 500 && status !== 503);
    if (isFault) t.fail(`${status}: ${bytes.toString('latin1').slice(0, 1500)}`);
    sent += 1;
  }
  for (const path of ['/api/v1/render?content=x&key=', '/l/x?key=', '/nowhere?key=', '/l/'])
    await fetch(url + path + key, { redirect: 'manual' });
  t.equal((await post(`${url}/api/v1/qr`, key, { data: 'x', image: key })).status, 400);
  t.equal((await post(`${url}/api/v1/qr`, key, { data: 'x' })).status, 200, 'the process is running');
  t.ok(gateway.output().split('\n').length > sent / 4, 'the log was written');
  t.notMatch(gateway.output(), /tsr_[0-9A-Za-z]{6}/);
});
