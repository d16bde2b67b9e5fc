import type { Registry } from 'prom-client';
import { counter, plain } from './scrape.ts';

/** Codes and folders, since the start of this process. */
export interface UpkeepStats {
  readonly expired: number;
  readonly purged: number;
}

/** Registers what the upkeep of the database removes. */
export const registerUpkeep = (registry: Registry, stats: () => UpkeepStats): void => {
  counter(registry, 'tessera_codes_expired_total', 'Codes and folders that retention moved to the bin.', () =>
    plain(stats().expired),
  );
  counter(registry, 'tessera_codes_purged_total', 'Codes and folders that were purged from the bin.', () =>
    plain(stats().purged),
  );
};
