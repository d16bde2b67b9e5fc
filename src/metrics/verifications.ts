import type { Registry } from 'prom-client';
import { byLabel, counter, gauge, plain } from './scrape.ts';

/** What the metrics tell of verifications. */
export interface VerificationSource {
  /** Counts of this process: pictures by their results, and pages that could not be read. */
  stats(): { readonly pictures: Readonly<Record<string, number>>; readonly failedPages: number };
  /** Returns the verifications that run in the whole installation, and the age of the oldest; `null`: nobody knows. */
  running(): Promise<{ readonly count: number; readonly oldestS: number } | null>;
}

/** Registers the pictures that verifications have read, and the verifications that are not done. */
export const registerVerifications = (registry: Registry, { stats, running }: VerificationSource): void => {
  counter(registry, 'tessera_verifications_pictures_total', 'Pictures that verifications have read.', () =>
    byLabel('result', stats().pictures),
  );
  counter(
    registry,
    'tessera_verifications_failed_pages_total',
    'Pages of codes that could not be drawn, read or saved, and are tried again.',
    () => plain(stats().failedPages),
  );
  gauge(
    registry,
    'tessera_verifications_running',
    'Verifications of the installation that are not done.',
    async () => {
      const now = await running();
      return now === null ? [] : plain(now.count);
    },
    'max',
  );
  gauge(
    registry,
    'tessera_verifications_oldest_seconds',
    'Age of the oldest verification that is not done; 0 without one.',
    async () => {
      const now = await running();
      return now === null ? [] : plain(now.oldestS);
    },
    'max',
  );
};
