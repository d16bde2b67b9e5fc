import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import { createPost } from '../webhooks/post.ts';
import { startSender } from '../webhooks/sender.ts';
import type { Stores } from './stores.ts';

/** Builds what the routes of webhooks use, and starts to send deliveries. */
export const createWebhooks = (
  { webhooks, quota: { planMonthly } }: Config,
  { database: { sql } }: Stores,
  log: Log,
) => ({
  ...webhooks,
  sender: startSender({ sql, post: createPost(webhooks), planMonthly, log }),
});
