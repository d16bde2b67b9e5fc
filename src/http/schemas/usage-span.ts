/** The span of a query about usage. All of it is in UTC, as the quota is. */
import { HOURS_KEPT_DAYS, type UsageInterval, type UsageSpan } from '../../db/tables/usage.ts';
import { fieldError } from '../../errors.ts';
import { readMoment } from './requests/moments.ts';

/** A span as the caller wrote it; the schema has checked the form of its times. */
export interface SpanQuery {
  readonly from?: string;
  readonly to?: string;
  readonly interval: UsageInterval;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The longest span by interval, so that it has at most about 750 intervals. */
export const USAGE_SPAN_MAX_DAYS: Readonly<Record<UsageInterval, number>> = {
  hour: 31,
  day: 366,
  month: 3660,
};

/** Returns the beginning of the interval in which a time lies, or of the one that many intervals later. */
const startOf = (time: Date, interval: UsageInterval, later = 0): Date => {
  if (interval === 'month') return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + later));
  const lengthMs = interval === 'hour' ? HOUR_MS : DAY_MS;
  return new Date((Math.floor(time.getTime() / lengthMs) + later) * lengthMs);
};

const spanError = (field: 'from' | 'to', message: string) => fieldError(field, message, 'invalid_query');

/**
 * Returns the span, widened to whole intervals. Without `to` it ends now, and without `from` it begins with the month
 * of its end.
 *
 * @throws {AppError} 400 when it is empty, longer than `USAGE_SPAN_MAX_DAYS`, outside 2000 to 2100, or asks for hours
 *   that are no longer kept.
 */
export const readSpan = ({ interval, ...query }: SpanQuery, now: Date): UsageSpan => {
  const to = query.to === undefined ? now : readMoment('to', query.to);
  const last = new Date(to.getTime() - 1);
  const from = query.from === undefined ? startOf(last, 'month') : readMoment('from', query.from);
  if (from >= to) throw spanError('from', 'must be earlier than to');
  const maxDays = USAGE_SPAN_MAX_DAYS[interval];
  if (to.getTime() - from.getTime() > maxDays * DAY_MS) {
    throw spanError('from', `must be at most ${maxDays} days earlier than to with the interval ${interval}`);
  }
  if (interval === 'hour' && from.getTime() < now.getTime() - HOURS_KEPT_DAYS * DAY_MS) {
    throw spanError(
      'from',
      `hours are kept for ${HOURS_KEPT_DAYS} days; choose a later from, or the interval day`,
    );
  }
  return { from: startOf(from, interval), to: startOf(last, interval, 1), interval };
};

/** @throws {AppError} 400 when a span begins before usage is kept by day. @param since `null`: all of it is. */
export const requireKept = ({ from }: UsageSpan, since: Date | null): void => {
  if (since === null || from >= since) return;
  const day = since.toISOString().slice(0, 10);
  throw spanError('from', `usage before ${day} is kept only as a sum for each account; choose a later from`);
};

/** Returns at least as many intervals as a span has. */
export const intervalsIn = ({ from, to, interval }: UsageSpan): number => {
  const days = (to.getTime() - from.getTime()) / DAY_MS;
  return Math.ceil({ hour: days * 24, day: days, month: days / 28 }[interval]);
};
