/** Two gateways on the same stores, each with its own proxy in front of Redis and Postgres. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClickHouse } from '../servers/clickhouse/clickhouse.ts';
import { type GatewayProcess, startGateway } from '../servers/gateway-process.ts';
import { startPostgres, type TestPostgres } from '../servers/postgres/postgres.ts';
import { sameDatabaseOn, startReplica } from '../servers/postgres/replica.ts';
import { IGNORED_PARAMETERS, startPgbouncer } from '../servers/proxies/pgbouncer.ts';
import { startProxy, through } from '../servers/proxies/proxy.ts';
import { startRedis } from '../servers/redis.ts';
import { freePort, type TestScope } from '../servers/server-process.ts';
import { until } from '../servers/until.ts';
import { type Ledger, openLedger } from '../support/database/ledger.ts';
import { MIGRATED, prepareTemplates } from '../support/database/templates.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import type { Victims } from './faults.ts';

/** The operator's token of the gateways. */
export const ADMIN_TOKEN = 'an-admin-token-for-histories';
/** Longer than any call or fault. */
export const TTL_MS = 10_000;
/** The receiver of webhooks refuses one of this many requests. */
const REFUSED_EVERY = 7;

/** The services that a run calls, disturbs and reads at the end. */
export interface Stack extends Victims {
  readonly urls: readonly string[];
  /** Connected directly, bypassing the proxies. */
  readonly ledger: Ledger;
  readonly receiver: Receiver;
}

/** What the gateways have besides a Redis and a Postgres: a pooler in transaction mode before it, a replica, or ClickHouse. */
export const BESIDES = ['nothing', 'pooler', 'replica', 'clickhouse'] as const;
export type Besides = (typeof BESIDES)[number];

/** Starts what is besides. Returns the URL of the database as the proxies reach it, and variables of the gateways. */
const startBesides = async (
  scope: TestScope,
  besides: Besides,
  postgres: TestPostgres,
  databaseUrl: string,
): Promise<{ readonly url: string; readonly env: Readonly<Record<string, string>> }> => {
  switch (besides) {
    case 'pooler': {
      const { url } = await startPgbouncer(scope, databaseUrl, {
        poolSize: 20,
        settings: [IGNORED_PARAMETERS],
      });
      return { url, env: { LISTEN_DATABASE_URL: databaseUrl } };
    }
    case 'replica': {
      const replica = await startReplica(scope, postgres);
      return { url: databaseUrl, env: { DATABASE_READ_URL: sameDatabaseOn(replica, databaseUrl) } };
    }
    case 'clickhouse':
      return { url: databaseUrl, env: { CLICKHOUSE_URL: (await startClickHouse(scope)).url } };
    case 'nothing':
      return { url: databaseUrl, env: {} };
  }
};

/** Starts everything. It ends with the scope. */
export const startStack = async (scope: TestScope, besides: Besides = 'nothing'): Promise<Stack> => {
  const store = await mkdtemp(join(tmpdir(), 'tessera-test-histories-'));
  scope.teardown(() => rm(store, { recursive: true, force: true }));
  const redis = await startRedis(scope, { args: [] });
  const template = (await prepareTemplates()).postgres ?? undefined;
  const postgres = await startPostgres(scope, template);
  const databaseUrl = await postgres.createDatabase(template && MIGRATED);
  const { url: reachedUrl, env } = await startBesides(scope, besides, postgres, databaseUrl);
  const { hostname, port } = new URL(reachedUrl);
  const ports = [await freePort(), await freePort()];
  const proxies = await Promise.all(
    ports.map(async () => ({
      redis: await startProxy(scope, redis),
      postgres: await startProxy(scope, { host: hostname, port: Number(port) }),
    })),
  );
  const start = (gateway: number): Promise<GatewayProcess> =>
    startGateway(scope, {
      PORT: String(ports[gateway]),
      REDIS_URL: through(redis.url, proxies[gateway]!.redis),
      DATABASE_URL: through(reachedUrl, proxies[gateway]!.postgres),
      ...env,
      ADMIN_TOKEN,
      BATCH_STORE: store,
      LOG_LEVEL: 'warn',
      PUBLIC_URL: 'http://qr.test',
      QUOTA_RESERVATION_TTL_MS: String(TTL_MS),
      RATE_LIMIT_PER_SECOND: '0',
      TRUST_PROXY: 'loopback',
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    });
  const gateways = [await start(0), await start(1)];
  const receiver = await startReceiver();
  scope.teardown(receiver.close);
  receiver.answer = (response) => {
    response.writeHead(receiver.received.length % REFUSED_EVERY === 0 ? 503 : 204).end();
  };
  const ledger = await openLedger(scope, { redisUrl: redis.url, databaseUrl });
  return {
    urls: gateways.map(({ url }) => url),
    proxies,
    ledger,
    receiver,
    async kill(gateway) {
      gateways[gateway]!.process.kill('SIGKILL');
      await gateways[gateway]!.ended;
    },
    async revive(gateway) {
      const { exitCode, signalCode } = gateways[gateway]!.process;
      if (exitCode !== null || signalCode !== null) gateways[gateway] = await start(gateway);
    },
    signal: (gateway, signal) => void gateways[gateway]!.process.kill(signal),
    // Its connection may still belong to a Redis that has just been restarted.
    emptyRedis: async () =>
      void (await until(() =>
        ledger.emptyRedis().then(
          () => true,
          () => false,
        ),
      )),
    async restartRedis() {
      await redis.stop();
      await redis.start();
    },
  };
};
