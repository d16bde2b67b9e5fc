/** Webhooks from their account's point of view, and their secrets. Each secret signs every delivery of its webhook. */
import { ok, type Result, refused } from '../../../result.ts';
import { changesOne, findFirst, lockAccount, type Sql } from '../../client.ts';
import { newestFirst, type Page, type PageRequest, readPage } from '../../cursor.ts';

/** A webhook without its secrets. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  /** `off`: disabled by the account. `gone`: its address answered 410. Neither gets deliveries. */
  readonly state: 'on' | 'off' | 'gone';
  /** Failed tries since the last success; those that were under way together count once. */
  readonly failures: number;
  readonly failingSince: Date | null;
  /** Deliveries that were given up. */
  readonly missed: number;
  readonly createdAt: Date;
}

/** The fields of a new webhook. */
interface NewWebhook {
  readonly url: string;
  readonly events: readonly string[];
  readonly secret: Buffer;
}

const columns = (sql: Sql) => sql`
  id, url, events, state, failures, failing_since, missed, created_at`;

/**
 * Saves a webhook. Must be called in a transaction, because it locks the account's row. Refuses when the account
 * already has `max`.
 */
export const insertWebhook = async (
  sql: Sql,
  accountId: string,
  { url, events, secret }: NewWebhook,
  max: number,
): Promise<Result<Webhook, 'too many'>> => {
  await lockAccount(sql, accountId);
  const [counted] = await sql<[{ count: number }]>`
    select count(*)::int as count from webhooks where account_id = ${accountId}`;
  if (counted.count >= max) return refused('too many');
  const [row] = await sql<[Webhook]>`
    with made as (
      insert into webhooks (account_id, url, events) values (${accountId}, ${url}, ${events}::text[])
      returning ${columns(sql)}
    ), kept as (
      insert into webhook_secrets (webhook_id, secret) select id, ${secret} from made
    )
    select ${columns(sql)} from made`;
  return ok(row);
};

/** Returns the account's webhook, or `null` when it has none with this id. */
export const getWebhook = (sql: Sql, accountId: string, id: string): Promise<Webhook | null> =>
  findFirst(sql<Webhook[]>`
    select ${columns(sql)} from webhooks where account_id = ${accountId} and id = ${id}`);

/** Returns a page of the account's webhooks, newest first. */
export const listWebhooks = (sql: Sql, accountId: string, page: PageRequest): Promise<Page<Webhook>> =>
  readPage(
    page,
    sql<Webhook[]>`
    select ${columns(sql)} from webhooks where account_id = ${accountId} ${newestFirst(sql, page)}`,
  );

/** What may change about a webhook. */
interface WebhookChange {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly state?: 'on' | 'off';
}

/**
 * Changes a webhook. Ends any pause after failures, because the cause may be gone. Returns `null` when the account has
 * none with this id.
 */
export const changeWebhook = (
  sql: Sql,
  accountId: string,
  id: string,
  { url, events, state }: WebhookChange,
): Promise<Webhook | null> =>
  findFirst(sql<Webhook[]>`
    update webhooks set url = coalesce(${url ?? null}, url), events = coalesce(${events ?? null}::text[], events),
      state = coalesce(${state ?? null}, state), failures = 0, failing_since = null, paused_until = now()
    where account_id = ${accountId} and id = ${id} returning ${columns(sql)}`);

/** Deletes a webhook. Its deliveries are removed later. Returns `false` when the account has none with this id. */
export const deleteWebhook = (sql: Sql, accountId: string, id: string): Promise<boolean> =>
  changesOne(sql`delete from webhooks where account_id = ${accountId} and id = ${id}`);

/** A secret of a webhook, without its value. */
export interface WebhookSecret {
  readonly id: string;
  readonly createdAt: Date;
}

/** Lets only one caller at a time count and change the secrets. Returns `false` if the account has no such webhook. */
const lockWebhook = (tx: Sql, accountId: string, webhookId: string): Promise<boolean> =>
  changesOne(
    tx`select from webhooks where account_id = ${accountId} and id = ${webhookId} for no key update`,
  );

/** Returns the secrets of a webhook, newest first. Callers must have checked that the webhook is the account's. */
export const listWebhookSecrets = (sql: Sql, webhookId: string): Promise<readonly WebhookSecret[]> =>
  sql<WebhookSecret[]>`
    select id, created_at from webhook_secrets where webhook_id = ${webhookId} order by created_at desc, id desc`;

/**
 * Adds a secret to a webhook, which also signs deliveries from now on. Must be called in a transaction. Refuses when
 * the account has no such webhook, or when it already has `max` secrets.
 */
export const insertWebhookSecret = async (
  tx: Sql,
  { accountId, webhookId, secret }: { accountId: string; webhookId: string; secret: Buffer },
  max: number,
): Promise<Result<WebhookSecret, 'missing' | 'too many'>> => {
  if (!(await lockWebhook(tx, accountId, webhookId))) return refused('missing');
  if ((await listWebhookSecrets(tx, webhookId)).length >= max) return refused('too many');
  const [row] = await tx<[WebhookSecret]>`
    insert into webhook_secrets (webhook_id, secret) values (${webhookId}, ${secret}) returning id, created_at`;
  return ok(row);
};

/**
 * Deletes a secret of a webhook, which signs no further deliveries. Must be called in a transaction. Refuses when the
 * account has no such webhook, when the webhook has no such secret, or when it is the only one.
 */
export const deleteWebhookSecret = async (
  tx: Sql,
  { accountId, webhookId, id }: { accountId: string; webhookId: string; id: string },
): Promise<Result<null, 'missing' | 'only one'>> => {
  if (!(await lockWebhook(tx, accountId, webhookId))) return refused('missing');
  const secrets = await listWebhookSecrets(tx, webhookId);
  if (!secrets.some((secret) => secret.id === id.toLowerCase())) return refused('missing');
  if (secrets.length === 1) return refused('only one');
  await tx`delete from webhook_secrets where webhook_id = ${webhookId} and id = ${id}`;
  return ok(null);
};
