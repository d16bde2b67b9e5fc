/** Webhook deliveries from their account's point of view. Callers must have checked that it owns the webhook. */
import type { Sql } from '../../client.ts';
import { newestFirst, type Page, type PageRequest, readPage } from '../../cursor.ts';
import { EVENTS_LOOKED_MAX } from './events.ts';

/** A delivery: one event for one webhook, with its latest try. */
export interface Delivery {
  /** That of its event, and the `webhook-id` of each try. */
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly tries: number;
  readonly nextAt: Date;
  readonly triedAt: Date | null;
  readonly durationMs: number | null;
  readonly status: number | null;
  /** The first bytes of the answer, and some of its headers; `null`: there was none, or it is no longer kept. */
  readonly answer: string | null;
  readonly answerHeaders: Readonly<Record<string, string>> | null;
  /** Why there was no answer, or will be none. */
  readonly error: string | null;
  readonly createdAt: Date;
}

/** All deliveries, each with its event. */
const deliveries = (sql: Sql) => sql`(
  select d.webhook_id, d.event_id as id, e.type as event, e.data, d.state, d.tries, d.next_at, d.tried_at, d.duration_ms,
    d.status, a.body as answer, a.headers as answer_headers, d.error, d.created_at
  from webhook_deliveries d join events e on e.id = d.event_id
  left join webhook_answers a on a.webhook_id = d.webhook_id and a.event_id = d.event_id) delivery`;

const columns = (sql: Sql) => sql`
  id, event, data, state, tries, next_at, tried_at, duration_ms, status, answer, answer_headers, error, created_at`;

/** Returns a page of the deliveries of a webhook, newest first. */
export const listDeliveries = (sql: Sql, webhookId: string, page: PageRequest): Promise<Page<Delivery>> =>
  readPage(
    page,
    sql<Delivery[]>`
    select ${columns(sql)} from ${deliveries(sql)} where webhook_id = ${webhookId} ${newestFirst(sql, page)}`,
  );

const getDelivery = async (sql: Sql, webhookId: string, id: string): Promise<Delivery | null> => {
  const [row] = await sql<Delivery[]>`
    select ${columns(sql)} from ${deliveries(sql)} where webhook_id = ${webhookId} and id = ${id}`;
  return row ?? null;
};

/**
 * Allows a webhook to be sent to at once, even during a pause after failures. Comes before changes of its deliveries:
 * it locks the webhook first, as the sending does.
 */
const endPause = (sql: Sql, webhookId: string) => sql`
  update webhooks set paused_until = least(paused_until, now()) where id = ${webhookId}`;

/**
 * Inserts the test event with its delivery, to be sent at once. Returns a waiting one instead if there is one, so tests
 * cannot be used to send many requests. Must be called in a transaction.
 */
export const insertTest = async (
  tx: Sql,
  { accountId, webhookId }: { readonly accountId: string; readonly webhookId: string },
  event: string,
): Promise<Delivery | null> => {
  // Also serialises callers per webhook.
  await endPause(tx, webhookId);
  const [waiting] = await tx<{ eventId: string }[]>`
    update webhook_deliveries d set next_at = least(d.next_at, now()) from events e
    where d.webhook_id = ${webhookId} and d.state = 'waiting' and e.id = d.event_id and e.type = ${event}
    returning d.event_id`;
  if (waiting !== undefined) return getDelivery(tx, webhookId, waiting.eventId);
  const [made] = await tx<[{ eventId: string }]>`
    with event as (
      insert into events (account_id, type, data)
      values (${accountId}, ${event}, json_build_object('webhook_id', ${webhookId}::text)) returning id, created_at
    )
    insert into webhook_deliveries (event_id, webhook_id, created_at)
    select id, ${webhookId}, created_at from event returning event_id`;
  return getDelivery(tx, webhookId, made.eventId);
};

/** What a delivery becomes that is asked for again. The one that was due for longest is sent first. */
const askedAgain = (sql: Sql) => sql`
  next_at = case when d.state = 'waiting' then least(d.next_at, now()) else d.created_at end,
  tries = case when d.state = 'waiting' then d.tries else 0 end,
  asked_at = case when d.state = 'waiting' then d.asked_at else now() end, state = 'waiting'`;

/**
 * Resends a delivery at once, with the same id, whatever its outcome was. Must be called in a transaction. Returns
 * `null` when the webhook has none with this id.
 */
export const redeliver = async (tx: Sql, webhookId: string, id: string): Promise<Delivery | null> => {
  await endPause(tx, webhookId);
  await tx`
    update webhook_deliveries d set ${askedAgain(tx)} where d.webhook_id = ${webhookId} and d.event_id = ${id}`;
  return getDelivery(tx, webhookId, id);
};

/** Which events of an account are sent to a webhook again. */
export interface Again {
  readonly accountId: string;
  readonly webhookId: string;
  readonly since: Date;
  /** Not included. */
  readonly until: Date;
  /** `null`: those to which the webhook subscribes, and those that it was sent. */
  readonly types: readonly string[] | null;
  /** Leaves those that it has received. */
  readonly onlyUndelivered: boolean;
}

/** How many deliveries wait now because of a call, and where the next call continues; `null`: there are no more events. */
export interface Resent {
  readonly count: number;
  readonly nextSince: Date | null;
}

/**
 * Sends the events of a span to a webhook again, with the same ids, and those that it was never sent. Looks at the
 * oldest events of the span, as many as `EVENTS_LOOKED_MAX`. Must be called in a transaction.
 */
export const redeliverSpan = async (
  tx: Sql,
  { accountId, webhookId, since, until, types, onlyUndelivered }: Again,
): Promise<Resent> => {
  await endPause(tx, webhookId);
  const [row] = await tx<[Resent]>`
    with looked as materialized (
      select id, type, created_at, row_number() over (order by created_at, id) as place from (
        select id, type, created_at from events
        where account_id = ${accountId} and created_at >= ${since} and created_at < ${until}
        order by created_at, id limit ${EVENTS_LOOKED_MAX + 1}) e
    ), asked as (
      insert into webhook_deliveries as d (event_id, webhook_id, created_at, next_at)
      select l.id, ${webhookId}, l.created_at, l.created_at from looked l
      where l.place <= ${EVENTS_LOOKED_MAX} and ${
        types === null
          ? tx`(l.type = any (select unnest(events) from webhooks where id = ${webhookId}) or exists (
              select from webhook_deliveries o where o.event_id = l.id and o.webhook_id = ${webhookId}))`
          : tx`l.type = any (${types}::text[])`
      }
      order by l.id
      on conflict (event_id, webhook_id) do update set ${askedAgain(tx)}
      where not (${onlyUndelivered} and d.state = 'delivered')
      returning 1
    )
    select (select count(*)::int from asked) as count,
      (select created_at from looked where place > ${EVENTS_LOOKED_MAX}) as next_since`;
  return row;
};
