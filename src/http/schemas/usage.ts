/**
 * Queries and bodies of usage over time, for the account's own API and the operator's. All of it is in UTC, as the
 * quota is.
 */

import Type, { type Static } from 'typebox';
import type { Sql } from '../../db/client.ts';
import {
  HOURS_KEPT_DAYS,
  type UsageCounts,
  type UsageInterval,
  type UsageRow,
  type UsageSpan,
  usageBefore,
  usageHistory,
} from '../../db/tables/accounts/usage.ts';
import { fieldError } from '../../errors.ts';
import { USE_KINDS } from '../../quota/quota.ts';
import { orNull } from '../../stored-json.ts';
import { strict, Timestamp, Uuid } from './atoms.ts';
import { Moment, readMoment } from './cursors.ts';

/** A span as the caller wrote it; the schema has checked the form of its times. */
interface SpanQuery {
  readonly from?: string;
  readonly to?: string;
  readonly interval: UsageInterval;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The longest span by interval, so that it has at most about 750 intervals. */
const USAGE_SPAN_MAX_DAYS: Readonly<Record<UsageInterval, number>> = {
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

const Interval = (standard: 'day' | 'month') =>
  Type.Optional(Type.Enum(['hour', 'day', 'month'], { default: standard }));

const span = {
  from: Moment('The start. Absent: the beginning of the month of `to`.', 'in UTC'),
  to: Moment('The end (exclusive). Absent: now.', 'in UTC'),
};

/** The span of a report of all accounts. */
export const UsageReportQuery = Type.Object({ ...span, interval: Interval('month') }, strict);

/** The span of a history, how it is divided, and what each interval is divided by. */
export const UsageQuery = Type.Object(
  {
    ...span,
    interval: Interval('day'),
    group: Type.Optional(
      Type.Enum(['key', 'kind'], { description: 'Divides each interval by API key, or by kind of call.' }),
    ),
  },
  strict,
);

const counts = {
  calls: Type.Integer({ description: 'Calls that used units.' }),
  units: Type.Integer({ description: '`monthly` and `credits` together.' }),
  monthly: Type.Integer({
    description: 'Units of the monthly quota, less those refunded in this interval.',
  }),
  credits: Type.Integer({
    description: 'Units paid with credits, less those refunded in this interval.',
  }),
  refunded: Type.Integer({ description: 'Refunded units, already subtracted.' }),
  refunded_late: Type.Integer({
    description:
      'Credits refunded after the month in which they were used. Not subtracted, because they belong to that month.',
  }),
  load_test_calls: Type.Integer({ description: 'Of `calls`, those with `Tessera-Load-Test`.' }),
  load_test_units: Type.Integer({ description: 'Of `units`, those of these calls.' }),
};

const KeyOfUsage = Type.Object(
  {
    id: Uuid,
    name: orNull(Type.String({ description: 'null: the key is no longer known.' })),
    prefix: orNull(Type.String({ description: 'The first characters, to tell keys apart.' })),
  },
  { title: 'UsageKey', description: 'With `group=key`.' },
);

const UsageRowBody = Type.Object(
  {
    from: Timestamp,
    key: Type.Optional(KeyOfUsage),
    kind: Type.Optional(Type.Enum([...USE_KINDS], { description: 'With `group=kind`.' })),
    ...counts,
  },
  { title: 'UsageInterval' },
);

const UsageBeforeBody = Type.Object({ until: Timestamp, ...counts }, { title: 'UsageBefore' });

/** What was used over time, and in all. */
export const UsageHistoryBody = Type.Object(
  {
    from: Timestamp,
    to: Timestamp,
    interval: Type.String(),
    total: Type.Object(counts, { title: 'UsageTotal' }),
    data: Type.Array(UsageRowBody, {
      description:
        'In chronological order; within an interval, largest first. Intervals without usage are omitted.',
    }),
    before: orNull(UsageBeforeBody, {
      description:
        'What was used before usage is kept by day: of earlier days only this sum is left. null: usage is kept from the first day on.',
    }),
  },
  { title: 'UsageHistory' },
);

/** What the document says about every history. */
export const ABOUT_USAGE = `Hours, days and months are in UTC, and the range is widened to whole ones. Calls of the last second may be missing. A call counts in the hour in which it used its units; a refund counts in the hour in which it was made, so a figure may be negative. Hours are kept for ${HOURS_KEPT_DAYS} days, and days as long as the operator chose: a \`from\` before that is refused, and \`before\` is the sum of what was used until then.`;

/** A longer answer is refused. */
const ROWS_MAX = 10_000;

/** Returns the counts of a row as the answer names them. */
export const toCountsBody = ({
  calls,
  monthly,
  credits,
  refunded,
  refundedLate,
  ...marked
}: UsageCounts) => ({
  calls,
  units: monthly + credits,
  monthly,
  credits,
  refunded,
  refunded_late: refundedLate,
  load_test_calls: marked.loadTestCalls,
  load_test_units: marked.loadTestUnits,
});

const toRowBody = ({ start, keyId, keyName = null, keyPrefix = null, kind, ...counted }: UsageRow) => ({
  from: start.toISOString(),
  ...(keyId === undefined ? {} : { key: { id: keyId, name: keyName, prefix: keyPrefix } }),
  ...(kind === undefined ? {} : { kind: kind as (typeof USE_KINDS)[number] }),
  ...toCountsBody(counted),
});

const NONE: UsageCounts = {
  calls: 0,
  monthly: 0,
  credits: 0,
  refunded: 0,
  refundedLate: 0,
  loadTestCalls: 0,
  loadTestUnits: 0,
};

const addCounts = (a: UsageCounts, b: UsageCounts): UsageCounts => ({
  calls: a.calls + b.calls,
  monthly: a.monthly + b.monthly,
  credits: a.credits + b.credits,
  refunded: a.refunded + b.refunded,
  refundedLate: a.refundedLate + b.refundedLate,
  loadTestCalls: a.loadTestCalls + b.loadTestCalls,
  loadTestUnits: a.loadTestUnits + b.loadTestUnits,
});

const toSpanBody = ({ from, to, interval }: UsageSpan) => ({
  from: from.toISOString(),
  to: to.toISOString(),
  interval,
});

/**
 * Reads the usage of an account that a query asks for, and returns the body.
 *
 * @throws {AppError} 400 when the span is wrong, as `readSpan` and `requireKept` say, or has more than `ROWS_MAX` rows.
 */
export const readUsage = async (sql: Sql, accountId: string, query: Static<typeof UsageQuery>) => {
  const { interval = 'day', group = null } = query;
  const span = readSpan({ ...(query as SpanQuery), interval }, new Date());
  const rows = await usageHistory(sql, { ...span, accountId, group, limit: ROWS_MAX + 1 });
  // Read last: what is no longer kept by now may already be missing in the rows.
  const before = await usageBefore(sql, accountId);
  requireKept(span, before?.until ?? null);
  if (rows.length > ROWS_MAX) {
    throw fieldError(
      'from',
      `the answer has more than ${ROWS_MAX} rows; choose a later from, a longer interval or no group`,
      'invalid_query',
    );
  }
  return {
    ...toSpanBody(span),
    total: toCountsBody(rows.reduce(addCounts, NONE)),
    data: rows.map(toRowBody),
    before: before && { until: before.until.toISOString(), ...toCountsBody(before) },
  };
};
