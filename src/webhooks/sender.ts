/**
 * Sends the deliveries of webhooks. Gateways share them: one delivery of a webhook at a time, and next comes the
 * webhook that was served least recently. A delivery whose gateway is killed is sent again, with the same `webhook-id`.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../db/client.ts';
import {
  countWaiting,
  deleteOldDeliveries,
  giveBackSending,
  giveUpOld,
  type LowQuota,
  type Outcome,
  type Sending,
  saveOutcome,
  takeSending,
  tellLowQuota,
  type WaitingDeliveries,
} from '../db/tables/webhooks/sending.ts';
import type { Log } from '../log.ts';
import { waitAtMost } from '../time-limit.ts';
import { restoreTraceContext } from '../tracing/context.ts';
import { continueTrace, inTrace, type Tracer } from '../tracing/trace.ts';
import { LOW_QUOTA_SHARE, signMessage } from './events.ts';
import { pauseOfAddress, pauseOfDelivery } from './pauses.ts';
import { CONCURRENT, type Post, type Posted } from './post.ts';

/** What the sender needs. */
export interface SenderParts {
  readonly sql: Sql;
  readonly post: Post;
  readonly planMonthly: LowQuota['planMonthly'];
  readonly log: Pick<Log, 'warn'>;
  /** `null`: traces are passed on and not recorded. */
  readonly tracer: Tracer | null;
}

/** Tries by how they ended, since the start, and the deliveries that wait in the whole installation. */
export interface SenderStats extends WaitingDeliveries {
  readonly tries: { readonly delivered: number; readonly refused: number; readonly unreachable: number };
  /** Deliveries that were given up: after the last try, at an address that is gone, or after a day. */
  readonly givenUp: number;
}

/** The sending, running. */
export interface Sender {
  /** Looks for deliveries now instead of a little later. */
  wake(): void;
  stats(): SenderStats;
  /** Ends after the requests under way. */
  close(): Promise<void>;
}

/** Longer than a request may take. Another gateway sends a delivery again so long after one was killed. */
const LEASE_MS = 20_000;
const LOOK_EVERY_MS = 2000;
const COUNT_EVERY_MS = 10_000;
const TIDY_EVERY_MS = 600_000;
const AFTER_FAILURE_MS = 10_000;
const CLOSE_MS = 6000;
const GIVEN_UP_AFTER_S = 86_400;
const KEPT_DAYS = 30;
/** Deliveries of a webhook that are kept. */
const KEPT_MAX = 10_000;

/** 410: the address wants no more, by the Standard Webhooks rules. */
const GONE = 410;

const judge = (posted: Posted, { tries, failures }: Sending, durationMs: number): Outcome => {
  const isDelivered = posted.status !== null && posted.status >= 200 && posted.status < 300;
  const isGone = posted.status === GONE;
  return {
    ...posted,
    durationMs,
    isDelivered,
    isGone,
    pauseMs: isDelivered || isGone ? null : pauseOfDelivery(tries),
    webhookPauseMs: isDelivered ? 0 : pauseOfAddress(failures + 1),
  };
};

/** Starts the sending. It ends with `close`. */
export const startSender = ({ sql, post, planMonthly, log, tracer }: SenderParts): Sender => {
  const lessee = randomUUID();
  const ending = new AbortController();
  const underWay = new Set<Promise<void>>();
  const tries = { delivered: 0, refused: 0, unreachable: 0 };
  let awake = new AbortController();
  let givenUp = 0;
  let counts: WaitingDeliveries = { waiting: 0, oldestS: 0 };

  const count = ({ isDelivered, pauseMs, status }: Outcome): void => {
    tries[isDelivered ? 'delivered' : status === null ? 'unreachable' : 'refused'] += 1;
    if (!isDelivered && pauseMs === null) givenUp += 1;
  };

  const send = async (sending: Sending): Promise<void> => {
    const { body, headers } = signMessage(sending, sending.secret, new Date());
    const beganMs = performance.now();
    const posted = await post.post(sending.url, headers, body);
    const outcome = judge(posted, sending, Math.round(performance.now() - beganMs));
    count(outcome);
    await saveOutcome(sql, sending, outcome);
  };

  const rest = async (ms: number): Promise<void> => {
    const signal = AbortSignal.any([awake.signal, ending.signal]);
    await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
    if (awake.signal.aborted) awake = new AbortController();
  };

  const wake = (): void => awake.abort();

  const begin = (sending: Sending): void => {
    const attributes = { 'tessera.event': sending.event, 'tessera.tries': sending.tries };
    const above = restoreTraceContext(sending.trace);
    const trace = continueTrace(tracer, above, { name: 'webhook delivery', kind: 'client', attributes });
    const sent = inTrace(trace, () => send(sending))
      // It stays leased and is sent again, because nobody knows that it was sent.
      .catch((err) => log.warn({ err, delivery: sending.id }, 'a webhook was sent and not noted'))
      .finally(() => {
        underWay.delete(sent);
        wake();
      });
    underWay.add(sent);
  };

  /** Begins what can be begun, and then waits for a request that ends, a call of `wake`, or the next look. */
  const sendAll = async (): Promise<void> => {
    while (underWay.size < CONCURRENT && !ending.signal.aborted) {
      const sending = await takeSending(sql, lessee, LEASE_MS);
      if (sending === null) break;
      if (ending.signal.aborted) await giveBackSending(sql, sending);
      else begin(sending);
    }
    await rest(LOOK_EVERY_MS);
  };

  const repeat = async (what: string, everyMs: number, work: () => Promise<void>): Promise<void> => {
    while (!ending.signal.aborted) {
      let pauseMs = everyMs;
      try {
        await work();
      } catch (err) {
        if (ending.signal.aborted) return;
        log.warn({ err }, what);
        pauseMs = Math.max(everyMs, AFTER_FAILURE_MS);
      }
      await sleep(pauseMs, undefined, { signal: ending.signal, ref: false }).catch(() => {});
    }
  };

  const running = Promise.all([
    repeat('webhooks wait for the database', 0, sendAll),
    repeat('deliveries of webhooks are counted later', COUNT_EVERY_MS, async () => {
      await tellLowQuota(sql, { share: LOW_QUOTA_SHARE, planMonthly });
      counts = await countWaiting(sql);
    }),
    repeat('old deliveries of webhooks are removed later', TIDY_EVERY_MS, async () => {
      givenUp += await giveUpOld(sql, GIVEN_UP_AFTER_S);
      await deleteOldDeliveries(sql, KEPT_DAYS, KEPT_MAX);
    }),
  ]);

  return {
    wake,
    stats: () => ({ ...counts, tries: { ...tries }, givenUp }),
    async close() {
      ending.abort();
      const ended = running.then(() => Promise.all(underWay));
      await waitAtMost(ended, CLOSE_MS);
      await post.close();
    },
  };
};
