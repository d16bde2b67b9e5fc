/** Helpers for webhook tests: an app, a receiver for each test, and the calls of an account. */
import t from 'tap';
import { startBatchApp } from '../batches/support.ts';
import type { TestScope } from '../servers/server-process.ts';
import type { Answer, TestApp } from '../support/app/app.ts';
import { startReceiver } from './receiver.ts';

let shared: ReturnType<typeof startBatchApp> | undefined;

/** Returns the app that webhook tests share, which may send to loopback addresses. */
export const sharedHooksApp = (): ReturnType<typeof startBatchApp> => {
  shared ??= startBatchApp(t, { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOKS_PER_ACCOUNT_MAX: '3' });
  return shared;
};

/** Starts a receiver that ends with the scope. */
export const receiverFor = async (scope: TestScope) => {
  const receiver = await startReceiver();
  scope.teardown(receiver.close);
  return receiver;
};

/**
 * Inserts made-up events of `batch.done`, each with a delivery to a webhook. Event `n` of `count` is `n * ageS` seconds
 * old.
 */
export const insertEvents = async (
  sql: Awaited<ReturnType<typeof startBatchApp>>['sql'],
  webhookId: string,
  count: number,
  ageS = 0,
): Promise<void> => {
  await sql`
    with event as (
      insert into events (account_id, type, data, created_at)
      select h.account_id, 'batch.done', json_build_object('n', n), now() - n * ${ageS}::int * interval '1 second'
      from webhooks h, generate_series(1, ${count}::int) n where h.id = ${webhookId} returning id, created_at
    )
    insert into webhook_deliveries (event_id, webhook_id, created_at, asked_at, next_at)
    select id, ${webhookId}, created_at, created_at, created_at from event`;
};

const PATH = '/api/v1/webhooks';

/** Returns functions that make webhook calls with a key. */
export const createHooks = ({ call }: Pick<TestApp, 'call'>, key: string) => {
  const post = (rest: string, body?: unknown) => call({ method: 'POST', url: PATH + rest, key, body });
  const rowsOf = async (id: string, what: string) =>
    (await call({ url: `${PATH}/${id}/${what}`, key })).json.data as readonly Answer['json'][];
  return {
    post,
    make: async (to: string, events: readonly string[] = []): Promise<Answer['json']> => {
      const made = await post('', { url: to, events });
      if (made.status !== 201) throw new Error(made.text);
      return made.json;
    },
    show: async (id: string) => (await call({ url: `${PATH}/${id}`, key })).json,
    patch: (id: string, body: unknown) => call({ method: 'PATCH', url: `${PATH}/${id}`, key, body }),
    remove: (id: string) => call({ method: 'DELETE', url: `${PATH}/${id}`, key }),
    secretsOf: (id: string) => rowsOf(id, 'secrets'),
    endSecret: (id: string, secret: string) =>
      call({ method: 'DELETE', url: `${PATH}/${id}/secrets/${secret}`, key }),
    deliveries: (id: string) => rowsOf(id, 'deliveries'),
    events: async (query = '') => (await call({ url: `/api/v1/events?limit=100${query}`, key })).json,
  };
};
