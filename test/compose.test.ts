/** The compose file agrees with the code, and its deployment works, here as processes on this machine. */
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import { databaseConnectionsOf, readConfig, VARIABLES } from '../src/config/config.ts';
import { imageEnv, migrationTimeoutMs, ROOT, shutdownTimeoutMs } from './deploy/dockerfile.ts';
import { startGateway } from './servers/gateway-process.ts';
import { startBalancer } from './servers/proxies/balancer.ts';
import { makeCertificate, startHaproxy } from './servers/proxies/haproxy.ts';
import { startRedis } from './servers/redis.ts';
import { until } from './servers/until.ts';
import type { AnswerBody } from './support/app/answer-body.ts';
import { realDatabaseUrl } from './support/database/database.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

type Environment = Readonly<Record<string, string>>;

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Environment;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly logging?: { driver: string; options: Readonly<Record<string, string>> };
  readonly configs?: readonly { source: string; target: string }[];
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly healthcheck?: {
    test: readonly string[];
    interval: string;
    timeout: string;
    start_period?: string;
    retries: number;
  };
  readonly stop_grace_period?: string;
  readonly restart?: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly privileged?: boolean;
  readonly security_opt?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly mem_limit?: string;
}

interface Compose {
  readonly services: Readonly<Record<'balancer' | 'gateway' | 'redis' | 'postgres', Service>>;
  readonly configs: Readonly<Record<string, { content: string }>>;
  readonly secrets: Readonly<Record<string, { file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** Interpolates variables as Compose does: `${NAME}`, `${NAME:-default}` and `${NAME:?message}`, also nested. */
const fillIn = (text: string, env: Environment): string => {
  const innermost = /\$\{(\w+)(?::([-?])([^{}]*))?\}/;
  let filled = text;
  for (let found = innermost.exec(filled); found !== null; found = innermost.exec(filled)) {
    const [whole, name = '', kind, rest = ''] = found;
    const value = env[name] || (kind === '-' ? rest : '');
    if (kind === '?' && value === '') throw new Error(`${name}: ${rest}`);
    filled = filled.replace(whole, () => value);
  }
  return filled;
};

const SECRETS = {
  ADMIN_TOKEN: 'an-admin-token-for-compose',
  POSTGRES_PASSWORD: 'secret4postgres',
  REDIS_PASSWORD: 'secret4redis',
};
/** Compose takes a variable without a value from the shell, or leaves it out when it is not set there. */
const passOn = (written: Readonly<Record<string, string | null>>, env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(written).flatMap(([name, value]) => {
      const given = value ?? env[name];
      return given === undefined ? [] : [[name, given]];
    }),
  );
const compose = (env: Environment = SECRETS): Compose =>
  parse(
    read('docker-compose.yml'),
    (key, value: unknown) => {
      if (key === 'environment') return passOn(value as Environment, env);
      return typeof value === 'string' ? fillIn(value, env) : value;
    },
    { merge: true },
  );

/**
 * Variables that the compose file sets itself, or that belong to the embedded database or a server of one's own. All
 * gateways there have one role.
 */
const FIXED =
  'HOST PORT DATA_DIR DATABASE_URL LISTEN_DATABASE_URL DATABASE_READ_URL REDIS_URL ROLE DISK_FREE_MIN_BYTES DEMO_ACCOUNT'.split(
    ' ',
  );
/** Variables that the AWS SDK reads. */
const OF_THE_SDK = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];

/** Connections for people, backups and the superuser. */
const SPARE_CONNECTIONS = 20;

const inSeconds = (duration = '10s'): number => {
  const [, count, unit] = /^(\d+)(s|m)$/.exec(duration)!;
  return Number(count) * (unit === 'm' ? 60 : 1);
};

const CONFINED = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };

/** The argument after `name` in the command of a service. */
const argumentOf = ({ command = [] }: Service, name: string) => command[command.indexOf(name) + 1];

const inBytes = (size = ''): number => {
  const [, count, unit] = /^(\d+)(m|g)b?$/.exec(size)!;
  return Number(count) * 1024 ** (unit === 'm' ? 2 : 3);
};

const { services, configs, volumes } = compose();
const { balancer, gateway, redis, postgres } = services;
const config = readConfig({ ...imageEnv, ...gateway.environment });

t.test('the compose file', async (t) => {
  t.test('refuses to start without its secrets, and says how to make them', async (t) => {
    for (const name of ['ADMIN_TOKEN', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD'] as const) {
      t.throws(() => compose({ ...SECRETS, [name]: '' }), {
        message: new RegExp(`^${name}: set it to .*openssl rand`),
      });
    }
  });

  t.test('sets only variables that gateways read, to valid values', async (t) => {
    const known = [...Object.keys(VARIABLES), ...OF_THE_SDK, 'NODE_ENV', 'PATH'];
    const all = { ...SECRETS, ...Object.fromEntries(known.map((name) => [name, 'x'])) };
    const { environment } = compose(all).services.gateway;
    for (const name of Object.keys({ ...imageEnv, ...environment })) t.ok(known.includes(name), name);
    t.match(config, { host: '0.0.0.0', port: 3000, adminToken: SECRETS.ADMIN_TOKEN });
    t.equal(config.publicUrl, 'http://localhost:3000');
    const another = compose({ ...SECRETS, PORT: '8080', RATE_LIMIT_PER_SECOND: '7' }).services.gateway;
    t.match(readConfig({ ...imageEnv, ...another.environment }), {
      port: 3000,
      publicUrl: 'http://localhost:8080',
      rateLimitPerSecond: 7,
    });
  });

  t.test('passes on every other variable that is set in the shell, and no others', async (t) => {
    const names = [...Object.keys(VARIABLES), ...OF_THE_SDK].filter((name) => !FIXED.includes(name));
    const set = Object.fromEntries(names.map((name) => [name, `${name} of mine`]));
    const { environment } = compose({ ...SECRETS, ...set }).services.gateway;
    for (const [name, value] of Object.entries(set)) t.equal(environment![name], value);
    const unset = Object.keys(gateway.environment!).sort();
    t.strictSame(unset, ['ADMIN_TOKEN', 'DATABASE_URL', 'PUBLIC_URL', 'REDIS_URL', 'TRUST_PROXY']);
  });

  t.test('connects gateways to the stores that it starts', async (t) => {
    const database = new URL(config.databaseUrl!);
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = postgres.environment!;
    t.strictSame(
      [database.hostname, database.port, database.username, database.password, database.pathname],
      ['postgres', '5432', POSTGRES_USER, POSTGRES_PASSWORD, `/${POSTGRES_DB}`],
    );
    t.equal(config.redisUrl, `redis://:${SECRETS.REDIS_PASSWORD}@redis:6379`);
    t.equal(argumentOf(redis, '--requirepass'), SECRETS.REDIS_PASSWORD);
    t.equal(redis.environment?.REDISCLI_AUTH, SECRETS.REDIS_PASSWORD);
    t.equal(config.trustProxy, 'uniquelocal');
  });

  t.test('keeps all data on volumes, and Redis never evicts data', async (t) => {
    t.equal(argumentOf(redis, '--appendonly'), 'yes');
    t.equal(argumentOf(redis, '--appendfsync'), 'everysec');
    t.equal(argumentOf(redis, '--maxmemory-policy'), 'noeviction');
    t.match(redis.image, /^redis:7/);
    t.match(postgres.image, /^postgres:16/);
    t.strictSame(redis.volumes, ['redis-data:/data']);
    t.strictSame(postgres.volumes, ['postgres-data:/var/lib/postgresql/data']);
    t.strictSame(Object.keys(volumes).sort(), ['gateway-data', 'postgres-data', 'redis-data']);
  });

  t.test('lets all gateways share the rows and results of batches', async (t) => {
    t.strictSame(gateway.volumes, [`gateway-data:${config.dataDir}`]);
    t.strictSame(config.batches.store, { folder: '/data/batches' });
  });

  t.test('gives Postgres enough connections for as many gateways as the balancer accepts', async (t) => {
    const [, slots] = /server-template \S+ (\d+)/.exec(configs.balancer!.content)!;
    const most = Number(/max_connections=(\d+)/.exec(postgres.command!.join(' '))![1]);
    t.ok(most >= Number(slots) * (databaseConnectionsOf(1) + 1) + SPARE_CONNECTIONS, `${most} for ${slots}`);
    const old = Number(slots) / 2;
    t.match(
      read('docs/operations/compose.md'),
      `at most ${old} gateways: an upgrade doubles them`,
      'during an upgrade old and new gateways run together',
    );
    const fewer = compose({ ...SECRETS, POSTGRES_CONNECTIONS: '600' }).services.postgres;
    t.ok(fewer.command!.includes('max_connections=600'));
  });

  t.test('bounds the log of every service', async (t) => {
    for (const [name, { logging }] of Object.entries(services)) {
      t.equal(logging?.driver, 'json-file', name);
      t.ok(
        inBytes(logging!.options['max-size']) * Number(logging!.options['max-file']) <= 512 * 1024 ** 2,
        name,
      );
    }
  });

  t.test('confines every container: no extra capabilities, a read-only root, a memory limit', async (t) => {
    for (const [name, service] of Object.entries(services)) {
      const { read_only, cap_drop, cap_add, security_opt, privileged, tmpfs, user, mem_limit } = service;
      t.match({ read_only, cap_drop, security_opt }, CONFINED, name);
      t.ok(cap_add === undefined && privileged === undefined, name);
      t.ok(tmpfs!.includes('/tmp'), name);
      t.ok(inBytes(mem_limit) >= 256 * 1024 ** 2, name);
      t.ok(name === 'gateway' || (user !== undefined && user !== 'root'), `${name} is not started as root`);
    }
    const maxMemory = argumentOf(redis, '--maxmemory');
    t.ok(inBytes(redis.mem_limit) >= 2 * inBytes(maxMemory), 'there is memory to rewrite the log of Redis');
    t.ok(inBytes(gateway.mem_limit) > 2 * config.bodiesInFlightMaxBytes);
  });

  t.test('pins every image to an exact version and digest', async (t) => {
    const images = Object.values(services).flatMap(({ image = [] }) => image);
    t.equal(images.length, 3);
    for (const image of images) {
      t.match(image, /^[a-z]+:\d+\.\d+(\.\d+)?(-[a-z-]+)?@sha256:[0-9a-f]{64}$/);
    }
  });

  t.test('has a health check for every service, and starts each after those that it needs', async (t) => {
    for (const [name, { healthcheck, restart, depends_on = {} }] of Object.entries(services)) {
      t.equal(healthcheck?.test[0], 'CMD', name);
      t.ok(inSeconds(healthcheck?.interval) <= 10 && healthcheck!.retries > 0, name);
      t.equal(restart, 'unless-stopped', name);
      for (const { condition } of Object.values(depends_on)) t.equal(condition, 'service_healthy', name);
    }
    t.strictSame(Object.keys(gateway.depends_on!).sort(), ['postgres', 'redis']);
    t.strictSame(Object.keys(balancer.depends_on!), ['gateway']);
    t.match(gateway.healthcheck!.test.join(' '), `127.0.0.1:${config.port}/readyz`);
    t.ok(inSeconds(gateway.healthcheck!.start_period) * 1000 > migrationTimeoutMs, 'time to migrate');
  });

  t.test('publishes only the port of the balancer, which discovers the gateways by DNS', async (t) => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);
    t.strictSame(published, ['3000:3000']);
    t.strictSame(balancer.ports, published);
    const { source, target } = balancer.configs![0]!;
    t.equal(target, '/usr/local/etc/haproxy/haproxy.cfg');
    t.strictSame(balancer.secrets, ['certificate']);
    t.strictSame(compose().secrets, { certificate: { file: '/dev/null' } }, 'empty without TLS_FILE');
    t.match(compose({ ...SECRETS, TLS_FILE: '/etc/tls.pem' }).secrets, {
      certificate: { file: '/etc/tls.pem' },
    });
    const { content } = configs[source]!;
    const [, slots, host, port] = /server-template \S+ (\d+) (\w+):(\d+)/.exec(content)!;
    t.ok(Number(slots) >= 3);
    t.strictSame([host, Number(port)], ['gateway', config.port]);
    t.match(content, /resolvers docker\n\s+nameserver \w+ 127\.0\.0\.11:53/);
    t.match(content, /http-check send meth GET uri \/readyz /);
    t.match(content, /http-request set-header X-Forwarded-For %\[src\]/);
    t.match(content, /retry-on conn-failure\n/, 'no call is sent to two gateways');
    const health = /bind 127\.0\.0\.1:(\d+)\n\s+monitor-uri \//.exec(content)![1];
    t.match(balancer.healthcheck!.test.join(' '), `http://127.0.0.1:${health}/`);
    t.ok(gateway.build === '.' && gateway.ports === undefined);
  });

  t.test('gives gateways time to shut down', async (t) => {
    const [, inter, fall] = /check inter (\d+)s fall (\d+)/.exec(configs.balancer!.content)!;
    t.ok(Number(inter) * Number(fall) * 1000 < config.shutdownGraceMs, 'the balancer stops before it');
    t.ok(inSeconds(gateway.stop_grace_period) * 1000 > config.shutdownGraceMs + shutdownTimeoutMs);
  });
});

/** Starts a Redis with the arguments of the compose file and returns its URL. */
const redisOfCompose = async (t: Test): Promise<string> => {
  const password = SECRETS.REDIS_PASSWORD;
  const { url } = await startRedis(t, { args: redis.command!.slice(1), password });
  return url;
};

t.test('two gateways behind a balancer', async (t) => {
  const env = {
    ...gateway.environment,
    DATABASE_URL: await realDatabaseUrl(),
    REDIS_URL: await redisOfCompose(t),
    RATE_LIMIT_PER_SECOND: '0',
    LOG_LEVEL: 'warn',
    TRUST_PROXY: 'loopback',
  };
  const gateways = await Promise.all([startGateway(t, env), startGateway(t, env)]);
  const front = await startBalancer(t, gateways);
  t.equal(front.ready, 2);
  const send = async (method: string, path: string, token: string, body?: unknown, url = front.url) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: (text === '' ? null : JSON.parse(text)) as AnswerBody };
  };
  const admin = (path: string, body: unknown) => send('POST', `/admin/v1${path}`, SECRETS.ADMIN_TOKEN, body);
  const { id } = (await admin('/accounts', { name: 'compose', plan: 'pro', monthly_quota: 100_000 })).json;
  const made = (await admin(`/accounts/${id}/keys`, { name: 'compose' })).json;
  const single = (url?: string) => send('POST', '/api/v1/qr', made.key, { data: 'x' }, url);

  t.test('count each unit once, whichever gateway serves the call', async (t) => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => single()));
    t.ok(answers.every(({ status }) => status === 200));
    t.equal(new Set(answers.map(({ json }) => json.meta.usage_count)).size, 200);
    t.equal(front.answered.size, 2, 'both served some of the calls');
  });

  t.test('apply each other’s changes within a second', async (t) => {
    const items = [{ data: 'https://example.com/before', dynamic: true }];
    const { slug } = (await send('POST', '/api/v1/qr/bulk', made.key, { items })).json.results[0]!;
    const leadsTo = async ({ url }: { url: string }) =>
      (await fetch(`${url}/l/${slug}`, { redirect: 'manual' })).headers.get('location');
    t.strictSame(await Promise.all(gateways.map(leadsTo)), Array(2).fill(items[0]!.data));
    const after = { destination: 'https://example.com/after' };
    t.equal((await send('PATCH', `/api/v1/links/${slug}`, made.key, after)).status, 200);
    await sleep(1000);
    t.strictSame(await Promise.all(gateways.map(leadsTo)), Array(2).fill(after.destination));

    const { key, id: keyId } = (await admin(`/accounts/${id}/keys`, { name: 'to be revoked' })).json;
    const uses = () =>
      Promise.all(gateways.map(({ url }) => send('POST', '/api/v1/qr', key, { data: 'x' }, url)));
    t.strictSame(
      (await uses()).map(({ status }) => status),
      [200, 200],
    );
    t.equal((await send('DELETE', `/admin/v1/keys/${keyId}`, SECRETS.ADMIN_TOKEN)).status, 204);
    await sleep(1000);
    t.strictSame(
      (await uses()).map(({ status }) => status),
      [401, 401],
    );
  });

  t.test('are served by HAProxy as configured, with and without TLS, without keys in its log', async (t) => {
    const { certificate, path } = await makeCertificate(t);
    const configured = (more: object) => compose({ ...SECRETS, ...more }).configs.balancer!.content;
    const target = `/api/v1/render?key=${made.key}&content=x`;
    const plain = await startHaproxy(t, configured({}), { gateways });
    t.equal((await fetch(`http://127.0.0.1:${plain.port}${target}`)).status, 200);
    await until(() => plain.output().includes(' 200 '));
    t.match(
      plain.output(),
      /^127\.0\.0\.1 \[.+\] GET "\/api\/v1\/render" 200 \d+ \d+ \d+ gateway-\d ----?$/m,
    );
    t.notMatch(plain.output(), made.key);

    const env = { TLS_FILE: path, ACCESS_LOG: 'errors' };
    const tls = await startHaproxy(t, configured(env), { gateways, certificatePath: path });
    const call = (at: string) =>
      new Promise<number>((resolve, reject) => {
        const options = { ca: certificate, servername: 'localhost', agent: false as const };
        get(`https://127.0.0.1:${tls.port}${at}`, options, (answer) => {
          answer.resume();
          resolve(answer.statusCode!);
        }).on('error', reject);
      });
    t.equal(await call(target), 200);
    t.equal(await call('/nowhere'), 404);
    await until(() => tls.output().includes('/nowhere'));
    t.notMatch(tls.output(), /render/, 'the log has only errors');
    await t.rejects(fetch(`http://127.0.0.1:${tls.port}/`), 'the port accepts either TLS or plain HTTP');

    const silent = await startHaproxy(t, configured({ ACCESS_LOG: 'off' }), { gateways });
    t.equal((await fetch(`http://127.0.0.1:${silent.port}/nowhere`)).status, 404);
    await sleep(100);
    t.notMatch(silent.output(), /nowhere/);
  });

  t.test('can be replaced one by one under load without a failed call', async (t) => {
    const counts: Record<number, number> = {};
    let ended = false;
    const client = async () => {
      while (!ended) {
        const { status } = await single();
        counts[status] = (counts[status] ?? 0) + 1;
      }
    };
    const clients = Array.from({ length: 8 }, client);
    for (const old of gateways) {
      const { port } = new URL(old.url);
      await sleep(500);
      old.process.kill('SIGTERM');
      t.equal(await old.ended, 0);
      await startGateway(t, { ...env, PORT: port });
      await until(() => front.ready >= 2);
    }
    ended = true;
    await Promise.all(clients);
    t.comment(`answers while both were replaced: ${JSON.stringify(counts)}`);
    t.strictSame(Object.keys(counts), ['200']);
  });
});
