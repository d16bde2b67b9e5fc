/** How many link jobs are unfinished. */
import type { Sql } from '../../client.ts';

/** The unfinished link jobs of the installation. */
export interface LinkJobCounts {
  /** By their state. */
  readonly states: Readonly<Record<string, number>>;
  /** How long the one that waits longest has waited for a turn; 0: none waits. */
  readonly longestWaitS: number;
}

export const NO_LINK_JOBS: LinkJobCounts = {
  states: { receiving: 0, checking: 0, running: 0, reverting: 0 },
  longestWaitS: 0,
};

/** Counts the link jobs that have not ended. */
export const countLinkJobs = async (sql: Sql): Promise<LinkJobCounts> => {
  const rows = await sql<{ state: string; count: number; waitS: number | null }[]>`
    select state, count(*)::int as count,
      max(extract(epoch from now() - served_at)) filter (where state <> 'receiving')::float8 as wait_s
    from link_jobs where finished_at is null group by state`;
  return {
    states: { ...NO_LINK_JOBS.states, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) },
    longestWaitS: Math.max(0, ...rows.map(({ waitS }) => waitS ?? 0)),
  };
};
