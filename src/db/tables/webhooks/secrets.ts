/** The secrets of webhooks. Each one signs every delivery of its webhook. */
import { ok, type Result, refused } from '../../../result.ts';
import { changesOne, type Sql } from '../../client.ts';

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
