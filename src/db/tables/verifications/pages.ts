import type { Sql } from '../../client.ts';

/** Pages read per query: some 100 kB, and at most 5 MB. */
const AT_A_TIME = 4;

/**
 * Yields the pages of a verification in order, each with one code per line. It holds no connection between queries.
 */
export async function* eachPage(sql: Sql, verificationId: string): AsyncGenerator<string, void> {
  let next = 0;
  for (;;) {
    const rows = await sql<{ entries: string }[]>`
      select entries from verification_pages
      where verification_id = ${verificationId} and number >= ${next}
      order by number limit ${AT_A_TIME}`;
    for (const { entries } of rows) yield entries;
    if (rows.length < AT_A_TIME) return;
    next += rows.length;
  }
}
