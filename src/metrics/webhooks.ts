import type { Registry } from 'prom-client';
import { byLabel, counter, gauge, plain } from './scrape.ts';

/** The deliveries of webhooks: tries of this process, and what waits in the database. */
export interface WebhookStats {
  readonly tries: { readonly delivered: number; readonly refused: number; readonly unreachable: number };
  readonly givenUp: number;
  readonly waiting: number;
  readonly oldestS: number;
}

/** Registers the webhooks. The last two count the database, so the numbers of several processes are the same. */
export const registerWebhooks = (registry: Registry, stats: () => WebhookStats): void => {
  counter(registry, 'tessera_webhooks_tries_total', 'Tries to deliver a webhook.', () =>
    byLabel('outcome', { ...stats().tries }),
  );
  counter(registry, 'tessera_webhooks_given_up_total', 'Deliveries that were given up.', () =>
    plain(stats().givenUp),
  );
  gauge(registry, 'tessera_webhooks_waiting', 'Deliveries that wait.', () => plain(stats().waiting), 'max');
  gauge(
    registry,
    'tessera_webhooks_oldest_waiting_seconds',
    'Age of the oldest delivery that waits.',
    () => plain(stats().oldestS),
    'max',
  );
};
