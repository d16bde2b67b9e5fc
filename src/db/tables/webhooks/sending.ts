/** The sending of deliveries, which gateways share. The only clock is the database's. */
import { fromNow, type Sql } from '../../client.ts';

/** A delivery that a gateway is sending. */
export interface Sending {
  readonly id: string;
  readonly webhookId: string;
  readonly leaseHolder: string;
  readonly url: string;
  /** Of the webhook, the newest first. */
  readonly secrets: readonly Buffer[];
  readonly event: string;
  readonly data: unknown;
  readonly createdAt: Date;
  /** The trace of the call that led to it, as `writeTraceContext` writes it. */
  readonly trace: string | null;
  /** Including this one. */
  readonly tries: number;
  /** Failures of the webhook in a row, before this try. */
  readonly failures: number;
}

/**
 * Takes the next delivery, from the least recently served webhook that no gateway is sending to and that is not paused.
 * The webhook is leased for `leaseMs`. Returns `null` when there is none.
 *
 * The recursion reads one index entry per webhook with pending deliveries, however many those are.
 */
export const takeSending = async (
  sql: Sql,
  leaseHolder: string,
  leaseMs: number,
): Promise<Sending | null> => {
  const [row] = await sql<Omit<Sending, 'leaseHolder'>[]>`
    with recursive waiting (id) as (
      (select webhook_id from webhook_deliveries where state = 'waiting' order by webhook_id limit 1)
      union all
      select (
        select d.webhook_id from webhook_deliveries d
        where d.state = 'waiting' and d.webhook_id > w.id order by d.webhook_id limit 1)
      from waiting w where w.id is not null
    ), next as (
      select h.id as webhook_id, d.id from waiting join webhooks h using (id)
      cross join lateral (
        select id from webhook_deliveries
        where webhook_id = h.id and state = 'waiting' and next_at <= now() order by next_at limit 1) d
      where h.state = 'on' and h.leased_until <= now()
      order by h.leased_until limit 1 for no key update of h skip locked
    ), begun as (
      update webhook_deliveries d set tries = d.tries + 1, tried_at = now()
      from next where d.id = next.id and d.state = 'waiting' and d.next_at <= now()
      returning d.*
    )
    update webhooks h set lessee = ${leaseHolder}, leased_until = ${fromNow(sql, leaseMs)}
    from begun d where h.id = d.webhook_id
    returning d.id, d.webhook_id, h.url, (
      select array_agg(s.secret order by s.created_at desc, s.id desc) from webhook_secrets s where s.webhook_id = h.id
    ) as secrets, d.event, d.data, d.created_at, d.trace, d.tries, h.failures`;
  return row === undefined ? null : { ...row, leaseHolder };
};

/** How a try ended. */
export interface Outcome {
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly isDelivered: boolean;
  /** Pause before the next try; `null`: there is none. */
  readonly pauseMs: number | null;
  /** Pause before any other delivery to the webhook. */
  readonly webhookPauseMs: number;
  /** The endpoint wants no more deliveries. */
  readonly isGone: boolean;
}

/**
 * Saves how a try ended, and releases the webhook. If another gateway has restarted the delivery, its try counts.
 */
export const saveOutcome = async (
  sql: Sql,
  { id, webhookId, leaseHolder, tries }: Sending,
  outcome: Outcome,
): Promise<void> => {
  const { status, answer, error, durationMs, isDelivered, pauseMs, webhookPauseMs, isGone } = outcome;
  const state = isDelivered ? 'delivered' : pauseMs === null ? 'failed' : 'waiting';
  await sql`
    with saved as (
      update webhook_deliveries set state = ${state}, next_at = ${fromNow(sql, pauseMs ?? 0)}, status = ${status},
        answer = ${answer}, error = ${error}, duration_ms = ${durationMs}
      where id = ${id} and state = 'waiting' and (tries = ${tries} or ${isDelivered})
    )
    update webhooks set lessee = null, leased_until = ${fromNow(sql, webhookPauseMs)},
      failures = ${isDelivered ? sql`0` : sql`failures + 1`}, state = ${isGone ? sql`'gone'` : sql`state`}
    where id = ${webhookId} and lessee = ${leaseHolder}`;
};

/** Releases a webhook whose try did not finish, so that it is retried at once. */
export const giveBackSending = async (sql: Sql, { webhookId, leaseHolder }: Sending): Promise<void> => {
  await sql`update webhooks set lessee = null, leased_until = now() where id = ${webhookId} and lessee = ${leaseHolder}`;
};

/** The number of pending deliveries to enabled webhooks, and the age of the oldest. */
export interface WaitingDeliveries {
  readonly waiting: number;
  readonly oldestS: number;
}

/** Counts the pending deliveries. */
export const countWaiting = async (sql: Sql): Promise<WaitingDeliveries> => {
  const [row] = await sql<[WaitingDeliveries]>`
    select count(*)::int as waiting,
      coalesce(greatest(0, extract(epoch from now() - min(d.asked_at))), 0)::float8 as oldest_s
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.state = 'waiting' and w.state = 'on'`;
  return row;
};

/** What triggers `quota.low`; see `tell_low_quota` in `sql/0010_webhooks.sql`. */
export interface LowQuota {
  readonly share: number;
  readonly planMonthly: { readonly free: number; readonly pro: number };
}

/** Writes `quota.low` for accounts that have little left and were not notified this month. */
export const tellLowQuota = async (sql: Sql, { share, planMonthly }: LowQuota): Promise<void> => {
  await sql`select tell_low_quota(${share}, ${planMonthly.free}, ${planMonthly.pro})`;
};

/** Writes `scan` for accounts whose webhooks were not notified of scans in the last minute. */
export const tellScans = async (sql: Sql): Promise<void> => {
  await sql`select tell_scans()`;
};

/** Gives up deliveries that are still pending after more than a day. Returns how many. */
export const giveUpOld = async (sql: Sql, seconds: number): Promise<number> => {
  const { count } = await sql`
    update webhook_deliveries set state = 'failed', error = coalesce(error, 'it waited for more than a day')
    where state = 'waiting' and asked_at < now() - ${seconds} * interval '1 second'`;
  return count;
};

const CHUNK = 5000;

/**
 * Deletes deliveries older than `days`, those beyond the newest `kept` of a webhook, even if pending, and those whose
 * webhook was deleted. Deletes some thousands at a time.
 */
export const deleteOldDeliveries = async (sql: Sql, days: number, kept: number): Promise<void> => {
  for (let deleted = CHUNK; deleted >= CHUNK; ) {
    const { count } = await sql`
      with crowded as (
        select webhook_id from webhook_deliveries group by webhook_id having count(*) > ${kept}
      ), old as (
        (select id from webhook_deliveries where created_at < now() - ${days} * interval '1 day' limit ${CHUNK})
        union
        (select o.id from crowded c cross join lateral (
          select id from webhook_deliveries where webhook_id = c.webhook_id
          order by created_at desc, id desc offset ${kept}) o limit ${CHUNK})
        union
        (select id from webhook_deliveries d
          where not exists (select from webhooks w where w.id = d.webhook_id) limit ${CHUNK})
      )
      delete from webhook_deliveries where id in (select id from old)`;
    deleted = count;
  }
};
