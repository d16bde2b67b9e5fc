import type { TaskResult } from '../../../workers/protocol.ts';

/** `pace` is a moving average over about this much estimated work, within the limits below. */
const PACE_WORK_MS = 1000;
const PACE_MIN = 0.1;
const PACE_MAX = 10;

/** Creates a pace of 1, which learns from every group. */
export const createPace = () => {
  let pace = 1;

  /**
   * Learns how long tasks take compared with their estimates. Only time in the thread counts: the way there and
   * back takes ten times as long as a picture of 0.1 ms. Each picture counts as much as it costs, since a thousand
   * small ones say little about a few large ones.
   */
  const learn = (jobs: readonly { readonly costMs: number }[], results: readonly TaskResult[]): void => {
    let [costMs, drawnMs] = [0, 0];
    for (const [index, result] of results.entries()) {
      if (!result.ok) continue;
      costMs += jobs[index]!.costMs;
      drawnMs += result.value.renderMs;
    }
    if (costMs === 0) return;
    const ratio = Math.min(PACE_MAX, Math.max(PACE_MIN, drawnMs / costMs));
    pace += (costMs / (costMs + PACE_WORK_MS)) * (ratio - pace);
  };

  return {
    get value(): number {
      return pace;
    },
    /** Learns from the results of a group, which stand in the order of its jobs. */
    learn,
  };
};
