import { randomUUID } from 'node:crypto';
import type { ScanRow } from '../../src/db/tables/scans/scans.ts';

/** Returns a stored scan by a phone, with the given fields. */
export const scanRow = (some: Partial<ScanRow>): ScanRow => ({
  id: randomUUID(),
  at: new Date('2026-11-21T12:00:00Z'),
  slug: 'abcdefgh',
  kind: 'person',
  visitor: '0101010101010101',
  device: 'mobile',
  os: 'iOS',
  browser: 'Safari',
  country: '',
  referrerHost: '',
  rule: '',
  ...some,
});
