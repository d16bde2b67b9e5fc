/**
 * The events of an account: what happened, and to which webhooks it was delivered. A trigger notes all that it can see:
 * `sql/0010_webhooks.sql`.
 */
import { writeTraceContext } from '../../../tracing/context.ts';
import { currentTrace } from '../../../tracing/trace.ts';
import type { Sql } from '../../client.ts';
import { encodeCursor, type Page, type PageRequest } from '../../cursor.ts';

export const EVENTS_KEPT_DAYS = 30;

/** A page looks at this many events, so that no filter makes it read all. */
export const EVENTS_LOOKED_MAX = 10_000;

/** How the delivery of an event to one webhook stands. */
interface EventDelivery {
  readonly webhook_id: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly tries: number;
  /** The status of the last answer. */
  readonly status: number | null;
  readonly tried_at: string | null;
}

/** An event with its deliveries. */
export interface AccountEvent {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly createdAt: Date;
  readonly deliveries: readonly EventDelivery[];
}

/** Which events are wanted; `null`: any. */
interface EventFilter {
  readonly type: string | null;
  readonly since: Date | null;
  /** Not included. */
  readonly until: Date | null;
  /** Those with a delivery to it. */
  readonly webhookId: string | null;
  /** Whether all of their deliveries have succeeded, and there is one. */
  readonly delivered: boolean | null;
}

/** A page of events, and the time since which none was removed. */
interface EventPage extends Page<AccountEvent> {
  readonly completeSince: Date;
}

interface Row extends AccountEvent {
  readonly isFound: boolean;
  readonly isLastLookedAt: boolean;
}

/** Tells an account that a host of its own is proved, or no longer. */
export const tellDomain = async (
  tx: Sql,
  event: 'domain.verified' | 'domain.lapsed',
  { id, accountId, host }: { readonly id: string; readonly accountId: string; readonly host: string },
): Promise<void> => {
  const data = JSON.stringify({ id, host });
  await tx`select tell_event(${accountId}::uuid, ${event}, ${data}::text::json, null)`;
};

/** The time since which the list has every event of the account. */
const readCompleteSince = async (sql: Sql, accountId: string): Promise<Date> => {
  const [row] = await sql<[{ at: Date }]>`
    select greatest(now() - ${EVENTS_KEPT_DAYS} * interval '1 day', a.created_at,
      (select complete_since from event_trims where account_id = a.id)) as at
    from accounts a where a.id = ${accountId}`;
  return row.at;
};

/** Returns a page of the events of an account, newest first. It may be short although there are more. */
export const listEvents = async (
  sql: Sql,
  accountId: string,
  { type, since, until, webhookId, delivered }: EventFilter,
  { after, limit }: PageRequest,
): Promise<EventPage> => {
  const own = webhookId === null ? sql`` : sql`and d.webhook_id = ${webhookId}`;
  const sent = sql`
    select from webhook_deliveries d join webhooks h on h.id = d.webhook_id where d.event_id = l.id ${own}`;
  const isDelivered = sql`(exists (${sent}) and not exists (${sent} and d.state <> 'delivered'))`;
  const rows = await sql<Row[]>`
    with looked as materialized (
      select id, type, created_at from events
      where account_id = ${accountId} and created_at >= now() - ${EVENTS_KEPT_DAYS} * interval '1 day'
        ${since === null ? sql`` : sql`and created_at >= ${since}`}
        ${until === null ? sql`` : sql`and created_at < ${until}`}
        ${after === null ? sql`` : sql`and (created_at, id) < (${after.createdAt}, ${after.id})`}
      order by created_at desc, id desc limit ${EVENTS_LOOKED_MAX}
    ), judged as (
      select l.id, l.type, l.created_at, row_number() over (order by l.created_at desc, l.id desc) as place,
        true ${type === null ? sql`` : sql`and l.type = ${type}`}
          ${webhookId === null ? sql`` : sql`and exists (${sent})`}
          ${delivered === null ? sql`` : sql`and ${isDelivered} = ${delivered}`} as is_found
      from looked l
    ), page as (
      select * from judged where is_found or place = ${EVENTS_LOOKED_MAX} order by place limit ${limit + 1}
    )
    select p.id, p.type, e.data, p.created_at, p.is_found,
      p.place = ${EVENTS_LOOKED_MAX} as is_last_looked_at, (
      select coalesce(json_agg(json_build_object('webhook_id', d.webhook_id, 'state', d.state, 'tries', d.tries,
        'status', d.status, 'tried_at', webhook_time(d.tried_at)) order by h.created_at, h.id), '[]')
      from webhook_deliveries d join webhooks h on h.id = d.webhook_id where d.event_id = p.id) as deliveries
    from page p join events e on e.id = p.id order by p.place`;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit || last?.isLastLookedAt;
  return {
    rows: shown.filter(({ isFound }) => isFound),
    next: last && hasMore ? encodeCursor(last) : null,
    completeSince: await readCompleteSince(sql, accountId),
  };
};

/** Maximum number of ids in an event. */
const IDS_MAX = 100;

/**
 * Writes `code.created` for the webhooks that subscribe to it: one event for all codes of a call. Must be called in the
 * transaction that saves them. Batches do not call it; the event at their end covers their codes.
 *
 * @param saved.ids The ids of the codes, in order.
 */
export const tellNewCodes = async (
  tx: Sql,
  saved: { accountId: string; folderId: string; keyId: string | null; ids: readonly string[] },
): Promise<void> => {
  const { accountId, folderId, keyId, ids } = saved;
  const trace = currentTrace();
  await tx`
    select tell_new_codes(${accountId}, ${folderId}, ${keyId}, null, ${ids.length}, ${ids.slice(0, IDS_MAX)}::uuid[],
      ${trace === undefined ? null : writeTraceContext(trace.context)})`;
};
