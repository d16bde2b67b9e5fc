/** Rows of the usage record, in the form that the ledgers write. */
import type { Sql } from '../../../src/db/client.ts';
import { recordedKind, type Use } from '../../../src/quota/quota.ts';
import type { AnswerBody, UsageRow } from './answer-body.ts';

/** A row of the usage record: the units that a key used for one kind of call in an hour. */
export interface UsedHour extends Use {
  readonly accountId: string;
  /** The start of the hour. */
  readonly hour: Date;
  readonly calls: number;
  readonly monthly: number;
  readonly credits: number;
  readonly refundedMonthly: number;
  readonly refundedCredits: number;
  readonly refundedLate: number;
}

/** Adds usage to the hours. Not idempotent. */
export const insertHours = async (sql: Sql, hours: readonly UsedHour[]): Promise<void> => {
  const rows = hours.map(({ hour, ...row }) => ({
    ...row,
    kind: recordedKind(row),
    hour: hour.toISOString(),
  }));
  await sql`
    insert into usage_hours as h (account_id, hour, key_id, kind, calls, monthly, credits, refunded_monthly,
      refunded_credits, refunded_late)
    select "accountId", hour, "keyId", kind, sum(calls), sum(monthly), sum(credits), sum("refundedMonthly"),
      sum("refundedCredits"), sum("refundedLate")
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r ("accountId" uuid, hour timestamptz, "keyId" uuid,
      kind text, calls bigint, monthly bigint, credits bigint, "refundedMonthly" bigint, "refundedCredits" bigint,
      "refundedLate" bigint)
    group by 1, 2, 3, 4
    on conflict (account_id, hour, key_id, kind) do update set calls = h.calls + excluded.calls,
      monthly = h.monthly + excluded.monthly, credits = h.credits + excluded.credits,
      refunded_monthly = h.refunded_monthly + excluded.refunded_monthly,
      refunded_credits = h.refunded_credits + excluded.refunded_credits,
      refunded_late = h.refunded_late + excluded.refunded_late`;
};

/** An hour without any usage except `some`. */
export const usedHour = (
  some: Partial<UsedHour> & Pick<UsedHour, 'accountId' | 'hour' | 'keyId'>,
): UsedHour => ({
  kind: 'single',
  calls: 0,
  monthly: 0,
  credits: 0,
  refundedMonthly: 0,
  refundedCredits: 0,
  refundedLate: 0,
  ...some,
});

/** Returns the rows of an answer with usage over time. */
export const usageRows = ({ data }: Pick<AnswerBody, 'data'>): readonly UsageRow[] =>
  data as unknown as readonly UsageRow[];
