import type { FastifyReply } from 'fastify';
import { isTimeout } from '../../db/faults.ts';
import { AppError } from '../../errors.ts';
import { noTimings, type Timings } from '../../generate/parts.ts';
import { createAdmission } from '../../limits/admission.ts';
import { sendTimings } from '../answer-headers.ts';

/** The bounds of an account's line. */
interface SearchLineOptions {
  /** Searches of one account that may wait for its running one; a further one is refused. */
  readonly maxWaiting: number;
  /** How long a search waits. */
  readonly waitMs: number;
}

/** Runs one search of an account at a time. */
export type SearchLine = ReturnType<typeof createSearchLine>;

const DEFAULTS: SearchLineOptions = { maxWaiting: 3, waitMs: 2000 };

const tooMany = (what: string) =>
  new AppError('rate_limited', `An account may run one ${what} at a time; wait until it ends.`, {
    retryAfterS: 1,
  });

const tooLong = (what: string, cause: unknown) =>
  new AppError('time_limit', `The ${what} took too long: narrow it, or try again.`, {
    retryAfterS: 2,
    cause,
  });

/** Returns a signal that aborts when the answer was sent or the client went away. */
const endOf = ({ raw }: FastifyReply): AbortSignal => {
  const end = new AbortController();
  if (raw.closed) end.abort();
  raw.once('close', () => end.abort());
  return end.signal;
};

/** Creates the lines of all accounts. @param what What waits in them, in errors. */
export const createSearchLine = ({ maxWaiting, waitMs } = DEFAULTS, what = 'search') => {
  const lines = createAdmission({
    maxRunningPerKey: 1,
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitingPerKey: maxWaiting,
    maxWaitMs: waitMs,
  });

  return {
    /**
     * Runs `search` once no other search of the account runs on this gateway. When its client goes away, a waiting search
     * leaves the line, and the signal of a running one is aborted.
     *
     * @throws {AppError} 429 when the line is full or the wait too long; 503 when the search reached its time limit.
     *   Other errors of `search` are passed on.
     */
    async run<T>(
      accountId: string,
      reply: FastifyReply,
      search: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const signal = endOf(reply);
      const leave = await lines.enter(accountId, signal);
      if (leave === null) throw tooMany(what);
      try {
        return await search(signal);
      } catch (error) {
        throw isTimeout(error) ? tooLong(what, error) : error;
      } finally {
        leave();
      }
    },
  };
};

/** Checks of one account that run at a time, whether a key or the dashboard asks for them. */
const MAX_RUNNING = 6;

/**
 * Runs a check in one of the account's places, and sends `Server-Timing`.
 *
 * @throws {AppError} 429 when all are taken.
 */
export type RunCheck = <T>(
  reply: FastifyReply,
  accountId: string,
  job: (timings: Timings) => Promise<T>,
) => Promise<T>;

/** Creates the places that all check routes share. */
export const createCheckPlaces = (): RunCheck => {
  const admission = createAdmission({ maxRunningPerKey: MAX_RUNNING });
  return async (reply, accountId, job) => {
    const leave = admission.tryEnter(accountId);
    if (leave === null) {
      const details = `An account may have ${MAX_RUNNING} checks run at a time; wait for them.`;
      throw new AppError('rate_limited', details, { retryAfterS: 1 });
    }
    const timings = noTimings();
    try {
      const done = await job(timings);
      sendTimings(reply, timings);
      return done;
    } finally {
      leave();
    }
  };
};
