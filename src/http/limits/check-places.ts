import type { FastifyReply } from 'fastify';
import { AppError } from '../../errors.ts';
import { noTimings, type Timings } from '../../generate/parts.ts';
import { createAdmission } from '../../limits/admission.ts';
import { sendTimings } from '../headers.ts';

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
