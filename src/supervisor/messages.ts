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

/** Questions to another process that wait for their answers for `timeoutMs`. Each has a number that its answer repeats. */
export const createQuestions = <T>(timeoutMs: number) => {
  const open = new Map<number, (answer: T | null) => void>();
  let lastId = 0;
  return {
    /** Sends a question with its number. Resolves with the answer, or with `null` when none comes in time. */
    ask(send: (id: number) => void): Promise<T | null> {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve) => {
        const timer = setTimeout(() => settle(null), timeoutMs);
        const settle = (answer: T | null): void => {
          clearTimeout(timer);
          open.delete(id);
          resolve(answer);
        };
        open.set(id, settle);
        send(id);
      });
    },
    /** Takes an answer. One that comes too late is dropped. */
    answered: (id: number, answer: T): void => open.get(id)?.(answer),
  };
};
