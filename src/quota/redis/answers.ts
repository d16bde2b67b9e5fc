import type { Sql } from 'postgres';
import type { Settle } from '../quota.ts';
import { cut } from './replies.ts';

/** Answers kept under an Idempotency-Key: short ones with the claim in Redis, long ones in Postgres. */
export interface Answers {
  /** Puts a long answer away; what it returns is what the claim keeps. */
  keep(settle: Settle): Promise<string>;
  /** The answer that a claim kept; null when it is gone. */
  find(kept: string): Promise<string | null>;
}

const SHORT_CHARS = 16_384;

/** @param keepMs How long answers are kept. */
export const createAnswers = (sql: Sql, keepMs: number): Answers => ({
  async keep({ id, answer }) {
    if (answer === undefined) return '';
    if (answer.length <= SHORT_CHARS) return `short|${answer}`;
    await sql`
      insert into long_answers (reservation_id, answer, expires_at)
      values (${id}, ${answer}, clock_timestamp() + ${keepMs} * interval '1 millisecond')
      on conflict (reservation_id) do nothing`;
    return `long|${id}`;
  },
  async find(kept) {
    const [where, rest] = cut(kept);
    if (where === 'short') return rest;
    const [row] = await sql<
      { answer: string }[]
    >`select answer from long_answers where reservation_id = ${rest}`;
    return row?.answer ?? null;
  },
});
