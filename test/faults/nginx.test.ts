/** Gateways are replaced one by one behind nginx without health checks and with keep-alive, and no call fails. */
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { createAccount } from '../servers/account.ts';
import { startGateway } from '../servers/gateway-process.ts';
import { startNginx } from '../servers/proxies/nginx.ts';
import { startRedis } from '../servers/redis.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { realDatabaseUrl } from '../support/database/database.ts';

/** A replacement takes some eight seconds, for the shutdown and the start of a gateway. */
const REPLACEMENTS = Number(process.env.REPLACEMENTS ?? 2);
const CLIENTS = 8;
/** A pause that leaves processor time for the starting gateway, and in which idle connections may be closed. */
const PAUSE_MS = 40;

t.setTimeout((60 + REPLACEMENTS * 40) * 1000);

const { url: REDIS_URL } = await startRedis(t, { args: [] });
const env = {
  DATABASE_URL: await realDatabaseUrl(),
  REDIS_URL,
  ADMIN_TOKEN,
  PUBLIC_URL: 'http://qr.test',
  TRUST_PROXY: 'loopback',
  RATE_LIMIT_PER_SECOND: '0',
  LOG_LEVEL: 'warn',
};
const gateways = await Promise.all([startGateway(t, env), startGateway(t, env)]);
const ports = gateways.map(({ url }) => new URL(url).port);
const front = await startNginx(t, ports.map(Number));
const agent = new Agent({ keepAlive: true });
t.teardown(() => agent.destroy());

/** Returns the status of the answer, or the reason why there is none. */
const send = (path: string, token: string, body?: unknown): Promise<string> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(front.url + path, { method, headers, agent }, (answer) => {
      answer.resume().on('end', () => resolve(String(answer.statusCode)));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });

t.test(`${REPLACEMENTS} gateways are replaced under load without a failed call`, async (t) => {
  const { key } = await createAccount(gateways[0]!.url, ADMIN_TOKEN, 'nginx');

  const counts: Record<string, number> = {};
  let ended = false;
  const client = async (_: unknown, index: number): Promise<void> => {
    while (!ended) {
      const call = index % 4 === 0 ? send('/api/v1/usage', key) : send('/api/v1/qr', key, { data: 'x' });
      const status = await call;
      counts[status] = (counts[status] ?? 0) + 1;
      await sleep(PAUSE_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  for (let done = 0; done < REPLACEMENTS; done += 1) {
    const which = done % gateways.length;
    const old = gateways[which]!;
    old.process.kill('SIGTERM');
    t.equal(await old.ended, 0);
    gateways[which] = await startGateway(t, { ...env, PORT: ports[which]! });
    await sleep(500);
  }
  ended = true;
  await Promise.all(clients);
  t.comment(`answers: ${JSON.stringify(counts)}`);
  t.strictSame(Object.keys(counts), ['200'], (await readFile(front.logFile, 'utf8')).slice(-2000));
});
