/** Places of streamed answers, which those whose readers stand still give to others. */
import { AppError } from '../errors.ts';

/** How many answers of a kind are sent at a time, in all and of one account. */
export interface StreamBounds {
  readonly max: number;
  readonly maxOfAccount: number;
  /** What an answer is, in the plural. */
  readonly noun: string;
}

/** The place of one answer. */
export interface StreamPlace {
  /** Sets what ends the answer when its place is given to another. */
  onCut(end: () => void): void;
  /** Says that it is now up to the reader to take what was written. */
  awaitReader(): void;
  /** Says that the reader has taken so many bytes. */
  taken(bytes: number): void;
  /** Frees the place. Further calls are no-ops. */
  leave(): void;
}

/** A reader that takes fewer bytes than these in this time, not counting when nothing was written, stands still. */
const STILL = { bytes: 65_536, ms: 10_000 } as const;
/** How long a place is waited for: until readers that stopped just before count as standing still. */
const WAIT_MAX_MS = 1.5 * STILL.ms;
const LOOK_MS = 250;
const RETRY_AFTER_S = 10;

interface Open {
  readonly accountId: string;
  end(): void;
  bytes: number;
  waitedMs: number;
  /** Since when the reader is awaited; `null`: it is not. */
  sinceMs: number | null;
}

interface Waiting {
  readonly accountId: string;
  readonly sinceMs: number;
  settle(place: StreamPlace | null): void;
}

const heldBy = (all: Iterable<{ readonly accountId: string }>, accountId: string): number => {
  let held = 0;
  for (const one of all) if (one.accountId === accountId) held += 1;
  return held;
};

/** Creates the places. @param nowMs The clock. */
export const createStreamPlaces = (
  { max, maxOfAccount, noun }: StreamBounds,
  nowMs: () => number = () => performance.now(),
) => {
  const open = new Set<Open>();
  const waiting = new Set<Waiting>();
  let looks: NodeJS.Timeout | undefined;

  const awaitedMs = ({ waitedMs, sinceMs }: Open): number =>
    waitedMs + (sinceMs === null ? 0 : nowMs() - sinceMs);

  const take = (accountId: string): StreamPlace => {
    const own: Open = { accountId, bytes: 0, waitedMs: 0, sinceMs: null, end() {} };
    open.add(own);
    return {
      onCut(end) {
        own.end = end;
      },
      awaitReader() {
        own.sinceMs = nowMs();
      },
      taken(bytes) {
        own.waitedMs = awaitedMs(own);
        own.sinceMs = null;
        own.bytes += bytes;
        if (own.bytes >= STILL.bytes) Object.assign(own, { bytes: 0, waitedMs: 0 });
      },
      leave() {
        if (open.delete(own)) serve();
      },
    };
  };

  /** Ends the answer that has waited longest for its reader. Returns whether one stood still. */
  const cutStill = (): boolean => {
    let longest: Open | null = null;
    for (const one of open) if (longest === null || awaitedMs(one) > awaitedMs(longest)) longest = one;
    if (longest === null || awaitedMs(longest) < STILL.ms) return false;
    open.delete(longest);
    longest.end();
    return true;
  };

  /** Of accounts that have as many places, the one that has waited longest. */
  const nextWaiting = (): Waiting | undefined =>
    [...waiting].sort((a, b) => heldBy(open, a.accountId) - heldBy(open, b.accountId))[0];

  /** Gives what is free to those who wait, and refuses those who have waited too long. */
  const serve = (): void => {
    for (let next = nextWaiting(); next !== undefined; next = nextWaiting()) {
      if (open.size >= max && !cutStill()) break;
      waiting.delete(next);
      next.settle(take(next.accountId));
    }
    for (const one of waiting)
      if (nowMs() - one.sinceMs >= WAIT_MAX_MS) {
        waiting.delete(one);
        one.settle(null);
      }
    if (waiting.size > 0) looks ??= setInterval(serve, LOOK_MS);
    else {
      clearInterval(looks);
      looks = undefined;
    }
  };

  return {
    /**
     * Takes a place. While all are taken, waits 15 s at most for one that becomes free, or whose reader stands still.
     *
     * @throws {AppError} 429 when the account has as many as it may have, or waits for them; 503 when no place became free.
     */
    async enter(accountId: string): Promise<StreamPlace> {
      if (heldBy(open, accountId) + heldBy(waiting, accountId) >= maxOfAccount) {
        const details = `Too many ${noun} of this account are open; it may have ${maxOfAccount} at a time.`;
        throw new AppError('rate_limited', details, { retryAfterS: RETRY_AFTER_S });
      }
      const place = await new Promise<StreamPlace | null>((settle) => {
        waiting.add({ accountId, sinceMs: nowMs(), settle });
        serve();
      });
      if (place !== null) return place;
      const details = `Too many ${noun} are open; try again when one is finished.`;
      throw new AppError('overloaded', details, { retryAfterS: RETRY_AFTER_S });
    },
    stats: () => ({ open: open.size, waiting: waiting.size }),
  };
};
