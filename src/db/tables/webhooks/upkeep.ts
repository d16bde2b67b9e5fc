/** What ends deliveries and events. Nothing ends unseen: a delivery that is given up is `failed`, says why, and counts. */
import type { Sql } from '../../client.ts';

const CHUNK = 5000;

/** Repeats a statement that changes some thousands of rows at a time. Returns how many it changed. */
const inChunks = async (change: () => PromiseLike<{ readonly count: number }>): Promise<number> => {
  let changed = 0;
  for (let last = CHUNK; last >= CHUNK; ) {
    last = (await change()).count;
    changed += last;
  }
  return changed;
};

/** Gives up the deliveries that `old` selects, for a reason. Returns how many. */
const giveUp = async (sql: Sql, why: string, old: () => ReturnType<Sql>): Promise<number> =>
  inChunks(
    () => sql`
    with old as (${old()}), ended as (
      update webhook_deliveries d set state = 'failed', error = ${why} from old
      where d.event_id = old.event_id and d.webhook_id = old.webhook_id and d.state = 'waiting'
      returning d.webhook_id
    ), counted as (
      update webhooks h set missed = missed + e.count
      from (select webhook_id, count(*) from ended group by webhook_id) e where h.id = e.webhook_id
    )
    select from ended`,
  );

/** Gives up deliveries that wait for more than `days`. Returns how many. */
export const giveUpOld = (sql: Sql, days: number): Promise<number> =>
  giveUp(
    sql,
    `it was not delivered within ${days} days`,
    () => sql`
    select event_id, webhook_id from webhook_deliveries
    where state = 'waiting' and asked_at < now() - ${days} * interval '1 day' limit ${CHUNK}`,
  );

/** Gives up the oldest deliveries of webhooks for which more than `max` wait. Returns how many. */
export const giveUpCrowded = (sql: Sql, max: number): Promise<number> =>
  giveUp(
    sql,
    `more than ${max.toLocaleString('en')} deliveries waited for this webhook`,
    () => sql`
    select o.event_id, c.webhook_id from (
      select webhook_id, count(*) - ${max}::int as excess from webhook_deliveries where state = 'waiting'
      group by webhook_id having count(*) > ${max}::int
    ) c cross join lateral (
      select event_id from webhook_deliveries d where d.webhook_id = c.webhook_id and d.state = 'waiting'
      order by d.created_at, d.event_id limit c.excess
    ) o limit ${CHUNK}`,
  );

/** Deletes events that are older than `days`, with their deliveries, and deliveries whose webhook was deleted. */
export const deleteOldEvents = async (sql: Sql, days: number): Promise<void> => {
  await inChunks(
    () => sql`
    delete from events where id in (
      select id from events where created_at < now() - ${days} * interval '1 day' order by created_at limit ${CHUNK})`,
  );
  await inChunks(
    () => sql`
    delete from webhook_deliveries where (event_id, webhook_id) in (
      select event_id, webhook_id from webhook_deliveries d
      where not exists (select from webhooks w where w.id = d.webhook_id) limit ${CHUNK})`,
  );
};

/** Answers that are kept of a webhook: a bound of its bytes. */
export const ANSWERS_KEPT = 1000;

/** Deletes the answers of a webhook beyond its newest ones. */
export const trimAnswers = async (sql: Sql, webhookId: string, kept = ANSWERS_KEPT): Promise<void> => {
  await sql`
    delete from webhook_answers where webhook_id = ${webhookId} and at < (
      select at from webhook_answers where webhook_id = ${webhookId} order by at desc offset ${kept - 1} limit 1)`;
};

/** Deletes the events of an account beyond its newest ones: those that are older than `before` and wait for no webhook. */
const trimAccount = async (sql: Sql, accountId: string, before: Date): Promise<void> => {
  await sql`
    insert into event_trims (account_id, complete_since)
    select id, ${before} from accounts where id = ${accountId}
    on conflict (account_id) do update
      set complete_since = greatest(event_trims.complete_since, excluded.complete_since)`;
  await inChunks(
    () => sql`
    delete from events where id in (
      select e.id from events e where e.account_id = ${accountId} and e.created_at < ${before} and not exists (
        select from webhook_deliveries d join webhooks h on h.id = d.webhook_id
        where d.event_id = e.id and d.state = 'waiting')
      order by e.created_at limit ${CHUNK})`,
  );
};

/** Keeps the newest `max` events of each account, and older ones that wait for a webhook. Visits one account at a time. */
export const trimEvents = async (sql: Sql, max: number): Promise<void> => {
  for (let last: string | null = null; ; ) {
    const [next]: readonly { accountId: string; oldestKept: Date | null }[] = await sql<
      { accountId: string; oldestKept: Date | null }[]
    >`
      select a.account_id, (
        select e.created_at from events e where e.account_id = a.account_id
        order by e.created_at desc, e.id desc offset ${max - 1} limit 1) as oldest_kept
      from (select account_id from events ${last === null ? sql`` : sql`where account_id > ${last}`}
        order by account_id limit 1) a`;
    if (next === undefined) return;
    last = next.accountId;
    if (next.oldestKept !== null) await trimAccount(sql, next.accountId, next.oldestKept);
  }
};
