import type { Log } from '../log.ts';

/** Whether loads fail at the moment, and when one is tried again. */
export interface Outage {
  readonly failing: boolean;
  /** Notes that a load failed or took too long. The first of an outage is logged. */
  noteFailure(err: unknown): void;
  /** Notes that a load succeeded. The end of an outage is logged. */
  noteSuccess(): void;
  /** While loads fail: true for one caller every `retryMs`, which tries whether the database is back. */
  isProbe(): boolean;
}

/**
 * Watches over the loads of one cache.
 *
 * @param what What is looked up, as the log calls it, for example `keys`.
 */
export const watchOutage = (what: string, retryMs: number, log: Pick<Log, 'info' | 'warn'>): Outage => {
  let failing = false;
  let retryAtMs = 0;
  return {
    get failing() {
      return failing;
    },
    noteFailure(err) {
      if (!failing) log.warn({ err }, `${what} cannot be looked up: known ones are served from memory`);
      failing = true;
      retryAtMs = performance.now() + retryMs;
    },
    noteSuccess() {
      if (failing) log.info({}, `${what} can be looked up again`);
      failing = false;
    },
    isProbe() {
      if (performance.now() < retryAtMs) return false;
      retryAtMs = performance.now() + retryMs;
      return true;
    },
  };
};
