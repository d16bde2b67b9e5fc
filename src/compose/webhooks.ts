import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import type { Tracer } from '../tracing/trace.ts';
import { createPost } from '../webhooks/post.ts';
import { startSender } from '../webhooks/sender.ts';
import type { Stores } from './stores.ts';

/** Builds what the routes of webhooks use, and starts to send deliveries. */
export const createWebhooks = (
  { webhooks, quota: { planMonthly } }: Config,
  { database: { sql } }: Stores,
  { log, tracer }: { readonly log: Log; readonly tracer: Tracer | null },
) => ({
  ...webhooks,
  sender: startSender({ sql, post: createPost(webhooks), planMonthly, log, tracer }),
});
