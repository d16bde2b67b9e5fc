/** Webhook deliveries from their account's point of view. Callers must have checked that it owns the webhook. */
import type { Sql } from '../../client.ts';
import { newestFirst, type Page, type PageRequest, readPage } from '../../cursor.ts';

/** A delivery: one event for one webhook, with its latest try. */
export interface Delivery {
  /** The `webhook-id` of each try. */
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly tries: number;
  readonly nextAt: Date;
  readonly triedAt: Date | null;
  readonly durationMs: number | null;
  readonly status: number | null;
  /** The first bytes of the answer. */
  readonly answer: string | null;
  /** Why there was no answer, or will be none. */
  readonly error: string | null;
  readonly createdAt: Date;
}

const columns = (sql: Sql) => sql`
  id, event, data, state, tries, next_at, tried_at, duration_ms, status, answer, error, created_at`;

/** Returns a page of the deliveries of a webhook, newest first. */
export const listDeliveries = (sql: Sql, webhookId: string, page: PageRequest): Promise<Page<Delivery>> =>
  readPage(
    page,
    sql<Delivery[]>`
    select ${columns(sql)} from webhook_deliveries where webhook_id = ${webhookId} ${newestFirst(sql, page)}`,
  );

/** Allows a webhook to be sent to at once, even during a pause after failures. */
const endPause = (sql: Sql, webhookId: string) => sql`
  update webhooks set leased_until = now() where id = ${webhookId} and lessee is null`;

/**
 * Inserts a delivery of the test event, to be sent at once. Returns a pending one instead if there is one, so tests
 * cannot be used to send many requests. Must be called in a transaction.
 */
export const insertTest = async (sql: Sql, webhookId: string, event: string): Promise<Delivery> => {
  // Also serialises callers per webhook.
  await endPause(sql, webhookId);
  const [waiting] = await sql<Delivery[]>`
    update webhook_deliveries set next_at = least(next_at, now())
    where webhook_id = ${webhookId} and state = 'waiting' and event = ${event} returning ${columns(sql)}`;
  if (waiting !== undefined) return waiting;
  const [row] = await sql<[Delivery]>`
    insert into webhook_deliveries (webhook_id, event, data)
    values (${webhookId}, ${event}, json_build_object('webhook_id', ${webhookId}::text)) returning ${columns(sql)}`;
  return row;
};

/**
 * Resends a delivery at once, with the same id, whatever its outcome was. Must be called in a transaction. Returns
 * `null` when the webhook has none with this id.
 */
export const redeliver = async (sql: Sql, webhookId: string, id: string): Promise<Delivery | null> => {
  const [row] = await sql<Delivery[]>`
    update webhook_deliveries set next_at = now(),
      tries = case when state = 'waiting' then tries else 0 end,
      asked_at = case when state = 'waiting' then asked_at else now() end, state = 'waiting'
    where webhook_id = ${webhookId} and id = ${id} returning ${columns(sql)}`;
  if (row === undefined) return null;
  await endPause(sql, webhookId);
  return row;
};
