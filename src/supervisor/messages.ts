/** The messages between gateway processes and their supervisor, over the channel of `node:cluster`. */
import type { MetricReport } from '../metrics/metrics.ts';

/** What a gateway process reports when it serves. */
export interface Ready {
  /** Base of short links, without a trailing slash. */
  readonly url: string;
  /** Whether the database has an account. */
  readonly hasAccounts: boolean;
}

/** From a gateway process. An `id` matches a question and its answer. */
export type ToSupervisor =
  | ({ readonly kind: 'ready' } & Ready)
  | { readonly kind: 'report'; readonly id: number; readonly report: MetricReport }
  | { readonly kind: 'last report'; readonly report: MetricReport }
  | { readonly kind: 'sum?'; readonly id: number };

/** To a gateway process. `retire`: another process serves in its place. */
export type ToGateway =
  | { readonly kind: 'report?'; readonly id: number }
  | { readonly kind: 'sum'; readonly id: number; readonly text: string }
  | { readonly kind: 'retire' };
