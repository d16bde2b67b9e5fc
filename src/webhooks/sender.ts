/**
 * Sends the deliveries of webhooks. Gateways share them: at most ten of a webhook at a time, one while it fails, and
 * next comes the webhook that was served least recently. A gateway divides its requests between accounts, so that slow
 * receivers of one do not delay those of others. A delivery whose gateway is killed is sent again, with the same
 * `webhook-id`.
 */

import type { Sql } from '../db/client.ts';
import { EVENTS_KEPT_DAYS } from '../db/tables/webhooks/events.ts';
import {
  countWaiting,
  giveBackSending,
  type LowQuota,
  type Outcome,
  type Sending,
  saveOutcome,
  takeSendings,
  tellLowQuota,
  tellScans,
  type WaitingDeliveries,
} from '../db/tables/webhooks/sending.ts';
import {
  deleteOldEvents,
  giveUpCrowded,
  giveUpOld,
  trimAnswers,
  trimEvents,
} from '../db/tables/webhooks/upkeep.ts';
import { createRounds, LEASE_MS } from '../execution/rounds.ts';
import { LOW_QUOTA_SHARE } from '../lists.ts';
import type { Log } from '../log.ts';
import { restoreTraceContext } from '../tracing/context.ts';
import { continueTrace, inTrace, type Tracer } from '../tracing/trace.ts';
import { PENDING_DAYS, signMessage, withShortUrls } from './events.ts';
import { CONCURRENT, type Post, type Posted } from './post.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** After each try of a delivery; the last one repeats. */
const PAUSES_MS: readonly number[] = [
  5000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];

/** Jitter: at most a tenth is added at random, so that deliveries that failed together are not retried together. */
const SPREAD = 0.1;

/** Returns the pause of a delivery after this many tries. */
export const pauseOfDelivery = (tries: number, chance: number = Math.random()): number =>
  Math.round((PAUSES_MS[tries - 1] ?? PAUSES_MS.at(-1)!) * (1 + SPREAD * chance));

/** Failures in a row that say nothing about the address: the deliveries themselves may be at fault. */
const FAILURES_SPARED = 2;
const ADDRESS_PAUSE_MAX_MS = 5 * MINUTE_MS;

/** Returns the pause of an address after this many failed deliveries in a row, whichever they were. */
export const pauseOfAddress = (failures: number): number =>
  failures <= FAILURES_SPARED
    ? 0
    : Math.min(ADDRESS_PAUSE_MAX_MS, 1000 * 2 ** Math.min(failures - FAILURES_SPARED, 16));

/** Deliveries of a webhook under way at once, of all gateways. */
const AT_ONCE = 10;

/** For accounts that have no request under way. */
const RESERVED = CONCURRENT / 2;

/** The requests under way. */
export const createSlots = () => {
  const byAccount = new Map<string, number>();
  let taken = 0;
  /** Slots of which an account may have more than one. */
  const shared = (): number => CONCURRENT - RESERVED - taken;
  return {
    isFull: (): boolean => taken >= CONCURRENT,
    /** How many may be taken at once for one webhook. */
    room: (): number => Math.min(AT_ONCE, Math.max(1, shared())),
    /** The accounts that have all that they may have while others ask. */
    busy: (): string[] =>
      [...byAccount].flatMap(([account, count]) => (count >= Math.max(1, shared()) ? [account] : [])),
    take(account: string): void {
      taken += 1;
      byAccount.set(account, (byAccount.get(account) ?? 0) + 1);
    },
    free(account: string): void {
      taken -= 1;
      const left = (byAccount.get(account) ?? 0) - 1;
      if (left > 0) byAccount.set(account, left);
      else byAccount.delete(account);
    },
  };
};

/** What the sender needs. */
interface SenderParts {
  readonly sql: Sql;
  readonly post: Post;
  readonly planMonthly: LowQuota['planMonthly'];
  /** Of an account, and deliveries that wait for a webhook. */
  readonly maxEvents: number;
  /** The address of a short link. */
  shortUrl(slug: string, place: string | null): string;
  /** Whether this gateway sends; otherwise others do. */
  readonly works: boolean;
  readonly log: Pick<Log, 'warn'>;
  /** `null`: traces are passed on and not recorded. */
  readonly tracer: Tracer | null;
}

/** Tries by how they ended, since the start, and the deliveries that wait in the whole installation. */
interface SenderStats extends WaitingDeliveries {
  readonly tries: { readonly delivered: number; readonly refused: number; readonly unreachable: number };
  /** Deliveries that were given up: at an address that is gone, after days, or because too many waited. */
  readonly givenUp: number;
}

const COUNT_EVERY_MS = 10_000;
const TELL_SCANS_EVERY_MS = 5000;
const TIDY_EVERY_MS = 600_000;
const TRIM_EVERY_MS = 3_600_000;
const CLOSE_MS = 6000;

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
    pauseMs: isDelivered || isGone ? 0 : pauseOfDelivery(tries),
    webhookPauseMs: isDelivered ? 0 : pauseOfAddress(failures + 1),
  };
};

/** Starts the sending. It ends with `close`. */
export const startSender = (parts: SenderParts) => {
  const { sql, post, planMonthly, maxEvents, shortUrl, works, log, tracer } = parts;
  const rounds = createRounds('webhooks', log);
  const underWay = new Set<Promise<void>>();
  const slots = createSlots();
  const tries = { delivered: 0, refused: 0, unreachable: 0 };
  let givenUp = 0;
  /** Webhooks that have answered since their answers were trimmed. */
  const answered = new Set<string>();
  let counts: WaitingDeliveries = { waiting: 0, oldestS: 0, unservedS: 0 };

  const count = ({ isDelivered, isGone, status }: Outcome): void => {
    tries[isDelivered ? 'delivered' : status === null ? 'unreachable' : 'refused'] += 1;
    if (isGone) givenUp += 1;
  };

  const send = async (sending: Sending): Promise<void> => {
    const message = { ...sending, data: withShortUrls(sending.data, shortUrl) };
    const { body, headers } = signMessage(message, sending.secrets, new Date());
    const beganMs = performance.now();
    const posted = await post.post(sending.url, headers, body);
    const outcome = judge(posted, sending, Math.round(performance.now() - beganMs));
    count(outcome);
    await saveOutcome(sql, sending, outcome);
    if (outcome.answer !== null) answered.add(sending.webhookId);
  };

  const begin = (sending: Sending): void => {
    slots.take(sending.accountId);
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
        slots.free(sending.accountId);
        rounds.wake();
      });
    underWay.add(sent);
  };

  /** Starts what can be started, and then waits for the end of a request, a call of `wake`, or the next poll. */
  const sendDue = async (): Promise<boolean> => {
    while (!slots.isFull() && !rounds.isEnding()) {
      const room = { busy: slots.busy(), max: slots.room(), atOnce: AT_ONCE, leaseMs: LEASE_MS };
      const sendings = await takeSendings(sql, room);
      if (sendings.length === 0) break;
      if (rounds.isEnding()) for (const sending of sendings) await giveBackSending(sql, sending);
      else for (const sending of sendings) begin(sending);
    }
    return false;
  };

  const tidy = async (): Promise<void> => {
    givenUp += await giveUpOld(sql, PENDING_DAYS);
    await deleteOldEvents(sql, EVENTS_KEPT_DAYS);
    for (const webhookId of answered) {
      answered.delete(webhookId);
      await trimAnswers(sql, webhookId);
    }
  };

  const trim = async (): Promise<void> => {
    givenUp += await giveUpCrowded(sql, maxEvents);
    await trimEvents(sql, maxEvents);
  };

  // Where nothing is sent, too: what waits must be seen although nobody sends it.
  rounds.every('webhook deliveries could not be counted; will retry', COUNT_EVERY_MS, async () => {
    await tellLowQuota(sql, { share: LOW_QUOTA_SHARE, planMonthly });
    counts = await countWaiting(sql);
  });
  if (works) {
    rounds.work('no webhook could be taken from the database; will retry', sendDue);
    rounds.every('scans could not be reported to webhooks; will retry', TELL_SCANS_EVERY_MS, () =>
      tellScans(sql),
    );
    rounds.every('old events could not be removed; will retry', TIDY_EVERY_MS, tidy);
    rounds.every('events could not be counted; will retry', TRIM_EVERY_MS, trim);
  }

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
