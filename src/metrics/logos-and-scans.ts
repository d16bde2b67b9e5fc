import type { Registry } from 'prom-client';
import type { Links } from '../links/links.ts';
import type { LogoSource } from '../logo/source.ts';
import { byLabel, counter, gauge, plain, type Sample } from './scrape.ts';

export const registerLogos = (registry: Registry, stats: LogoSource['stats']): void => {
  const turns = (what: 'running' | 'waiting') => (): readonly Sample[] => {
    const { bitmaps, svgs, urls } = stats();
    return byLabel('step', { fetch: urls[what], bitmap: bitmaps[what], svg: svgs[what] });
  };
  counter(
    registry,
    'tessera_logos_total',
    'Logos asked for, by "ok" or by the step at which they were turned away.',
    () => byLabel('outcome', stats().outcomes),
  );
  gauge(registry, 'tessera_logos_running', 'Logos being fetched or decoded.', turns('running'));
  gauge(registry, 'tessera_logos_waiting', 'Logos that wait for their turn.', turns('waiting'));
};

export const registerScans = (registry: Registry, stats: Links['scans']['stats']): void => {
  counter(registry, 'tessera_scans_total', 'Scans by what became of them.', () => {
    const { recorded, dropped, unfit } = stats();
    return byLabel('outcome', { recorded, dropped, unfit });
  });
  gauge(registry, 'tessera_scans_buffered', 'Scans in memory, to be recorded.', () =>
    plain(stats().buffered),
  );
};
