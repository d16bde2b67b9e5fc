import { scanBreakdowns } from '../../src/db/tables/scans/breakdowns.ts';
import { insertScans, type ScanRow } from '../../src/db/tables/scans/scans.ts';
import { bucketSpan, type Interval, scanSeries } from '../../src/db/tables/scans/series.ts';
import { scanRow } from '../../test/support/scan.ts';
import { measured, type Verdict } from '../say.ts';
import { createRandom, sum } from '../stats.ts';
import { onBothDatabases } from './databases.ts';
import { type Part, p95Of, timesOfPieces } from './part.ts';

const SCANS = 1_000_000;
const BATCH = 500;
const SLUG = 'benchmrk';
const DAY_MS = 86_400_000;
const DAYS = 365;
const READ_P95_MAX_MS = 100;
const VISITORS = 300_000;
const DEVICES = ['mobile', 'tablet', 'desktop'];
const SYSTEMS = ['iOS', 'Android', 'Windows', 'macOS', 'Linux'];
const BROWSERS = ['Safari', 'Chrome', 'Samsung Internet for Android', 'Firefox', 'Microsoft Edge', 'Opera'];
const COUNTRIES = Array.from({ length: 40 }, (_, i) =>
  String.fromCharCode(65 + (i % 26), 65 + ((i * 7) % 26)),
);
const REFERRERS = ['', '', '', '', '', '', 'google.com', 'instagram.com', 'facebook.com', 't.co'];
const SPANS: readonly (readonly [Interval, days: number])[] = [
  ['hour', 1],
  ['hour', 30],
  ['day', 30],
  ['day', 365],
  ['month', 365],
];

const createScan = (random: () => number, number: number, at: Date): ScanRow => {
  /** Picks early names more often than late ones. */
  const pick = (names: readonly string[]) => names[Math.floor(random() ** 2 * names.length)] ?? '';
  const kind = random() < 0.9 ? 'person' : random() < 0.5 ? 'bot' : 'preview';
  const known = kind === 'person';
  const visitor = Buffer.alloc(8);
  visitor.writeUInt32BE(Math.floor(random() * VISITORS));
  return scanRow({
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    at,
    slug: SLUG,
    kind,
    visitor: visitor.toString('hex'),
    device: known ? pick(DEVICES) : '',
    os: known ? pick(SYSTEMS) : '',
    browser: known ? pick(BROWSERS) : '',
    country: pick(COUNTRIES),
    referrerHost: pick(REFERRERS),
  });
};

/** The speed of recording and reading the scans of one busy link. */
export const scans: Part = (_, { share }) =>
  onBothDatabases(async (sql) => {
    const random = createRandom(20_261_121);
    const now = Date.now();
    const batches = Math.ceil((SCANS * share) / BATCH);
    const all = batches * BATCH;
    const insertsMs = await timesOfPieces(batches, BATCH, (numbers) => {
      const at = (number: number) => new Date(now - DAYS * DAY_MS * (1 - number / all));
      return insertScans(
        sql,
        numbers.map((number) => createScan(random, number, at(number))),
      );
    });
    const verdicts: Verdict[] = [measured('inserts', (all / sum(insertsMs)) * 1000, 'a second')];
    for (const timeZone of ['UTC', 'America/New_York', 'Asia/Kolkata'])
      for (const [interval, days] of SPANS) {
        const from = new Date(now - days * DAY_MS);
        const query = { slug: SLUG, from, to: new Date(now), interval, timeZone };
        const found = await bucketSpan(sql, query);
        if (!found.ok) throw new Error(found.fault.message);
        const span = found.value;
        for (const [name, read] of [
          ['series', () => scanSeries(sql, { ...query, ...span })],
          ['breakdowns', () => scanBreakdowns(sql, { slug: SLUG, ...span })],
        ] as const) {
          const what = `${name} of ${days} days by ${interval}, ${timeZone}`;
          verdicts.push(await p95Of(what, read, READ_P95_MAX_MS));
        }
      }
    return verdicts;
  });
