/** The sending of deliveries, which gateways share. The only clock is the database's. */
import { fromNow, type Sql } from '../../client.ts';

/** A delivery that a gateway is sending. */
export interface Sending {
  /** Of its event. */
  readonly id: string;
  readonly webhookId: string;
  readonly accountId: string;
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

/** What a gateway may take. */
export interface Room {
  /** Accounts of which it takes nothing now. */
  readonly busy: readonly string[];
  readonly max: number;
  /** Deliveries of a webhook that all gateways together send at once. */
  readonly atOnce: number;
  readonly leaseMs: number;
}

/** Takes due deliveries of one webhook and leases them; see `take_deliveries` in `sql/0010_webhooks.sql`. */
export const takeSendings = (
  sql: Sql,
  { busy, max, atOnce, leaseMs }: Room,
): PromiseLike<readonly Sending[]> => sql<Sending[]>`
  select d.event_id as id, d.webhook_id, h.account_id, h.url, (
      select array_agg(s.secret order by s.created_at desc, s.id desc) from webhook_secrets s where s.webhook_id = h.id
    ) as secrets, e.type as event, e.data, e.created_at, e.trace, d.tries, h.failures
  from take_deliveries(${busy}::uuid[], ${max}, ${atOnce}, ${leaseMs} * interval '1 millisecond') d
  join webhooks h on h.id = d.webhook_id join events e on e.id = d.event_id
  order by e.created_at`;

/** How a try ended. */
export interface Outcome {
  readonly status: number | null;
  readonly answer: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly isDelivered: boolean;
  /** Pause before the next try; 0 when there is none. */
  readonly pauseMs: number;
  /** Pause before any other delivery to the webhook. */
  readonly webhookPauseMs: number;
  /** The endpoint wants no more deliveries. */
  readonly isGone: boolean;
}

/** After an outage of this length, deliveries that failed during it are tried at once. */
const OUTAGE_MS = 600_000;

/**
 * Saves how a try ended. If another gateway has restarted the delivery, its try counts. Failures of tries that were
 * under way together count once for the webhook.
 */
export const saveOutcome = async (sql: Sql, sending: Sending, outcome: Outcome): Promise<void> => {
  const { id, webhookId, tries, failures } = sending;
  const { status, answer, error, durationMs, isDelivered, pauseMs, webhookPauseMs, isGone } = outcome;
  const state = isDelivered ? 'delivered' : isGone ? 'failed' : 'waiting';
  await sql`
    with hook as (
      select id, failures, failing_since from webhooks where id = ${webhookId} for no key update
    ), saved as (
      update webhook_deliveries set state = ${state}, next_at = ${fromNow(sql, pauseMs)}, leased_until = null,
        status = ${status}, error = ${error}, duration_ms = ${durationMs}
      where event_id = ${id} and webhook_id = ${webhookId} and state = 'waiting'
        and (tries = ${tries} or ${isDelivered})
      returning event_id
    ), ${
      answer === null
        ? sql`forgotten as (
            delete from webhook_answers a using saved where a.webhook_id = ${webhookId} and a.event_id = saved.event_id
          )`
        : sql`kept as (
            insert into webhook_answers (webhook_id, event_id, headers, body)
            select ${webhookId}, event_id, ${JSON.stringify(answer.headers)}::text::json, ${answer.body} from saved
            on conflict (webhook_id, event_id) do update
              set headers = excluded.headers, body = excluded.body, at = excluded.at
          )`
    }, resumed as (
      update webhook_deliveries d set next_at = d.created_at from hook
      where ${isDelivered} and hook.failing_since < ${fromNow(sql, -OUTAGE_MS)} and d.webhook_id = hook.id
        and d.event_id <> ${id} and d.state = 'waiting' and d.next_at > now()
    )
    update webhooks h set ${
      isDelivered
        ? sql`failures = 0, failing_since = null, paused_until = least(h.paused_until, now())`
        : sql`failing_since = coalesce(h.failing_since, now()),
            failures = case when h.failures = ${failures} then h.failures + 1 else h.failures end,
            paused_until = case when h.failures = ${failures} then ${fromNow(sql, webhookPauseMs)}
              else h.paused_until end,
            missed = h.missed + ${isGone ? 1 : 0}, state = ${isGone ? sql`'gone'` : sql`h.state`}`
    }
    from hook where h.id = hook.id and (hook.failures > 0 or not ${isDelivered})`;
};

/** Releases a delivery whose try was not begun, so that it is taken at once. */
export const giveBackSending = async (sql: Sql, { id, webhookId, tries }: Sending): Promise<void> => {
  await sql`
    update webhook_deliveries set leased_until = null, tries = tries - 1
    where event_id = ${id} and webhook_id = ${webhookId} and tries = ${tries} and state = 'waiting'`;
};

/** The deliveries to webhooks that are on and wait. */
export interface WaitingDeliveries {
  readonly waiting: number;
  readonly oldestS: number;
  /** How long a delivery has been due to a webhook for which no gateway has done anything since. */
  readonly unservedS: number;
}

/** Counts the waiting deliveries. */
export const countWaiting = async (sql: Sql): Promise<WaitingDeliveries> => {
  const [row] = await sql<[WaitingDeliveries]>`
    with hook as (
      select webhook_id, count(*)::int as waiting, min(asked_at) as asked_at, min(next_at) as next_at
      from webhook_deliveries where state = 'waiting' group by webhook_id
    )
    select coalesce(sum(waiting), 0)::int as waiting,
      coalesce(greatest(0, extract(epoch from now() - min(asked_at))), 0)::float8 as oldest_s,
      coalesce(greatest(0, extract(epoch from now() - min(greatest(next_at, w.paused_until, w.served_at)))), 0)::float8
        as unserved_s
    from hook join webhooks w on w.id = hook.webhook_id where w.state = 'on'`;
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
