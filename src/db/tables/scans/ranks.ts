import type { Sql } from '../../client.ts';
import { runPaced } from '../../paced.ts';

/** Links ranked per statement. This blocks the embedded database for some 20 ms. */
const STEP_LINKS = 500;
/** Statements per call; the rest waits for the next one, a minute later. */
const MAX_STEPS = 1000;

/**
 * For links scanned since the last call, copies the number of people to `scan_ranks`, by which codes are sorted.
 * Concurrent callers share the work. Returns whether nothing is left.
 *
 * @param maxSteps Maximum number of statements, of 500 links each.
 */
export const rankScans = async (sql: Sql, maxSteps = MAX_STEPS): Promise<boolean> => {
  for (let step = 0; step < maxSteps; step += 1) {
    const { count } = await runPaced(
      () => sql`
      with fresh as materialized (
        select slug, people from scan_totals where not is_ranked order by slug limit ${STEP_LINKS}
        for update skip locked
      ), ranked as (
        insert into scan_ranks (slug, account_id, people)
        select f.slug, l.account_id, f.people from fresh f join links l on l.slug = f.slug
        where f.people > 0 and l.deleted_at is null
        on conflict (slug) do update set people = excluded.people
      )
      update scan_totals set is_ranked = true where slug in (select slug from fresh)`,
    );
    if (count < STEP_LINKS) return true;
  }
  return false;
};
