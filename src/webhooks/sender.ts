/**
 * Sends the deliveries of webhooks. Gateways share them: one delivery of a webhook at a time, and next comes the
 * webhook that was served least recently. A delivery whose gateway is killed is sent again, with the same `webhook-id`.
 */
import { randomUUID } from 'node:crypto';
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
  tellScans,
  type WaitingDeliveries,
} from '../db/tables/webhooks/sending.ts';
import type { Log } from '../log.ts';
import { createRounds, LEASE_MS } from '../rounds.ts';
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

const COUNT_EVERY_MS = 10_000;
const TELL_SCANS_EVERY_MS = 5000;
const TIDY_EVERY_MS = 600_000;
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
export const startSender = ({ sql, post, planMonthly, log, tracer }: SenderParts) => {
  const leaseHolder = randomUUID();
  const rounds = createRounds(log);
  const underWay = new Set<Promise<void>>();
  const tries = { delivered: 0, refused: 0, unreachable: 0 };
  let givenUp = 0;
  let counts: WaitingDeliveries = { waiting: 0, oldestS: 0 };

  const count = ({ isDelivered, pauseMs, status }: Outcome): void => {
    tries[isDelivered ? 'delivered' : status === null ? 'unreachable' : 'refused'] += 1;
    if (!isDelivered && pauseMs === null) givenUp += 1;
  };

  const send = async (sending: Sending): Promise<void> => {
    const { body, headers } = signMessage(sending, sending.secrets, new Date());
    const beganMs = performance.now();
    const posted = await post.post(sending.url, headers, body);
    const outcome = judge(posted, sending, Math.round(performance.now() - beganMs));
    count(outcome);
    await saveOutcome(sql, sending, outcome);
  };

  const begin = (sending: Sending): void => {
    const attributes = { 'tessera.event': sending.event, 'tessera.tries': sending.tries };
    const above = restoreTraceContext(sending.trace);
    const trace = continueTrace(tracer, above, { name: 'webhook delivery', kind: 'client', attributes });
    const sent = inTrace(trace, () => send(sending))
      // It stays leased and is sent again, because nothing records that it was sent.
      .catch((err) =>
        log.warn({ err, delivery: sending.id }, 'webhook sent but not recorded; will send it again'),
      )
      .finally(() => {
        underWay.delete(sent);
        rounds.wake();
      });
    underWay.add(sent);
  };

  // Starts what can be started, and then waits for the end of a request, a call of `wake`, or the next poll.
  rounds.work('no webhook could be taken from the database; will retry', async () => {
    while (underWay.size < CONCURRENT && !rounds.isEnding()) {
      const sending = await takeSending(sql, leaseHolder, LEASE_MS);
      if (sending === null) break;
      if (rounds.isEnding()) await giveBackSending(sql, sending);
      else begin(sending);
    }
    return false;
  });
  rounds.every('webhook deliveries could not be counted; will retry', COUNT_EVERY_MS, async () => {
    await tellLowQuota(sql, { share: LOW_QUOTA_SHARE, planMonthly });
    counts = await countWaiting(sql);
  });
  rounds.every('scans could not be told; will retry', TELL_SCANS_EVERY_MS, () => tellScans(sql));
  rounds.every('old webhook deliveries could not be removed; will retry', TIDY_EVERY_MS, async () => {
    givenUp += await giveUpOld(sql, GIVEN_UP_AFTER_S);
    await deleteOldDeliveries(sql, KEPT_DAYS, KEPT_MAX);
  });

  return {
    wake: rounds.wake,
    stats: (): SenderStats => ({ ...counts, tries: { ...tries }, givenUp }),
    /** Ends after the requests in flight. */
    async close(): Promise<void> {
      await rounds.end(CLOSE_MS, () => Promise.all(underWay));
      await post.close();
    },
  };
};

/** The sending, running. */
export type Sender = ReturnType<typeof startSender>;
