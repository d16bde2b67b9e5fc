import type { Test } from 'tap';
import type { TestPostgres } from '../servers/postgres/postgres.ts';
import { startProxy, type TestProxy, through } from '../servers/proxies/proxy.ts';
import { startRedis, type TestRedis } from '../servers/redis.ts';
import type { TestScope } from '../servers/server-process.ts';
import { until as wait } from '../servers/until.ts';
import { ADMIN_TOKEN, type Answer, type Call, startApp, type TestApp } from '../support/app/app.ts';
import { realDatabaseUrl, realServer } from '../support/database/database.ts';
import { type Ledger, openLedger } from '../support/database/ledger.ts';

/** The test's view of the ledger connects to the stores directly, bypassing the proxies. */
export interface Stores extends Ledger {
  readonly redis: TestRedis;
  readonly postgres: TestPostgres;
  readonly redisProxy: TestProxy;
  readonly postgresProxy: TestProxy;
  /** The environment of a gateway that reaches both stores through the proxies. */
  readonly env: Readonly<Record<string, string>>;
}

/** Without arguments for Redis, its data does not survive a restart. */
export const startStores = async (scope: TestScope): Promise<Stores> => {
  const redis = await startRedis(scope, { args: [] });
  const postgres = await realServer();
  const databaseUrl = await realDatabaseUrl();
  const redisProxy = await startProxy(scope, redis);
  const { hostname, port } = new URL(databaseUrl);
  const postgresProxy = await startProxy(scope, { host: hostname, port: Number(port) });
  const ledger = await openLedger(scope, { redisUrl: redis.url, databaseUrl });

  return {
    redis,
    postgres,
    redisProxy,
    postgresProxy,
    ...ledger,
    env: {
      REDIS_URL: through(redis.url, redisProxy),
      DATABASE_URL: through(databaseUrl, postgresProxy),
      ADMIN_TOKEN,
      PUBLIC_URL: 'http://qr.test',
      SHUTDOWN_GRACE_MS: '0',
    },
  };
};

/** The app in this process, on these stores, with a rate limit that tests do not reach. */
export const startOn = ({ env }: Stores, scope: TestScope, more: Record<string, string> = {}) =>
  startApp(scope, { ...env, RATE_LIMIT_PER_SECOND: '100000', ...more });

export interface Timed extends Answer {
  readonly ms: number;
}

export const timed = async (call: () => Promise<Answer>): Promise<Timed> => {
  const startedMs = performance.now();
  const answer = await call();
  return { ...answer, ms: performance.now() - startedMs };
};

/** The paid calls of a key. */
export const paidCalls = ({ call }: TestApp, key: string) => ({
  single: (headers: Record<string, string> = {}) =>
    call({ method: 'POST', url: '/api/v1/qr', key, headers, body: { data: 'x' } }),
  image: () => call({ url: `/api/v1/render?key=${key}&content=x` }),
  bulk: (items: readonly unknown[] = [{ data: 'x' }], headers: Record<string, string> = {}) =>
    call({ method: 'POST', url: '/api/v1/qr/bulk', key, headers, body: { items } }),
});

/** The slug of a batch's first item. */
export const findLinkedSlug = ({ json }: Pick<Answer, 'json'>): string => json.results[0]!.slug;

export const scanOf = (slug: string): Call => ({ url: `/l/${slug}` });

/** Items that take a while to draw. */
export const slowItems = (count: number, sizePx = 600) =>
  Array.from({ length: count }, (_, i) => ({
    data: `slow ${i}`,
    width: sizePx,
    height: sizePx,
    dotsOptions: {
      gradient: {
        type: 'linear',
        colorStops: [
          { offset: 0, color: 'red' },
          { offset: 1, color: 'navy' },
        ],
      },
    },
  }));

/** Whether pictures are being drawn. */
export const isDrawing = async ({ call }: TestApp): Promise<boolean> => {
  const { text } = await call({ url: '/metrics', key: ADMIN_TOKEN });
  return /^tessera_render_tasks_running [1-9]/m.test(text);
};

export const usedOf = async ({ admin }: Pick<TestApp, 'admin'>, accountId: string): Promise<number> => {
  const answer = await admin('GET', `/accounts/${accountId}`);
  if (answer.status !== 200) throw new Error(`the account is answered with ${answer.status}`);
  return answer.json.usage.usage_count;
};

/**
 * Repeats a check until it passes and returns how many milliseconds that took; fails after a minute. A check that
 * throws, for example because a store is still starting, has not passed yet.
 */
export const until = async (
  t: Test,
  what: string,
  holds: () => Promise<boolean> | boolean,
): Promise<number> => {
  const asked = async () => holds();
  const ms = await wait(() => asked().catch(() => false), { pauseMs: 10 });
  t.pass(what);
  return ms;
};

export const rounded = (values: readonly number[]): string => {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!);
  return `median ${at(0.5)} ms, slowest ${at(1)} ms of ${sorted.length}`;
};
