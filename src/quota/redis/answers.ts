import type { Sql } from 'postgres';
import { type Asked, findAsked } from '../../db/client.ts';
import type { Settle } from '../quota.ts';
import { splitHead } from './replies.ts';

/** The answers kept for claims: short ones in the claim in Redis, long ones in Postgres. */
export type Answers = ReturnType<typeof createAnswers>;

/** The longest answer, in characters, that a claim in Redis keeps itself. */
const SHORT_CHARS = 16_384;

/** Creates the store of answers. @param keepMs How long a long answer stays in Postgres. */
export const createAnswers = (sql: Sql, keepMs: number) => ({
  /** Stores a long answer in Postgres. Returns the text for the claim to keep; '' when there is no answer. */
  async keep({ id, answer }: Settle): Promise<string> {
    if (answer === undefined) return '';
    if (answer.length <= SHORT_CHARS) return `short|${answer}`;
    await sql`
      insert into long_answers (reservation_id, answer, expires_at)
      values (${id}, ${answer}, clock_timestamp() + ${keepMs} * interval '1 millisecond')
      on conflict (reservation_id) do nothing`;
    return `long|${id}`;
  },
  /** Returns the answer for the text that a claim kept, or `null` when it was purged. */
  async find(kept: string): Promise<string | null> {
    const [where, rest] = splitHead(kept);
    if (where === 'short') return rest;
    const found = await findAsked<{ answer: string }>(
      rest,
      sql<({ answer: string } & Asked)[]>`
      select reservation_id::text as asked, answer from long_answers where reservation_id = ${rest}`,
    );
    return found?.answer ?? null;
  },
});
