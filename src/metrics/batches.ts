import type { Registry } from 'prom-client';
import { byLabel, counter, gauge, plain } from './scrape.ts';

/** The work on batches: what this process has done, and what is unfinished in the database. */
export interface BatchStats {
  readonly rowsMade: number;
  /** Tries of rows or steps that failed and are made again. */
  readonly failedTries: number;
  /** Batches that ended because their rows could not be made. */
  readonly givenUp: number;
  /** Unfinished batches by their state. */
  readonly states: Readonly<Record<string, number>>;
  /** Age of the oldest batch that waits to be begun. */
  readonly oldestWaitingS: number;
}

/** Registers the batches. The gauges count the database, so the numbers of several processes are the same. */
export const registerBatches = (registry: Registry, stats: () => BatchStats): void => {
  counter(registry, 'tessera_batches_rows_made_total', 'Codes of batches that were made.', () =>
    plain(stats().rowsMade),
  );
  counter(
    registry,
    'tessera_batches_tries_failed_total',
    'Tries of rows or steps of a batch that failed and are made again.',
    () => plain(stats().failedTries),
  );
  counter(
    registry,
    'tessera_batches_given_up_total',
    'Batches that ended because their rows could not be made.',
    () => plain(stats().givenUp),
  );
  gauge(
    registry,
    'tessera_batches_unfinished',
    'Batches that have not ended, by their state.',
    () => byLabel('state', stats().states),
    'max',
  );
  gauge(
    registry,
    'tessera_batches_oldest_waiting_seconds',
    'Age of the oldest batch that is not begun.',
    () => plain(stats().oldestWaitingS),
    'max',
  );
};
