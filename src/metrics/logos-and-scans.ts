import type { Registry } from 'prom-client';
import type { Links } from '../links/links.ts';
import type { LogoSource } from '../logo/source.ts';
import { byLabel, counter, gauge, plain, type Sample } from './scrape.ts';

/** Registers the logos that were asked for, and those under way at each step. */
export const registerLogos = (registry: Registry, stats: LogoSource['stats']): void => {
  const bySteps = (what: 'running' | 'waiting') => (): readonly Sample[] => {
    const { bitmaps, svgs, urls } = stats();
    return byLabel('step', { fetch: urls[what], bitmap: bitmaps[what], svg: svgs[what] });
  };
  counter(
    registry,
    'tessera_logos_total',
    'Logos that were asked for: "ok", or the step that rejected them.',
    () => byLabel('outcome', stats().outcomes),
  );
  gauge(registry, 'tessera_logos_running', 'Logos that are being fetched or decoded.', bySteps('running'));
  gauge(registry, 'tessera_logos_waiting', 'Logos that wait for one of these steps.', bySteps('waiting'));
};

/** Registers the scans that were recorded or lost, and those in memory. */
export const registerScans = (registry: Registry, stats: Links['scans']['stats']): void => {
  counter(registry, 'tessera_scans_total', 'Scans, by whether they were recorded.', () => {
    const { recorded, dropped, unfit } = stats();
    return byLabel('outcome', { recorded, dropped, unfit });
  });
  gauge(registry, 'tessera_scans_buffered', 'Scans in memory that will be recorded.', () =>
    plain(stats().buffered),
  );
};
