import type { Sql } from '../../client.ts';

/** Links that one statement ranks. It takes the embedded database some 20 ms, in which it answers nothing else. */
const STEP_LINKS = 500;
/** Statements of one call; what is left waits for the next one. */
const MAX_STEPS = 20;

/**
 * Copies the people of links that were scanned since the last call to `scan_ranks`, by which codes are sorted. Callers
 * at the same time share the work.
 *
 * @param maxSteps Statements at most, of 500 links each.
 */
export const rankScans = async (sql: Sql, maxSteps = MAX_STEPS): Promise<void> => {
  for (let step = 0; step < maxSteps; step += 1) {
    const { count } = await sql`
      with fresh as materialized (
        select slug, people from scan_totals where not is_ranked order by slug limit ${STEP_LINKS}
        for update skip locked
      ), ranked as (
        insert into scan_ranks (slug, account_id, people)
        select f.slug, l.account_id, f.people from fresh f join links l on l.slug = f.slug
        where f.people > 0 and l.deleted_at is null
        on conflict (slug) do update set people = excluded.people
      )
      update scan_totals set is_ranked = true where slug in (select slug from fresh)`;
    if (count < STEP_LINKS) return;
  }
};
