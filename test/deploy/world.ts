/** A gateway on stores of its own, which are reached through proxies, and a Prometheus that scrapes it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { type Stores, startOn, startStores } from '../faults/stack.ts';
import type { TestScope } from '../servers/server-process.ts';
import type { Call, TestApp } from '../support/app/app.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { type Prometheus, SIXTY_TIMES, startPrometheus } from './live.ts';

/** Answers with the metrics of a registry, and returns its `host:port`. */
export const serveRegistry = async (scope: TestScope, registry: Registry): Promise<string> => {
  const server = createServer(async (_, response) => void response.end(await registry.metrics()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.teardown(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

export interface World {
  readonly stores: Stores;
  readonly app: TestApp;
  readonly key: string;
  readonly accountId: string;
  /** Of a link that is there. */
  readonly slug: string;
  readonly prometheus: Prometheus;
  /** The folder of the batch store. */
  readonly store: string;
  /** Sends a call of everything that is counted. Answers are not looked at. */
  round(): Promise<void>;
  /** Sends rounds until `isOver`, and returns whether it came to that within two minutes. */
  roundsUntil(isOver: () => Promise<boolean>): Promise<boolean>;
  /** Whether these alerts fire now. */
  fire(...alerts: readonly string[]): Promise<boolean>;
}

const ROUND_PAUSE_MS = 150;
const GIVE_UP_MS = 120_000;

/**
 * @param startOthers Starts what else is scraped, on the same stores; returns the targets by their `instance`.
 * @param faster How many times as fast the rules run.
 */
export const startWorld = async (
  scope: TestScope,
  env: Readonly<Record<string, string>>,
  startOthers: (stores: Stores) => Promise<Readonly<Record<string, string>>>,
  faster = SIXTY_TIMES,
): Promise<World> => {
  const stores = await startStores(scope);
  const others = await startOthers(stores);
  const store = await mkdtemp(join(tmpdir(), 'tessera-alerts-'));
  scope.teardown(() => rm(store, { recursive: true, force: true }));
  const receiver = await startReceiver();
  scope.teardown(receiver.close);
  const more = {
    PORT: '0',
    BATCH_STORE: store,
    METRICS_PUBLIC: 'true',
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
  };
  const app = await startOn(stores, scope, { ...more, ...env });
  await app.app.listen();
  const { port } = app.app.gateway.server.address() as AddressInfo;
  const { id: accountId, key } = await app.account({ credits: 1_000_000 });
  const post = (url: string, body: unknown, headers = {}) =>
    app.call({ method: 'POST', url, key, body, headers });
  const saved = await post('/api/v1/qr/bulk', { items: [{ data: 'https://example.com/', dynamic: true }] });
  const { slug } = saved.json.results[0]!;
  const hook = await post('/api/v1/webhooks', { url: receiver.url, events: [] });
  await post(`/api/v1/folders/${saved.json.meta.folder_id}/verifications`, undefined);
  const prometheus = await startPrometheus(scope, { gateway: `127.0.0.1:${port}`, ...others }, faster);
  let rounds = 0;
  const round = async (): Promise<void> => {
    rounds += 1;
    const calls: Call[] = [
      { method: 'POST', url: '/api/v1/qr', key, body: { data: `round ${rounds}` } },
      { method: 'POST', url: '/api/v1/qr', key, body: { data: 'x', image: 'data:image/png;base64,AAAA' } },
      { method: 'POST', url: '/api/v1/qr', key, body: {} },
      { url: `/api/v1/render?key=${key}&content=same` },
      { url: `/l/${slug}`, headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0' } },
    ];
    await Promise.all(calls.map((call) => app.call(call)));
    if (rounds % 10 === 1) await post(`/api/v1/webhooks/${hook.json.id}/test`, undefined);
  };
  return {
    ...{ stores, app, key, accountId, slug: String(slug), prometheus, store, round },
    async roundsUntil(isOver) {
      const untilMs = performance.now() + GIVE_UP_MS;
      while (performance.now() < untilMs) {
        if (await isOver()) return true;
        await round();
        await sleep(ROUND_PAUSE_MS);
      }
      return false;
    },
    async fire(...alerts) {
      const firing = await prometheus.firing();
      return alerts.every((alert) => firing.includes(alert));
    },
  };
};
