/** Queries and bodies of usage over time, for the account's own API and the operator's. */

import Type, { type Static } from 'typebox';
import type { Sql } from '../../db/client.ts';
import {
  HOURS_KEPT_DAYS,
  type UsageCounts,
  type UsageRow,
  type UsageSpan,
  usageBefore,
  usageHistory,
} from '../../db/tables/usage.ts';
import { fieldError } from '../../errors.ts';
import { USE_KINDS } from '../../quota/quota.ts';
import { orNull } from '../../stored-json.ts';
import { strict, Timestamp, Uuid } from './atoms.ts';
import { Moment } from './requests/moments.ts';
import { readSpan, requireKept, type SpanQuery } from './usage-span.ts';

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
export const toCountsBody = ({ calls, monthly, credits, refunded, refundedLate }: UsageCounts) => ({
  calls,
  units: monthly + credits,
  monthly,
  credits,
  refunded,
  refunded_late: refundedLate,
});

const toRowBody = ({ start, keyId, keyName = null, keyPrefix = null, kind, ...counted }: UsageRow) => ({
  from: start.toISOString(),
  ...(keyId === undefined ? {} : { key: { id: keyId, name: keyName, prefix: keyPrefix } }),
  ...(kind === undefined ? {} : { kind: kind as (typeof USE_KINDS)[number] }),
  ...toCountsBody(counted),
});

const NONE: UsageCounts = { calls: 0, monthly: 0, credits: 0, refunded: 0, refundedLate: 0 };

const addCounts = (a: UsageCounts, b: UsageCounts): UsageCounts => ({
  calls: a.calls + b.calls,
  monthly: a.monthly + b.monthly,
  credits: a.credits + b.credits,
  refunded: a.refunded + b.refunded,
  refundedLate: a.refundedLate + b.refundedLate,
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
