import fc from 'fast-check';
import t from 'tap';
import type { Database } from '../../src/db/database.ts';
import { scanBreakdowns } from '../../src/db/tables/scans/breakdowns.ts';
import {
  insertScans,
  isUnfitScan,
  type ScanRow,
  scanTotals,
  VALUES_MAX,
} from '../../src/db/tables/scans/scans.ts';
import {
  bucketSpan,
  type Interval,
  SPAN_MAX_DAYS,
  scanSeries,
  scansKeptSince,
} from '../../src/db/tables/scans/series.ts';
import { ensurePartitions, keepScans, visitorSalt } from '../../src/db/tables/scans/upkeep.ts';
import { createScanClassifier } from '../../src/links/classify.ts';
import { createScanDescriber, createVisitorHash, noteScan } from '../../src/links/scan.ts';
import { createScanRecorder } from '../../src/links/scan-recorder.ts';
import { realDatabase } from '../support/database/database.ts';
import { DATABASES } from '../support/database/kinds.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { scanRow } from '../support/scan.ts';
import { silent } from '../support/silent-log.ts';

const SLUG = 'abcdefgh';

const scan = ({ visitor = 1, ...some }: Partial<Omit<ScanRow, 'visitor'>> & { visitor?: number } = {}) =>
  scanRow({ ...some, slug: some.slug ?? SLUG, visitor: Buffer.alloc(8, visitor).toString('hex') });

const sum = (rows: readonly { people: number; bots: number; previews: number }[]) => ({
  people: rows.reduce((n, row) => n + row.people, 0),
  bots: rows.reduce((n, row) => n + row.bots, 0),
  previews: rows.reduce((n, row) => n + row.previews, 0),
});

const countKinds = (scans: readonly ScanRow[]) => ({
  people: scans.filter(({ kind }) => kind === 'person').length,
  bots: scans.filter(({ kind }) => kind === 'bot').length,
  previews: scans.filter(({ kind }) => kind === 'preview').length,
});

const readSeries = async (
  { sql }: Database,
  from: string,
  to: string,
  interval: Interval,
  timeZone: string,
  slug = SLUG,
) => {
  const query = { slug, from: new Date(from), to: new Date(to), interval, timeZone };
  const found = await bucketSpan(sql, query);
  if (!found.ok) throw new Error(found.fault.message);
  const span = found.value;
  return { span, points: [...(await scanSeries(sql, { ...query, ...span }))] };
};

/** A moment's hour, day or month in local time, by Node's time zones. */
const onClock = (interval: Interval, timeZone: string) => {
  const parts = { month: 'YYYY-MM', day: 'YYYY-MM-DD', hour: 'YYYY-MM-DD HH' }[interval].length;
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  // Cached: the same moments occur again and again, and formatting them is slow.
  const told = new Map<number, string>();
  return (moment: Date): string => {
    const known = told.get(moment.getTime()) ?? format.format(moment).slice(0, parts);
    told.set(moment.getTime(), known);
    return known;
  };
};

for (const [kind, open] of Object.entries(DATABASES)) {
  t.test(`scans in the ${kind} database`, async (t) => {
    const database = await open(t);
    const { sql } = database;
    t.beforeEach(async () => {
      await sql`truncate scans, scan_visitors, scan_series, scan_breakdowns, scan_totals, visitor_salts`;
    });

    await t.test('writing the same scans again, all or some of them, changes nothing', async (t) => {
      const scans = [scan(), scan({ kind: 'bot' }), scan({ kind: 'preview' }), scan({ visitor: 2 })];
      t.equal(await insertScans(sql, scans), 4);
      t.equal(await insertScans(sql, scans), 0);
      t.equal(await insertScans(sql, [...scans.slice(2), scan({ visitor: 2 }), ...scans]), 1);
      t.equal(await insertScans(sql, []), 0);
      const { points } = await readSeries(database, '2026-11-21', '2026-11-22', 'day', 'UTC');
      t.strictSame(points, [
        { start: new Date('2026-11-21'), people: 3, bots: 1, previews: 1, uniqueVisitors: 2 },
      ]);
      const totals = await scanTotals(sql, [SLUG, 'unknown0']);
      t.strictSame(
        [...totals],
        [[SLUG, { people: 3, bots: 1, previews: 1, lastAt: new Date('2026-11-21T12:00:00Z') }]],
      );
    });

    await t.test('a series has empty buckets, and a day the hours of the local clock', async (t) => {
      await insertScans(sql, [scan({ at: new Date('2026-10-25T00:30:00Z') })]);
      const hours = async (from: string, to: string, timeZone: string) =>
        (await readSeries(database, from, to, 'hour', timeZone)).points.length;
      t.equal(await hours('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 'Europe/Berlin'), 23);
      t.equal(await hours('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 'Europe/Berlin'), 25);
      t.equal(await hours('2026-10-24T18:30:00Z', '2026-10-25T18:30:00Z', 'Asia/Kolkata'), 24);

      const october = await readSeries(database, '2026-10-20', '2026-10-28', 'day', 'Europe/Berlin');
      t.equal(october.points.length, 9, 'the days are whole, including the first and the last');
      t.strictSame(october.span, {
        from: new Date('2026-10-19T22:00:00Z'),
        to: new Date('2026-10-28T23:00:00Z'),
      });
      t.strictSame(
        fieldsOf(
          october.points.filter(({ people }) => people > 0),
          'start',
        ),
        [new Date('2026-10-24T22:00:00Z')],
      );
      const year = await readSeries(database, '2026-01-01', '2027-01-01', 'month', 'America/New_York');
      t.strictSame(fieldsOf(year.points, 'people'), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
      t.strictSame(year.points[0]?.start, new Date('2025-12-01T05:00:00Z'));
    });

    await t.test('an impossible or too long range and an unknown time zone are refused', async (t) => {
      const from = new Date('2026-11-21');
      const ask = (some: object) =>
        bucketSpan(sql, { from, to: new Date('2026-11-22'), interval: 'day', timeZone: 'UTC', ...some });
      t.match(await ask({}), { ok: true });
      for (const interval of ['hour', 'day', 'month'] as const) {
        const longestMs = from.getTime() + SPAN_MAX_DAYS[interval] * 86_400_000;
        t.match(await ask({ interval, to: new Date(longestMs) }), { ok: true });
        t.match(await ask({ interval, to: new Date(longestMs + 1) }), {
          ok: false,
          fault: { field: 'to' },
        });
      }
      for (const to of [from, new Date('2026-11-20'), new Date(Number.NaN)]) {
        t.match(await ask({ to }), { ok: false, fault: { field: 'to' } });
      }
      for (const day of ['1999-12-31', '2100-01-02', '-271821-04-20', 'never']) {
        t.match(
          await ask({ from: new Date(day), to: new Date(8.64e15) }),
          { ok: false, fault: { field: 'from' } },
          day,
        );
      }
      for (const timeZone of ['', 'Mars/Olympus', '+05:30', '<+05>-5', 'FOO+5', "x'; drop table scans"]) {
        t.match(await ask({ timeZone }), { ok: false, fault: { field: 'time_zone' } }, timeZone);
      }
    });

    await t.test('breakdowns list known values, most frequent first, and count the rest', async (t) => {
      await insertScans(sql, [
        scan({ country: 'DE', referrerHost: 'example.com' }),
        scan({ country: 'FR', device: 'desktop', os: 'Windows', browser: 'Chrome' }),
        scan({ country: 'FR', browser: 'Chrome' }),
        scan({ kind: 'bot', country: 'US', device: '', os: '', browser: '' }),
        scan({ kind: 'preview', device: '', os: '', browser: '' }),
      ]);
      const span = { from: new Date('2026-11-21'), to: new Date('2026-11-22') };
      const row = (value: string | null, people: number, bots = 0, previews = 0) => ({
        value,
        people,
        bots,
        previews,
      });
      t.strictSame(await scanBreakdowns(sql, { slug: SLUG, ...span }), {
        device: [row('mobile', 2), row('desktop', 1), row(null, 0, 1, 1)],
        os: [row('iOS', 2), row('Windows', 1), row(null, 0, 1, 1)],
        browser: [row('Chrome', 2), row('Safari', 1), row(null, 0, 1, 1)],
        country: [row('FR', 2), row('DE', 1), row('US', 0, 1), row(null, 0, 0, 1)],
        referrer_host: [row('example.com', 1), row(null, 2, 1, 1)],
        rule: [row(null, 3, 1, 1)],
      });
      const none = await scanBreakdowns(sql, { slug: 'unknown0', ...span });
      t.strictSame(none, { device: [], os: [], browser: [], country: [], referrer_host: [], rule: [] });
    });

    await t.test('a hundred referrers are listed, and the others are summed up', async (t) => {
      const scans = Array.from({ length: 150 }, (_, i) => scan({ referrerHost: `host${i}.example` }));
      await insertScans(sql, [...scans, scan({ referrerHost: 'host149.example' }), scan()]);
      const span = { from: new Date('2026-11-21'), to: new Date('2026-11-22') };
      const { referrer_host: hosts } = await scanBreakdowns(sql, { slug: SLUG, ...span });
      t.equal(hosts.length, 102);
      t.match(hosts[0], { value: 'host149.example', people: 2 });
      t.match(hosts.slice(-2), [
        { value: '(other)', people: 50 },
        { value: null, people: 1 },
      ]);
    });

    await t.test('values that visitors make up are counted together beyond the first ones', async (t) => {
      const made = (i: number, minute: number) =>
        scan({
          at: new Date(Date.UTC(2026, 10, 21, 12, minute)),
          referrerHost: `host${i}.example`,
          browser: `B${i}`,
        });
      const early = Array.from({ length: 1100 }, (_, i) => made(i, 0));
      const late = Array.from({ length: 300 }, (_, i) => made(1100 + i, 20));
      await insertScans(sql, early.slice(0, 200));
      await insertScans(sql, early);
      await insertScans(sql, [...late, made(0, 20), scan({ slug: 'otherone', referrerHost: 'a.example' })]);
      const kept = await sql`
        select dimension, grain, count(*) as values, sum(people) as people from scan_breakdowns
        where slug = ${SLUG} group by dimension, grain, start order by dimension, grain, start`;
      const rows = (dimension: string) => [
        { dimension, grain: 'day', values: VALUES_MAX.day + 1, people: 1401 },
        { dimension, grain: 'quarter', values: VALUES_MAX.quarter + 1, people: 1100 },
        { dimension, grain: 'quarter', values: VALUES_MAX.quarter + 1, people: 301 },
      ];
      t.strictSame([...kept], [...rows('client'), ...rows('referrer_host')]);

      const day = { from: new Date('2026-11-21'), to: new Date('2026-11-22') };
      const { referrer_host: hosts, ...others } = await scanBreakdowns(sql, { slug: SLUG, ...day });
      t.equal(hosts.length, 101);
      t.match(hosts[0], { value: 'host0.example', people: 2 }, 'a known value still has its own count');
      t.match(hosts.at(-1), { value: '(other)', people: 1401 - 101 });
      for (const name of ['device', 'os', 'browser'] as const)
        t.match(others[name].at(-1), { value: '(other)', people: 400 }, name);
      for (const breakdown of Object.values(others)) t.equal(sum(breakdown).people, 1401);
      const other = await scanBreakdowns(sql, { slug: 'otherone', ...day });
      t.match(other.referrer_host, [{ value: 'a.example', people: 1 }], 'other links are not affected');
    });

    await t.test('series, breakdowns and totals count each scan once, in any batches', async () => {
      // Around both clock changes and the ends of two months.
      const moment = fc
        .constantFrom('2026-03-29T00:00Z', '2026-03-31T22:00Z', '2026-10-25T00:00Z', '2026-10-31T12:00Z')
        .chain((base) =>
          fc.integer({ min: -36, max: 36 * 60 }).map((m) => new Date(Date.parse(base) + m * 60_000)),
        );
      const anyScan = fc.record({
        at: moment,
        slug: fc.constantFrom(SLUG, 'otherone'),
        kind: fc.constantFrom('person', 'person', 'bot', 'preview'),
        visitor: fc.integer({ min: 1, max: 5 }),
        device: fc.constantFrom('mobile', 'desktop', ''),
        country: fc.constantFrom('DE', 'US', ''),
        referrerHost: fc.constantFrom('a.example', 'b.example', ''),
      });
      const day = onClock('day', 'UTC');
      const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
      const zone = fc.constantFrom(
        'UTC',
        'Europe/Berlin',
        'Asia/Kathmandu',
        'America/St_Johns',
        'Australia/Lord_Howe',
      );
      const range = fc.constantFrom<[Interval, string, string]>(
        ['hour', '2026-10-24T13:07:00Z', '2026-10-26T03:00:00Z'],
        ['day', '2026-03-20T10:00:00Z', '2026-04-15T10:00:00Z'],
        ['day', '2026-03-01T00:00:00Z', '2026-11-30T00:00:00Z'],
        ['month', '2026-01-15T00:00:00Z', '2026-12-15T00:00:00Z'],
      );
      await fc.assert(
        fc
          .asyncProperty(
            fc.array(anyScan, { maxLength: 60 }),
            sizes,
            zone,
            range,
            async (traits, cuts, timeZone, asked) => {
              const scans = traits.map((some) => scan(some as Parameters<typeof scan>[0]));
              for (const [i, size] of cuts.entries()) {
                const from = (i * 13) % (scans.length + 1);
                await insertScans(sql, scans.slice(from, from + size));
              }
              for (let i = 0; i < scans.length; i += cuts[0]!)
                await insertScans(sql, scans.slice(i, i + cuts[0]!));

              const [interval, from, to] = asked;
              const { span, points } = await readSeries(database, from, to, interval, timeZone);
              const inSpan = (at: Date) => at >= span.from && at < span.to;
              const mine = scans.filter(({ slug, at }) => slug === SLUG && inSpan(at));
              const clock = onClock(interval, timeZone);

              // Hours that the local clock shows twice are compared as one.
              for (const shown of new Set([
                ...points.map(({ start }) => clock(start)),
                ...mine.map(({ at }) => clock(at)),
              ])) {
                const there = points.filter(({ start }) => clock(start) === shown);
                const here = mine.filter(({ at }) => clock(at) === shown);
                if (JSON.stringify(sum(there)) !== JSON.stringify(countKinds(here))) return false;
              }
              if (points.some(({ start }, i) => i > 0 && start <= points[i - 1]!.start)) return false;

              const expected = JSON.stringify(countKinds(mine));
              const breakdowns = Object.values(await scanBreakdowns(sql, { slug: SLUG, ...span }));
              if (breakdowns.some((rows) => JSON.stringify(sum(rows)) !== expected)) return false;

              const days = await readSeries(database, '2026-03-01', '2026-12-01', 'day', 'UTC');
              for (const { start, uniqueVisitors } of days.points) {
                const people = scans.filter(
                  (one) => one.slug === SLUG && one.kind === 'person' && day(one.at) === day(start),
                );
                if (new Set(people.map(({ visitor }) => visitor)).size !== uniqueVisitors) return false;
              }
              const visitors = (rows: readonly { uniqueVisitors: number }[]) =>
                rows.reduce((n, row) => n + row.uniqueVisitors, 0);
              const whole = await readSeries(database, '2026-03-01', '2026-12-01', 'month', timeZone);
              if (visitors(whole.points) !== visitors(days.points)) return false;

              const totals = (await scanTotals(sql, [SLUG])).get(SLUG);
              return (
                JSON.stringify(sum(totals ? [totals] : [])) ===
                JSON.stringify(countKinds(scans.filter(({ slug }) => slug === SLUG)))
              );
            },
          )
          .beforeEach(async () => {
            await sql`truncate scans, scan_visitors, scan_series, scan_breakdowns, scan_totals`;
          }),
        { numRuns: 40 },
      );
    });

    await t.test('a batch with an invalid row is refused as a whole', async (t) => {
      const broken: Partial<ScanRow>[] = [
        { slug: 'short' },
        { kind: 'ghost' as 'bot' },
        { country: 'de' },
        { referrerHost: 'x'.repeat(101) },
        { id: 'no uuid' },
        { browser: 'x'.repeat(33) },
        { os: 'nul\0' },
        { os: '\t', country: '', browser: '', referrerHost: '' },
        { browser: 'Safari\n' },
      ];
      for (const fault of broken) {
        const { visitor: _, ...rest } = { ...scan(), ...fault };
        const error = await insertScans(sql, [scan(), scan(rest)]).then(
          () => null,
          (caught: unknown) => caught,
        );
        t.ok(isUnfitScan(error), JSON.stringify(fault).slice(0, 60));
      }
      t.equal((await scanTotals(sql, [SLUG])).size, 0);
      t.notOk(isUnfitScan(new Error('away')));
      t.notOk(isUnfitScan(Object.assign(new Error('deadlock'), { code: '40P01' })));
    });

    await t.test('scans of any day get a partition', async (t) => {
      const days = ['2024-02-29T23:59:59.999Z', '2031-12-31T23:59:59Z', '2032-01-01T00:00:00Z'];
      t.equal(
        await insertScans(
          sql,
          days.map((day) => scan({ at: new Date(day) })),
        ),
        3,
      );
      await Promise.all([1, 2, 3, 4].map(() => ensurePartitions(sql, new Date('2040-05-31T12:00:00Z'))));
      const names = await sql<{ name: string }[]>`
        select inhrelid::regclass::text as name from pg_inherits
        where inhparent in ('scans'::regclass, 'scan_visitors'::regclass) and inhrelid::regclass::text like '%2040%'
        order by 1`;
      t.strictSame(fieldsOf(names, 'name'), [
        'scan_visitors_20400531',
        'scan_visitors_20400601',
        'scan_visitors_20400602',
        'scans_204005',
        'scans_204006',
        'scans_204007',
      ]);
    });

    await t.test('maintenance deletes old scans by month and day, and keeps the totals', async (t) => {
      const at = (day: string) => scan({ at: new Date(day), visitor: Number(day.slice(8, 10)) });
      await insertScans(sql, ['2026-08-31', '2026-09-01', '2026-11-19', '2026-11-20', '2026-11-21'].map(at));
      await visitorSalt(sql, '2026-11-19');
      await visitorSalt(sql, '2026-11-20');
      await visitorSalt(sql, '2026-11-21');

      await keepScans(sql, new Date('2026-11-21T00:30:00Z'), 1200);
      t.equal(await scansKeptSince(sql), null, 'as long as all are kept');
      await keepScans(sql, new Date('2026-11-21T00:30:00Z'), 2);
      t.strictSame(await scansKeptSince(sql), new Date('2026-09-01'));
      const kept = await sql<
        { day: string }[]
      >`select to_char(at at time zone 'UTC', 'MM-DD') as day from scans order by at`;
      t.strictSame(fieldsOf(kept, 'day'), ['09-01', '11-19', '11-20', '11-21']);
      const [visitors] =
        await sql`select array_agg(to_char(day, 'MM-DD') order by day) as days from scan_visitors`;
      t.strictSame(visitors?.days, ['11-20', '11-21']);
      const salts = () => sql`select to_char(day, 'MM-DD') as day from visitor_salts order by 1`;
      t.strictSame(
        fieldsOf(await salts(), 'day'),
        ['11-20', '11-21'],
        "scans of yesterday's last hour may still arrive",
      );
      t.match((await scanTotals(sql, [SLUG])).get(SLUG), { people: 5 });
      const year = await readSeries(database, '2026-01-01', '2026-12-31', 'month', 'UTC');
      t.strictSame(sum(year.points), { people: 4, bots: 0, previews: 0 });

      await keepScans(sql, new Date('2026-11-21T01:00:00Z'), 2);
      t.strictSame(fieldsOf(await salts(), 'day'), ['11-21']);
      await keepScans(sql, new Date('2030-01-01T12:00:00Z'), 2);
      t.equal((await sql`select 1 from scans`).length, 0);
      t.equal(await insertScans(sql, [scan()]), 1, 'scans are accepted afterwards');
    });

    await t.test('all gateways get the same salt for a day, and another one each day', async (t) => {
      const same = await Promise.all([1, 2, 3, 4, 5].map(() => visitorSalt(sql, '2026-11-21')));
      t.equal(new Set(same.map((salt) => Buffer.from(salt).toString('hex'))).size, 1);
      t.equal(same[0]?.length, 32);
      t.strictNotSame(await visitorSalt(sql, '2026-11-22'), same[0]);
    });

    await t.test('a scan is recorded, and no address or user agent is stored', async (t) => {
      const recorder = createScanRecorder(
        {
          describe: createScanDescriber(
            createScanClassifier(10),
            createVisitorHash((day) => visitorSalt(sql, day)),
            (address) => (address === '198.51.100.78' ? 'NZ' : 'XK'),
          ),
          insert: (rows) => insertScans(sql, rows),
          isUnfit: isUnfitScan,
          maxBuffered: 100,
          groupMax: 10,
          flushMs: 10,
          retryMs: 10,
        },
        silent,
      );
      const agent =
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64; Quaxolotl/9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/118.0 Safari/537.36';
      const headers = {
        'user-agent': agent,
        referer: 'https://news.example/secret-path',
        'cf-ipcountry': 'FR',
      };
      for (const address of ['198.51.100.77', '198.51.100.77', '2001:db8:77::1', '2001:db8:77::2']) {
        recorder.record(noteScan(SLUG, address, headers));
      }
      recorder.record(noteScan(SLUG, '198.51.100.78', { 'user-agent': 'curl/8.0' }));
      await recorder.close(60_000);
      t.strictSame(recorder.stats(), { buffered: 0, recorded: 5, dropped: 0, unfit: 0 });

      const now = Date.now();
      const span = { from: new Date(now - 3_600_000), to: new Date(now + 3_600_000) };
      const { points } = await readSeries(
        database,
        span.from.toISOString(),
        span.to.toISOString(),
        'day',
        'UTC',
      );
      t.match(sum(points), { people: 4, bots: 1 });
      t.equal(
        points.reduce((n, { uniqueVisitors }) => n + uniqueVisitors, 0),
        2,
      );
      const breakdowns = await scanBreakdowns(sql, { slug: SLUG, ...span });
      t.match(breakdowns.browser[0], { value: 'Chrome', people: 4 });
      t.match(breakdowns.referrer_host[0], { value: 'news.example', people: 4 });
      const countries = breakdowns.country.map(({ value, people, bots }) => [value, people, bots]);
      t.strictSame(
        countries,
        [
          ['FR', 4, 0],
          ['NZ', 0, 1],
        ],
        'the country in a header takes precedence over that of the address',
      );

      const stored = await sql`
        select to_jsonb(scans)::text as row from scans union all select to_jsonb(scan_visitors)::text from scan_visitors
        union all select to_jsonb(scan_series)::text from scan_series
        union all select to_jsonb(scan_breakdowns)::text from scan_breakdowns
        union all select to_jsonb(scan_totals)::text from scan_totals`;
      const text = stored.map(({ row }) => row).join('\n');
      t.match(text, /news\.example/);
      const hex = (address: string) => Buffer.from(address).toString('hex');
      for (const secret of [
        '198.51.100',
        '2001:db8',
        'Quaxolotl',
        'curl',
        'secret-path',
        hex('198.51'),
        hex('Quax'),
      ]) {
        t.notOk(text.includes(secret), secret);
      }
    });
  });
}

t.test('gateways that write the same scans at the same time count them once', async (t) => {
  const { sql } = await realDatabase(t);
  const slugs = ['abcdefgh', 'ijklmnop', 'qrstuvwx'];
  const scans = Array.from({ length: 1200 }, (_, i) =>
    scan({
      slug: slugs[i % 3]!,
      at: new Date(Date.UTC(2026, 10, 21, 12, i % 120)),
      visitor: i % 50,
      referrerHost: `host${i % 7}.example`,
    }),
  );
  const gateway = async (stride: number) => {
    const order = scans.map((_, i) => scans[(i * stride) % scans.length]!);
    for (let i = 0; i < order.length; i += 60) await insertScans(sql, order.slice(i, i + 60));
  };
  await Promise.all([1, 7, 11, 13].map(gateway));
  const totals = await scanTotals(sql, slugs);
  t.strictSame(
    slugs.map((slug) => totals.get(slug)?.people),
    [400, 400, 400],
  );
  const [visitors] = await sql`
    select (select count(*) from scan_visitors) as listed, (select sum(visitors) from scan_series) as counted`;
  t.strictSame(visitors, { listed: 150, counted: 150 });
});
