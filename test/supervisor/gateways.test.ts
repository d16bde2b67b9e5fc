/** Several gateway processes on one port: they share the work, and can be killed, replaced and shut down. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import t, { type Test } from 'tap';
import { slowItems, startStores, until } from '../faults/stack.ts';
import { type GatewayProcess, runGateway, signalGroup, startGateway } from '../servers/gateway-process.ts';
import { listen } from '../servers/listen.ts';
import type { TestScope } from '../servers/server-process.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { until as wait } from '../servers/until.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { startGatewayWithKey } from '../support/app/gateway-with-key.ts';
import { realDatabaseUrl } from '../support/database/database.ts';
import { checkMetrics } from '../support/promtool.ts';
import { startCollector } from '../tracing/collector.ts';

/** A bulk call may take half of this time, even on a busy machine. */
const TTL_MS = 12_000;
const PROCESSES = 2;
/** Far more than a start takes on a busy machine, where two have taken more than 20 s. */
const START_MS = 60_000;

const stores = await startStores(t);
const env = {
  ...stores.env,
  GATEWAYS: String(PROCESSES),
  RATE_LIMIT_PER_SECOND: '0',
  LOG_LEVEL: 'info',
  SHUTDOWN_GRACE_MS: '500',
  QUOTA_RESERVATION_TTL_MS: String(TTL_MS),
};

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A client with one connection, by default keep-alive. No answer for 20 s is an error. */
const createClient = (scope: TestScope, { url, key }: { url: string; key: string }, keepAlive = true) => {
  const agent = new Agent({ keepAlive, maxSockets: 1 });
  scope.teardown(() => agent.destroy());
  return (path: string, body?: unknown, more: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${path.startsWith('/api') ? key : ADMIN_TOKEN}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...more,
      };
      const method = body === undefined ? 'GET' : 'POST';
      const sent = request(url + path, { method, agent, headers, timeout: 20_000 }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
        response.on('error', reject);
      });
      sent.on('timeout', () => sent.destroy(new Error('no answer')));
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
};

type Client = ReturnType<typeof createClient>;

interface Line {
  readonly pid?: number;
  readonly reqId?: string;
  readonly trace_id?: string;
  readonly msg?: string;
}

/** The lines of the log. The last one may be incomplete. */
const logOf = (gateway: Pick<GatewayProcess, 'output'>): Line[] =>
  gateway
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line));

let asked = 0;
/** Returns the process that answers a client, according to the log. */
const pidBehind = async (gateway: GatewayProcess, client: Client): Promise<number> => {
  asked += 1;
  const id = `ask-${asked}`;
  await client('/no-such-path', undefined, { 'x-request-id': id });
  const logged = () => logOf(gateway).find(({ reqId }) => reqId === id);
  await wait(() => logged() !== undefined, { pauseMs: 5 });
  return logged()!.pid!;
};

/** Makes clients until they reach this many processes, and returns one client for each process. */
const clientsByPid = async (t: Test, gateway: GatewayProcess & { key: string }, count: number) => {
  const byPid = new Map<number, Client>();
  const find = async (): Promise<boolean> => {
    const client = createClient(t, gateway);
    byPid.set(await pidBehind(gateway, client), client);
    return byPid.size === count;
  };
  await wait(find, { pauseMs: 100, deadlineMs: START_MS });
  return byPid;
};

/** On a busy machine a call sometimes times out waiting for Redis. It gets an answer and its unit is refunded. */
const isBusy = ({ status, text }: Answer): boolean => status === 503 && text.includes('The quota ledger');

/** Makes paid calls from several clients until stopped; half of them open a connection for each call. */
const startLoad = (t: Test, gateway: { url: string; key: string }) => {
  const failures: string[] = [];
  let stopped = false;
  let served = 0;
  let busy = 0;
  const run = async (client: Client, n: number): Promise<void> => {
    while (!stopped) {
      await client('/api/v1/qr', { data: `load ${n}` }).then(
        (answer) => {
          if (answer.status === 200) served += 1;
          else if (isBusy(answer)) busy += 1;
          else failures.push(`${answer.status} ${answer.text}`);
        },
        (error: Error) => void failures.push(error.message),
      );
      await sleep(80);
    }
  };
  // A failed test stops it too, because otherwise the file would never end.
  t.teardown(() => {
    stopped = true;
  });
  const running = Array.from({ length: 6 }, (_, n) => run(createClient(t, gateway, n % 2 === 0), n));
  return {
    served: () => served,
    busy: () => busy,
    stop: async (): Promise<readonly string[]> => {
      stopped = true;
      await Promise.all(running);
      return failures;
    },
  };
};

const seriesValue = (text: string, series: string): number => {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.split(' ')[1] ?? Number.NaN);
};

const scrape = async (t: Test, gateway: { url: string; key: string }): Promise<string> => {
  const { status, text } = await createClient(t, gateway, false)('/metrics');
  t.equal(status, 200);
  return text;
};

const PAID = 'tessera_quota_reservations_total{outcome="admitted"}';
const DEATHS = 'tessera_gateway_process_deaths_total';

t.test('several gateway processes', async (t) => {
  const collector = await startCollector(t);
  const traced = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
  };
  const gateway = await startGatewayWithKey(t, { ...env, ...traced }, { detached: true });
  const supervisor = gateway.process.pid!;
  let paid = 0;

  t.test('serve on one port, with one log and summed metrics', async (t) => {
    const clients = await clientsByPid(t, gateway, PROCESSES);
    t.notOk(clients.has(supervisor));
    for (const client of clients.values()) {
      paid += 3;
      for (let n = 0; n < 3; n += 1) t.equal((await client('/api/v1/qr', { data: `${n}` })).status, 200);
    }
    const text = await scrape(t, gateway);
    t.equal(seriesValue(text, PAID), paid, 'both count');
    t.equal(seriesValue(text, 'tessera_gateway_processes'), PROCESSES);
    t.equal(seriesValue(text, DEATHS), 0);
    t.equal(seriesValue(text, 'tessera_render_threads'), PROCESSES);
    t.equal(seriesValue(text, 'tessera_dependency_up{dependency="redis"}'), 1);
    t.strictSame(await checkMetrics(text), { code: 0, output: '' });
    t.match(gateway.output(), `"msg":"Tessera is ready at http://qr.test (${PROCESSES} processes)"}\n`);
    t.equal(gateway.output().split('Tessera is ready').length, 2, 'readiness is logged once');
    t.equal(logOf(gateway).filter(({ msg }) => msg === 'listening for changes').length, PROCESSES);
    t.equal((await createClient(t, { ...gateway, key: 'none' })('/api/v1/usage')).status, 401);
  });

  t.test('all send spans, and their log lines have the trace ids', async (t) => {
    for (const [pid, client] of await clientsByPid(t, gateway, PROCESSES)) {
      const traceId = String(pid).padStart(32, 'a');
      const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
      t.equal((await client('/api/v1/usage', undefined, { traceparent })).status, 200);
      await wait(() => collector.of(traceId).length > 0);
      t.ok(collector.resources.some((text) => text.includes(`"process.pid","value":{"intValue":${pid}}`)));
      const linesOf = () => logOf(gateway).filter(({ trace_id }) => trace_id === traceId);
      await wait(() => linesOf().length > 0);
      t.strictSame(
        linesOf().map((line) => line.pid),
        [pid],
      );
    }
  });

  t.test('are replaced on SIGHUP without a failed call or a lost count', async (t) => {
    const before = await clientsByPid(t, gateway, PROCESSES);
    const load = startLoad(t, gateway);
    signalGroup(gateway.process, 'SIGHUP');
    const replaced = () => logOf(gateway).filter(({ msg }) => msg === 'gateway process replaced');
    await wait(() => replaced().length === PROCESSES, { deadlineMs: START_MS * PROCESSES });
    t.strictSame(await load.stop(), []);
    t.ok(load.served() > 30, `${load.served()} calls served meanwhile`);
    const after = await clientsByPid(t, gateway, PROCESSES);
    for (const pid of after.keys()) t.notOk(before.has(pid), 'a new process');
    const text = await scrape(t, gateway);
    paid += load.served();
    const counted = seriesValue(text, PAID);
    t.ok(counted >= paid && counted <= paid + load.busy(), `${counted} of ${paid} and ${load.busy()}`);
    t.equal(seriesValue(text, DEATHS), 0);
  });

  t.test('lose only the open calls of a process that is killed, and it is replaced', async (t) => {
    const clients = [...(await clientsByPid(t, gateway, PROCESSES))];
    const [[victim, doomed], [, other]] = clients as [[number, Client], [number, Client]];
    const batch = doomed('/api/v1/qr/bulk', { items: slowItems(40) }).then(
      () => 'answered',
      () => 'lost',
    );
    await until(t, 'its units are reserved', async () => (await stores.openReservations()) > 0);
    process.kill(victim, 'SIGKILL');
    t.equal(await batch, 'lost');
    await until(t, 'the supervisor noticed', () => gateway.output().includes('gateway process died'));
    for (let n = 0; n < 10; n += 1) {
      const client = n % 2 ? other : createClient(t, gateway, false);
      const answer = await client('/api/v1/qr', { data: `after ${n}` });
      t.ok(answer.status === 200 || isBusy(answer), `other calls are served: ${answer.status}`);
      if (answer.status === 200) paid += 1;
    }
    await clientsByPid(t, gateway, PROCESSES);
    const text = await scrape(t, gateway);
    t.equal(seriesValue(text, DEATHS), 1);
    t.equal(seriesValue(text, 'tessera_gateway_processes'), PROCESSES);
    await wait(async () => (await stores.openReservations()) === 0, { deadlineMs: 60_000 });
    await until(t, 'all usage has reached Postgres', async () => (await stores.undrained()) === 0);
    t.strictSame(await stores.differences(), [], 'Redis, Postgres and the sum of the events agree');
    const usage = JSON.parse((await other('/api/v1/usage')).text) as { usage_count: number };
    t.equal(usage.usage_count, paid, 'every call but the lost one is paid');
  });

  t.test('a connection that is being handed to a killed process is closed', async (t) => {
    const [[victim]] = [...(await clientsByPid(t, gateway, PROCESSES))] as [[number, Client]];
    // The process no longer accepts connections: one is handed to it, and later ones go to others.
    process.kill(victim, 'SIGSTOP');
    const answers = Array.from({ length: 8 }, () =>
      createClient(
        t,
        gateway,
        false,
      )('/healthz').then(
        ({ status }) => status,
        (error: Error) => error.message,
      ),
    );
    const waiting = answers.map((answer) => Promise.race([answer, sleep(1000, 'waiting')]));
    const first = await Promise.all(waiting);
    t.ok(first.filter((status) => status === 200).length >= 6, `${first}`);
    process.kill(victim, 'SIGKILL');
    const all = await Promise.all(answers);
    t.notOk(all.includes('no answer'), `${all}`);
    await clientsByPid(t, gateway, PROCESSES);
  });

  t.test('answer open calls and exit with 0 when all get a signal', async (t) => {
    const clients = [...(await clientsByPid(t, gateway, PROCESSES)).values()];
    const batches = clients.map((client) => client('/api/v1/qr/bulk', { items: slowItems(10, 1000) }));
    await until(t, 'both draw', async () => (await stores.openReservations()) >= PROCESSES);
    signalGroup(gateway.process, 'SIGTERM');
    await sleep(20);
    signalGroup(gateway.process, 'SIGTERM');
    for (const batch of batches) {
      const { status, text } = await batch;
      t.equal(status, 200);
      t.match(JSON.parse(text), { meta: { successful: 10 } });
    }
    t.equal(await gateway.ended, 0);
    t.throws(() => process.kill(-supervisor, 0), { code: 'ESRCH' }, 'no process is left');
    t.equal(await stores.openReservations(), 0);
    t.strictSame(await stores.differences(), []);
    t.notMatch(gateway.output(), /unhandled error|cannot be added up/);
  });
});

t.test('gateway processes answer open calls and exit when their supervisor is gone', async (t) => {
  const gateway = await startGatewayWithKey(t, env, { detached: true });
  const client = createClient(t, gateway);
  const batch = client('/api/v1/qr/bulk', { items: slowItems(10, 1000) });
  await until(t, 'it draws', async () => (await stores.openReservations()) > 0);
  gateway.process.kill('SIGKILL');
  const { text } = await batch;
  t.match(JSON.parse(text), { meta: { successful: 10 } });
  t.equal(await gateway.ended, 'SIGKILL');
  t.equal(await stores.openReservations(), 0);
});

t.test('a second signal after some seconds ends all processes immediately', async (t) => {
  const gateway = await startGateway(t, { ...env, SHUTDOWN_GRACE_MS: '60000' }, { detached: true });
  gateway.process.kill('SIGINT');
  await sleep(2500);
  t.equal((await fetch(`${gateway.url}/healthz`)).status, 200, 'they keep serving during the grace period');
  gateway.process.kill('SIGINT');
  t.equal(await gateway.ended, 'SIGINT');
});

const isOneLine = (t: Test, { code, output }: { code: number | string; output: string }, line: RegExp) => {
  t.equal(code, 1);
  const lines = output.split('\n').filter((text) => text !== '' && !text.startsWith('{'));
  t.equal(lines.length, 1, output);
  t.match(output, line);
};

t.test('errors that stop the start of one process stop that of several, with the same line', async (t) => {
  t.test('a port in use', async (t) => {
    const port = await listen(t, createServer());
    isOneLine(t, await runGateway(t, { ...env, PORT: String(port) }), new RegExp(`^PORT: .* port ${port} `));
  });

  t.test('a database that needs a newer version', async (t) => {
    const DATABASE_URL = await realDatabaseUrl();
    const sql = postgres(DATABASE_URL, { max: 1 });
    await sql`insert into migrations (number, name, checksum, needs) values (9999, '9999_later', '', '99.0.0')`;
    await sql.end();
    const failed = await runGateway(t, { ...env, DATABASE_URL });
    isOneLine(t, failed, /^Tessera cannot start: .*9999_later.*run a newer Tessera/m);
  });

  t.test('no Redis', async (t) => {
    isOneLine(
      t,
      await runGateway(t, { ...env, REDIS_URL: '' }),
      /^GATEWAYS: .* set REDIS_URL too, or GATEWAYS=1\n$/,
    );
  });

  t.test('the embedded database', async (t) => {
    const DATA_DIR = await temporaryFolder(t);
    const failed = await runGateway(t, { DATA_DIR, GATEWAYS: '2' });
    isOneLine(t, failed, /^GATEWAYS: .* set DATABASE_URL and REDIS_URL too, /);
  });
});
