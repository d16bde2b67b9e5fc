/** A gateway whose own stores are behind proxies, and a Prometheus that scrapes it. */
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { type Stores, startOn, startStores } from '../faults/stack.ts';
import { serve } from '../servers/listen.ts';
import type { TestScope } from '../servers/server-process.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import type { Call } from '../support/app/app.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { SIXTY_TIMES, startPrometheus } from './live.ts';

/** Serves the metrics of a registry, and returns the `host:port`. */
export const serveRegistry = async (scope: TestScope, registry: Registry): Promise<string> => {
  const url = await serve(scope, async (_, response) => void response.end(await registry.metrics()));
  return new URL(url).host;
};

export type World = Awaited<ReturnType<typeof startWorld>>;

const ROUND_PAUSE_MS = 150;
const GIVE_UP_MS = 120_000;

/**
 * @param startOthers Starts further targets on the same stores; returns them by their `instance`.
 * @param faster How many times as fast the rules run.
 */
export const startWorld = async (
  scope: TestScope,
  env: Readonly<Record<string, string>>,
  startOthers: (stores: Stores, store: string) => Promise<Readonly<Record<string, string>>>,
  faster = SIXTY_TIMES,
) => {
  const stores = await startStores(scope);
  const store = await temporaryFolder(scope);
  const others = await startOthers(stores, store);
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
  const { key } = await app.account({ credits: 1_000_000 });
  const post = (url: string, body: unknown, headers = {}) =>
    app.call({ method: 'POST', url, key, body, headers });
  const saved = await post('/api/v1/qr/bulk', { items: [{ data: 'https://example.com/', dynamic: true }] });
  const { slug } = saved.json.results[0]!;
  const hook = await post('/api/v1/webhooks', { url: receiver.url, events: [] });
  await post(`/api/v1/folders/${saved.json.meta.folder_id}/verifications`, undefined);
  const prometheus = await startPrometheus(scope, { gateway: `127.0.0.1:${port}`, ...others }, faster);
  let rounds = 0;
  /** Sends calls of every kind that metrics count. Answers are ignored. */
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
    ...{ stores, app, key, slug: String(slug), prometheus, round },
    /** The folder of the batch store. */
    store,
    /** Sends rounds of calls until `isOver` returns true. Returns false if that takes more than two minutes. */
    async roundsUntil(isOver: () => Promise<boolean>): Promise<boolean> {
      const untilMs = performance.now() + GIVE_UP_MS;
      while (performance.now() < untilMs) {
        if (await isOver()) return true;
        await round();
        await sleep(ROUND_PAUSE_MS);
      }
      return false;
    },
    /** Whether these alerts are firing. */
    async fire(...alerts: readonly string[]): Promise<boolean> {
      const firing = await prometheus.firing();
      return alerts.every((alert) => firing.includes(alert));
    },
  };
};
