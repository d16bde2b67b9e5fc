import type { Lane } from '../../workers/protocol.ts';
import { createHistogram } from '../histogram.ts';
import type { Failure, RenderOutcome } from './outcome.ts';

const QUEUE_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];
const RENDER_BOUNDS_MS = [0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

const perLane = <T>(make: (lane: Lane) => T): Record<Lane, T> => ({
  plain: make('plain'),
  stamped: make('stamped'),
  layered: make('layered'),
  reference: make('reference'),
  vector: make('vector'),
});

/** Counters and histograms of tasks. */
export type Meter = ReturnType<typeof createMeter>;

/** Counts tasks since the start. */
export const createMeter = () => {
  const lanes = perLane(() => 0);
  const failures: Record<Failure, number> = { queue_full: 0, deadline: 0, crashed: 0, hung: 0, closed: 0 };
  const queueMs = createHistogram(QUEUE_BOUNDS_MS);
  const renderMs = perLane(() => createHistogram(RENDER_BOUNDS_MS));
  const grades = [0, 0, 0, 0, 0];
  let completed = 0;
  let faults = 0;
  return {
    waited: (waitedMs: number): void => queueMs.observe(waitedMs),

    ended(outcome: RenderOutcome): void {
      if (outcome.ok) {
        const { bytes, lane, grade, renderMs: tookMs } = outcome.value;
        // It was graded alone, without a picture.
        if (bytes.length === 0) return;
        completed += 1;
        grades[grade]! += 1;
        lanes[lane] += 1;
        renderMs[lane].observe(tookMs);
      } else if (outcome.fault.reason === 'unfit') faults += 1;
      else failures[outcome.fault.reason] += 1;
    },

    snapshot: () => ({
      /** Pictures drawn. */
      completed,
      /** Tasks that cannot be drawn as asked. */
      faults,
      failures: { ...failures },
      lanes: { ...lanes },
      /** Pictures drawn, by their grade from 0 to 4. */
      grades: [...grades],
      /** Time from a task's arrival until it is handed to a thread. */
      queueMs: queueMs.snapshot(),
      /** Time of each picture in its thread. */
      renderMs: perLane((lane) => renderMs[lane].snapshot()),
    }),
  };
};
