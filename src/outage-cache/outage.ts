import type { Log } from '../log.ts';

/** Whether loads fail at the moment, and when one is tried again. */
export type Outage = ReturnType<typeof watchOutage>;

/**
 * Tracks whether the loads of one cache fail.
 *
 * @param what What is looked up, as the log calls it, for example `keys`.
 */
export const watchOutage = (what: string, retryMs: number, log: Pick<Log, 'info' | 'warn'>) => {
  let failing = false;
  let retryAtMs = 0;
  return {
    get failing(): boolean {
      return failing;
    },
    /** Notes that a load failed or took too long. The first of an outage is logged. */
    noteFailure(err: unknown): void {
      if (!failing) log.warn({ err }, `${what} cannot be looked up; serving cached ones`);
      failing = true;
      retryAtMs = performance.now() + retryMs;
    },
    /** Notes that a load succeeded. The end of an outage is logged. */
    noteSuccess(): void {
      if (failing) log.info({}, `${what} can be looked up again`);
      failing = false;
    },
    /** While loads fail: true for one caller every `retryMs`, which tries whether the database is back. */
    isProbe(): boolean {
      if (performance.now() < retryAtMs) return false;
      retryAtMs = performance.now() + retryMs;
      return true;
    },
  };
};
