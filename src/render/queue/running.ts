import type { Job } from './job.ts';
import { type Band, bandOf } from './render-queue.ts';

/** Tasks that one thread runs together. */
export interface Group {
  readonly band: Band;
  readonly begunMs: number;
  readonly costMs: number;
  readonly tasks: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Keeps the groups of `threadCount` threads and the express thread. */
export const createRunning = (threadCount: number) => {
  const running = new Set<Group>();
  return {
    get size(): number {
      return running.size;
    },
    /** Notes that these jobs, at least one, are handed to a thread now. */
    begin(jobs: readonly Job[]): Group {
      const begunMs = performance.now();
      for (const job of jobs) job.begin(begunMs);
      const costMs = sum(jobs.map((job) => job.costMs));
      const group = { band: bandOf(jobs[0]!), begunMs, costMs, tasks: jobs.length };
      running.add(group);
      return group;
    },
    end(group: Group): void {
      running.delete(group);
    },
    /**
     * The express thread is for short singles while another kind of task runs, and for another kind while none runs.
     */
    /** Whether a group of this band may run now. */
    hasThreadFor(band: Band): boolean {
      if (running.size !== threadCount) return running.size < threadCount;
      return [...running].some((group) => group.band !== 'short') === (band === 'short');
    },
    /** Time that all groups still need, on one thread and by their estimates. @param pace Multiple of the estimates. */
    leftMs(pace: number): number {
      const nowMs = performance.now();
      return sum([...running].map((group) => Math.max(0, group.costMs * pace - (nowMs - group.begunMs))));
    },
    tasks: (): number => sum([...running].map(({ tasks }) => tasks)),
  };
};
