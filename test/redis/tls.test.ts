/** Encrypted connections to Redis: a server and a Sentinel group that accept only TLS. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { freePort, startServerProcess } from '../servers/server-process.ts';
import { until } from '../servers/until.ts';
import { startGatewayWithKey } from '../support/app/gateway-with-key.ts';

const PASSWORD = 'secret';

const folder = await mkdtemp(join(tmpdir(), 'tessera-redis-tls-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const certificate = join(folder, 'certificate.pem');
const key = join(folder, 'key.pem');
const KIND = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
const NAME = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
execFileSync('openssl', ['req', ...KIND, ...NAME, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
const ca = await readFile(certificate, 'utf8');

/** Starts a Redis with these settings that accepts only TLS. Returns its port and a client. */
const startTls = async (t: Test, settings: readonly string[], flags: readonly string[] = []) => {
  const port = await freePort();
  const all = [
    'port 0',
    `tls-port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `tls-cert-file ${certificate}`,
    `tls-key-file ${key}`,
    `tls-ca-cert-file ${certificate}`,
    'tls-auth-clients no',
    'tls-replication yes',
    ...settings,
  ];
  const file = join(folder, `${port}.conf`);
  await writeFile(file, `${all.join('\n')}\n`);
  const isSentinel = flags.includes('--sentinel');
  const client = new Redis(port, {
    lazyConnect: true,
    retryStrategy: () => 100,
    tls: { ca },
    ...(isSentinel ? {} : { password: PASSWORD }),
  });
  client.on('error', () => {});
  const server = await startServerProcess('redis-server', [file, ...flags], {
    logFile: join(folder, `${port}.log`),
    user: null,
    probe: () => client.call('PING'),
  });
  t.teardown(async () => {
    client.disconnect();
    await server.stop();
  });
  return { port, client };
};

/** Makes a code with a gateway on this Redis, and checks that its unit was counted in Redis. */
const makeCode = async (t: Test, redisUrl: string, redis: Redis): Promise<void> => {
  const gateway = await startGatewayWithKey(t, { REDIS_URL: redisUrl, NODE_EXTRA_CA_CERTS: certificate });
  const made = await fetch(`${gateway.url}/api/v1/qr`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: '{"data":"over TLS"}',
  });
  await made.text();
  t.equal(made.status, 200);
  t.not(await redis.dbsize(), 0, 'the ledger is in Redis');
};

t.test('a gateway connects to a Redis server over TLS', async (t) => {
  const { port, client } = await startTls(t, ['save ""', `requirepass ${PASSWORD}`]);
  await makeCode(t, `rediss://:${PASSWORD}@127.0.0.1:${port}`, client);
});

t.test('a gateway connects to a Sentinel group and its master over TLS', async (t) => {
  const { port: masterPort, client } = await startTls(t, ['save ""', `requirepass ${PASSWORD}`]);
  const { port, client: sentinel } = await startTls(
    t,
    [`sentinel monitor main 127.0.0.1 ${masterPort} 1`, `sentinel auth-pass main ${PASSWORD}`],
    ['--sentinel'],
  );
  await until(async () => String(await sentinel.call('SENTINEL', 'MASTERS')).includes(',master,'));
  await makeCode(t, `rediss+sentinel://:${PASSWORD}@127.0.0.1:${port}/main`, client);
});
