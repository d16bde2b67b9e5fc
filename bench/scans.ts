/**
 * `npm run bench:scans` measures how fast the scans of one busy link are recorded and read. The scans come from a fixed
 * seed. They are evenly spread over the days before now, over 90 kinds of client, 40 countries and 4 referrers.
 */
import { scanBreakdowns } from '../src/db/tables/scans/breakdowns.ts';
import { insertScans, type ScanRow } from '../src/db/tables/scans/scans.ts';
import { bucketSpan, type Interval, scanSeries } from '../src/db/tables/scans/series.ts';
import { commandLine } from './command/main.ts';
import { whole } from './command/whole.ts';
import { withDatabase } from './database.ts';
import { createRandom } from './random.ts';
import { say } from './say.ts';
import { sum } from './stats.ts';
import { percentiles, time } from './timing.ts';

const SLUG = 'benchmrk';
const DAY_MS = 86_400_000;
const SAMPLES = 40;
const TARGET_P95_MS = 100;
const VISITORS = 300_000;
const DEVICES = ['mobile', 'tablet', 'desktop'];
const SYSTEMS = ['iOS', 'Android', 'Windows', 'macOS', 'Linux'];
const BROWSERS = ['Safari', 'Chrome', 'Samsung Internet for Android', 'Firefox', 'Microsoft Edge', 'Opera'];
const COUNTRIES = Array.from({ length: 40 }, (_, i) =>
  String.fromCharCode(65 + (i % 26), 65 + ((i * 7) % 26)),
);
const REFERRERS = ['', '', '', '', '', '', 'google.com', 'instagram.com', 'facebook.com', 't.co'];

const createScan = (random: () => number, number: number, at: Date): ScanRow => {
  /** Picks early names more often than late ones. */
  const pick = (names: readonly string[]) => names[Math.floor(random() ** 2 * names.length)] ?? '';
  const kind = random() < 0.9 ? 'person' : random() < 0.5 ? 'bot' : 'preview';
  const known = kind === 'person';
  const visitor = Buffer.alloc(8);
  visitor.writeUInt32BE(Math.floor(random() * VISITORS));
  return {
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
  };
};

const { values: options } = commandLine({
  name: 'npm run bench:scans',
  about:
    'Measures how fast the scans of one busy link are recorded and read. Ends with 1 when the 95th percentile of a read is above 100 ms.',
  options: {
    url: {
      type: 'string',
      value: 'postgres://…',
      text: 'an empty database, which is not cleaned up; without it an embedded one',
    },
    scans: whole('scans to write; 0 only reads what an earlier run left', 1_000_000, 0),
    days: {
      type: 'string',
      default: '365',
      value: 'n',
      least: 1,
      text: 'days before now over which they are spread',
    },
    batch: whole('scans of one INSERT', 500),
  },
  examples: [
    ['--scans 100000', 'a rough answer, on an embedded database'],
    ['--url postgres://localhost/bench --scans 0', 'reads again what an earlier run wrote'],
  ],
});
const [scans, days, batch] = [Number(options.scans), Number(options.days), Number(options.batch)];

const now = Date.now();

await withDatabase(options.url, async ({ sql }) => {
  const random = createRandom(20_261_121);
  const insertsMs: number[] = [];
  for (let first = 0; first < scans; first += batch) {
    const rows = Array.from({ length: Math.min(batch, scans - first) }, (_, i) =>
      createScan(random, first + i, new Date(now - days * DAY_MS * (1 - (first + i) / scans))),
    );
    insertsMs.push(await time(() => insertScans(sql, rows)));
  }
  if (scans > 0) {
    const aSecond = Math.round((scans / sum(insertsMs)) * 1000);
    say(JSON.stringify({ name: 'inserts', scans, days, batch, aSecond, ...percentiles(insertsMs) }));
  }

  const spans: readonly (readonly [Interval, number])[] = [
    ['hour', 1],
    ['hour', 30],
    ['day', 30],
    ['day', 365],
    ['month', 365],
  ];
  let missed = 0;
  for (const timeZone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
    for (const [interval, spanDays] of spans) {
      const query = {
        slug: SLUG,
        from: new Date(now - spanDays * DAY_MS),
        to: new Date(now),
        interval,
        timeZone,
      };
      const found = await bucketSpan(sql, query);
      if (!found.ok) throw new Error(found.fault.message);
      const span = found.value;
      for (const [name, read] of [
        ['series', () => scanSeries(sql, { ...query, ...span })],
        ['breakdowns', () => scanBreakdowns(sql, { slug: SLUG, ...span })],
      ] as const) {
        const timesMs: number[] = [];
        for (let i = 0; i < SAMPLES; i += 1) timesMs.push(await time(read));
        const result = percentiles(timesMs);
        if (result.p95Ms > TARGET_P95_MS) missed += 1;
        say(JSON.stringify({ name, interval, spanDays, timeZone, ...result }));
      }
    }
  }
  say(missed === 0 ? `all below ${TARGET_P95_MS} ms` : `${missed} reads above ${TARGET_P95_MS} ms`);
  process.exitCode = missed === 0 ? 0 : 1;
});
