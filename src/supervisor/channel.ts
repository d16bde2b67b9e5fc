/** What gateway processes and their supervisor tell each other, over the channel of `node:cluster`. */
import cluster from 'node:cluster';
import { AppError } from '../errors.ts';
import type { Exposition, MetricReport, Metrics } from '../metrics/metrics.ts';

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

/** Longer than the supervisor waits for the reports of all processes. */
const SUM_TIMEOUT_MS = 4000;

/** Joins the supervisor that started this process. Call it first, so that no message is missed. */
export const joinSupervisor = () => {
  const worker = cluster.worker;
  if (worker === undefined) throw new Error('this process was not started by a supervisor');
  const sums = createQuestions<string>(SUM_TIMEOUT_MS);
  let metrics: Metrics | undefined;
  let retired: () => void = () => {};
  const toldToRetire = new Promise<void>((resolve) => {
    retired = resolve;
  });
  const tell = (message: ToSupervisor): Promise<void> =>
    // Without a supervisor nobody needs the message.
    new Promise((resolve) => void worker.send(message, () => resolve()));

  worker.on('message', (message: ToGateway) => {
    if (message.kind === 'retire') retired();
    else if (message.kind === 'sum') sums.answered(message.id, message.text);
    else void metrics?.report().then((report) => tell({ kind: 'report', id: message.id, report }));
  });

  return {
    /** Returns metrics that answer with those of all processes. The supervisor may ask for `own` from now on. */
    publish(own: Metrics): Exposition {
      metrics = own;
      return {
        contentType: own.contentType,
        async expose() {
          const sum = await sums.ask((id) => void tell({ kind: 'sum?', id }));
          if (sum !== null) return sum;
          throw new AppError('unavailable', 'The supervisor does not answer; try again.', { retryAfterS: 1 });
        },
      };
    },
    /** Tells the supervisor that this process serves. */
    serves: (ready: Ready) => void tell({ kind: 'ready', ...ready }),
    /** Calls `run` when another process has replaced this one. */
    onRetired: (run: () => void) => void toldToRetire.then(run),
    /** Calls `run` when the supervisor is gone, and with it the port. Until this is called, the process then exits. */
    onOrphaned(run: () => void): void {
      worker.on('disconnect', () => {
        // Otherwise `node:cluster` exits at once.
        worker.exitedAfterDisconnect = true;
        run();
      });
    },
    /** Sends the supervisor the last metrics. Resolves when they are sent. */
    async sayLast(): Promise<void> {
      if (metrics !== undefined) await tell({ kind: 'last report', report: await metrics.report() });
    },
  };
};
