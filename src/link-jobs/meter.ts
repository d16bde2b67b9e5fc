/** What this gateway has done on link jobs, for the metrics. */
import { type LinkJobCounts, NO_LINK_JOBS } from '../db/tables/link-jobs/counts.ts';
import type { JobTurn, Progress } from '../db/tables/link-jobs/turns.ts';
import { createHistogram } from '../histogram.ts';

/** Rows by what became of them. `checked`: by a dry run, or before rows are changed all or none. */
const NO_ROWS = { checked: 0, made: 0, changed: 0, unchanged: 0, faulty: 0, reverted: 0 };

const TURN_BOUNDS_MS = [10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000];

/** Creates the meter of a gateway. */
export const createJobMeter = () => {
  const rows = { ...NO_ROWS };
  const done = { failedTries: 0, givenUp: 0 };
  const turns = createHistogram(TURN_BOUNDS_MS);
  let counts = NO_LINK_JOBS;
  return {
    /** Counts the rows of a turn that is committed. */
    addRows({ state }: Pick<JobTurn, 'state'>, progress: Partial<Progress>): void {
      const { handled = 0, made = 0, changed = 0, unchanged = 0, faults = 0 } = progress;
      rows.faulty += faults;
      if (state === 'checking') rows.checked += handled - faults;
      else if (state === 'reverting') rows.reverted += handled;
      else {
        rows.made += made;
        rows.changed += changed;
        rows.unchanged += unchanged;
      }
    },
    addTurn: (ms: number): void => turns.observe(ms),
    addFailure(): void {
      done.failedTries += 1;
    },
    addGivenUp(): void {
      done.givenUp += 1;
    },
    setCounts(now: LinkJobCounts): void {
      counts = now;
    },
    stats: () => ({ ...counts, ...done, rows: { ...rows }, turns: turns.snapshot() }),
  };
};

/** A meter of link jobs. */
export type JobMeter = ReturnType<typeof createJobMeter>;
