/** What gateway processes and their supervisor tell each other, over the channel of `node:cluster`. */
import type { MetricReport } from '../metrics/metrics.ts';

/** What a gateway process tells when it serves. */
export interface Ready {
  /** Base of short links, without a trailing slash. */
  readonly url: string;
  /** Whether the database has an account. */
  readonly hasAccounts: boolean;
}

/** From a gateway process. An `id` is that of the question which is answered, or which is to be answered. */
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
