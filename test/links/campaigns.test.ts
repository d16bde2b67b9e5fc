/** Reports of the scans of some links: of a folder, a tag, a batch, a domain, a rule set, a rule or chosen codes. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import t from 'tap';
import { withTimeLimit } from '../../src/db/statements.ts';
import { findLinks } from '../../src/db/tables/scans/scanned.ts';
import { insertScans, type ScanRow } from '../../src/db/tables/scans/scans.ts';
import { until } from '../servers/until.ts';
import type { AnswerBody } from '../support/app/answer-body.ts';
import { startApp } from '../support/app/app.ts';
import { newClient, RANDOM_ID } from '../support/app/client.ts';
import { openFor, realDatabaseUrl } from '../support/database/database.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { scanRow } from '../support/scan.ts';

const url = await realDatabaseUrl();
const app = await startApp(t, { DATABASE_URL: url });
const { sql } = await openFor(t, { url, dataDir: '' });

interface Code {
  readonly id: string;
  readonly slug: string;
  readonly filters: Readonly<Record<string, string>>;
}

/** An account with ten links, each of which some filters mean. */
const campaign = async () => {
  const made = await newClient(app);
  const links = async (name: string, tags: readonly string[]) => {
    const saved = await made.bulk(
      [0, 1, 2].map((i) => `https://example.com/${name}${i}`),
      name,
    );
    for (const { id } of saved.codes) await made.patch(`/codes/${id}`, { tags });
    return saved;
  };
  const posters = await links('Posters', ['spring']);
  const cups = await links('Cups', ['spring', 'café']);
  const sent = await made.post(
    '/batches?folder_name=Cups',
    'data,dynamic\nhttps://example.com/a,true\nhttps://example.com/b,true\n',
    { 'content-type': 'text/csv' },
  );
  const batch: string = sent.json.id;
  await until(async () => (await made.get(`/batches/${batch}`)).json.state === 'done');
  const rules = [{ name: 'app', when: { country: ['DE'] }, destination: 'https://example.com/app' }];
  const { id: set } = (await made.post('/rule-sets', { name: 'Apps', rules })).json;
  const [{ id: domainId }] = await sql<[{ id: string }]>`
    insert into domains (account_id, host, token, verified_at)
    values (${made.id}, ${`${made.id.slice(0, 8)}.example`}, ${'x'.repeat(32)}, now()) returning id`;
  const host = `${made.id.slice(0, 8)}.example`;
  const own = await made.post(
    '/qr/bulk',
    { items: [{ data: 'https://example.com/own', dynamic: true }], folderName: 'Own' },
    { 'tessera-domain': host },
  );
  const all = (await made.get('/codes?limit=100')).json.data;
  await made.patch('/links', { slugs: fieldsOf(posters.codes, 'slug'), change: { rule_set_id: set } });
  const [first] = await sql<{ slug: string }[]>`select slug from links where domain_id = ${domainId}`;
  const batchIds = new Set(
    (await made.get(`/folders/${cups.folderId}/codes?limit=100`)).json.data
      .filter(({ content }) => /\/[ab]$/.test(content))
      .map(({ id }) => id),
  );
  const codes = all.map(
    ({ id, slug, domain, folder_id, tags }): Code => ({
      id,
      slug: domain === null ? slug! : first!.slug,
      filters: {
        folder_id,
        ...(tags.includes('spring') && { tag: 'spring' }),
        ...(batchIds.has(id) && { batch_id: batch }),
        domain: domain ?? 'shared',
        ...(folder_id === posters.folderId && { rule_set_id: set }),
      },
    }),
  );
  t.equal(own.status, 200, own.text);
  return { ...made, codes, folders: [posters.folderId, cups.folderId], batch, set, host };
};

type Counts = Record<'people' | 'bots' | 'previews', number>;
const COUNTS = ['people', 'bots', 'previews'] as const;

const add = (rows: readonly Counts[]): Counts =>
  Object.fromEntries(COUNTS.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as Counts;

const SPAN = 'from=2026-10-01&to=2026-11-01&time_zone=Europe/Berlin';

t.test('what is counted for some links is the sum of what is counted for each', async (t) => {
  const { id: accountId, get, codes, folders, batch, set, host } = await campaign();
  t.equal(codes.length, 9);
  const filter = fc.record(
    {
      folder_id: fc.constantFrom(...folders),
      tag: fc.constant('spring'),
      batch_id: fc.constant(batch),
      domain: fc.constantFrom('shared', host),
      rule_set_id: fc.constant(set),
      code_ids: fc.subarray(fieldsOf(codes, 'id'), { minLength: 1 }).map((ids) => ids.join(',')),
    },
    { requiredKeys: [] },
  );
  const scan = fc.record({
    // Around the ends of the month in Berlin.
    at: fc
      .constantFrom('2026-09-30T22:00Z', '2026-10-31T23:00Z', '2026-10-25T01:00Z')
      .chain((base) =>
        fc.integer({ min: -300, max: 300 }).map((m) => new Date(Date.parse(base) + m * 60_000)),
      ),
    slug: fc.constantFrom(...fieldsOf(codes, 'slug')),
    kind: fc.constantFrom('person', 'person', 'bot', 'preview'),
    visitor: fc.constantFrom('0000000000000001', '0000000000000002'),
    country: fc.constantFrom('DE', 'FR', ''),
    rule: fc.constantFrom('', 'app'),
  });
  await fc.assert(
    fc
      .asyncProperty(
        filter,
        fc.array(scan, { maxLength: 40 }),
        fc.boolean(),
        async (asked, rows, isOfRule) => {
          await insertScans(
            sql,
            rows.map((row) => scanRow(row as Partial<ScanRow>)),
          );
          const meant = codes.filter(({ id, filters }) =>
            Object.entries(asked).every(([name, value]) =>
              name === 'code_ids' ? String(value).includes(id) : filters[name] === value,
            ),
          );
          const rule: Record<string, string> = isOfRule ? { rule: 'app' } : {};
          const query = `${SPAN}&${new URLSearchParams({ ...(asked as Record<string, string>), ...rule })}`;
          const whole = (await get(`/scans?${query}`)).json;
          const broken = (await get(`/scans/breakdowns?${query}`)).json as unknown as AnswerBody & {
            readonly breakdowns: Readonly<Record<string, readonly (Counts & { value: string | null })[]>>;
            readonly hours: readonly Counts[];
          };
          const singles = [];
          for (const { id } of meant)
            singles.push(
              (await get(`/scans?${SPAN}&${new URLSearchParams({ code_ids: id, ...rule })}`)).json,
            );
          if (!isOfRule)
            for (const [i, { slug, filters }] of meant.entries()) {
              if (filters.domain !== 'shared') continue;
              const link = (await get(`/links/${slug}/scans?${SPAN}`)).json;
              t.strictSame(link.series, singles[i]!.series, 'a single code is its link');
            }
          const counted = rows.filter(
            (row) =>
              meant.some(({ slug }) => slug === row.slug) &&
              (!isOfRule || row.rule === 'app') &&
              row.at >= new Date('2026-09-30T22:00Z') &&
              row.at < new Date('2026-10-31T23:00Z'),
          );
          const expected = {
            people: counted.filter(({ kind }) => kind === 'person').length,
            bots: counted.filter(({ kind }) => kind === 'bot').length,
            previews: counted.filter(({ kind }) => kind === 'preview').length,
          };
          const isFiltered = Object.keys(asked).length > 0;
          t.strictSame(add(singles.map(({ totals }) => totals)), expected);
          if (isFiltered) t.strictSame(add([whole.totals]), expected, query);
          t.strictSame(add(broken.hours), expected, query);
          for (const [name, values] of Object.entries(broken.breakdowns))
            t.strictSame(add(values), expected, `${name}: ${query}`);
          if (isFiltered)
            t.equal(
              whole.totals.unique_visitors,
              singles.reduce((sum, { totals }) => sum + totals.unique_visitors, 0),
            );
          const countries = parse((await get(`/scans/export?by=country&${query}`)).text, { columns: true });
          for (const { value, people } of broken.breakdowns.country!)
            t.match(
              (countries as Record<string, string>[]).find(({ country }) => country === (value ?? '')),
              { people: String(people), from: '2026-10-01', to: '2026-10-31' },
            );
          const links: Record<string, string>[] = parse((await get(`/scans/export?by=link&${query}`)).text, {
            columns: true,
          });
          t.strictSame(links.map(({ code_id }) => code_id!).sort(), fieldsOf(meant, 'id').sort());
          t.equal(
            links.reduce((sum, { people }) => sum + Number(people), 0),
            expected.people,
          );
        },
      )
      .beforeEach(async () => {
        await sql`delete from scans where account_id = ${accountId}`;
        await sql`truncate scan_visitors, scan_series, scan_account_series, scan_breakdowns, scan_totals`;
      }),
    { numRuns: 40 },
  );
});

t.test('days are those of the time zone, in tables and for single scans', async (t) => {
  const { get, bulk, patch } = await newClient(app);
  const { codes, folderId } = await bulk(['https://example.com/'], 'Plakate');
  const [{ id, slug }] = codes as unknown as [{ id: string; slug: string }];
  await patch(`/codes/${id}`, { name: 'Café, Hafen', tags: ['frühling', 'münchen'] });
  await insertScans(
    sql,
    ['2026-09-30T21:59:59Z', '2026-09-30T22:00:00Z', '2026-10-31T22:59:59Z', '2026-10-31T23:00:00Z'].map(
      (at) => scanRow({ slug, at: new Date(at), country: 'DE' }),
    ),
  );
  const table = async (by: string) => {
    const { text, headers } = await get(`/scans/export?by=${by}&folder_id=${folderId}&${SPAN}`);
    t.match(headers['content-disposition'], `scans-by-${by}-2026-10-01-2026-10-31.csv`);
    return text.trimEnd().split('\r\n');
  };
  const days = await table('day');
  t.equal(days.length, 32);
  t.strictSame(days.slice(0, 3), [
    'day,people,bots,previews,unique_visitors',
    '2026-10-01,1,0,0,0',
    '2026-10-02,0,0,0,0',
  ]);
  t.equal(days.at(-1), '2026-10-31,1,0,0,1', 'a visitor counts once a day in UTC');
  t.strictSame(await table('month'), ['month,people,bots,previews,unique_visitors', '2026-10,2,0,0,1']);
  t.strictSame(await table('country'), [
    'from,to,country,people,bots,previews',
    '2026-10-01,2026-10-31,DE,2,0,0',
  ]);
  t.match((await table('hour')).slice(0, 2), [/^hour,/, /^2026-10-01 00:00,1,/]);
  const hours = await table('hour_of_week');
  t.equal(hours.length, 1 + 7 * 24);
  t.ok(hours.includes('2026-10-01,2026-10-31,4,0,1,0,0'), 'Thursday at midnight');
  t.ok(hours.includes('2026-10-01,2026-10-31,6,23,1,0,0'), 'Saturday before midnight');
  const [link] = parse((await table('link')).join('\n'), { columns: true }) as Record<string, string>[];
  t.match(link, {
    ...{ slug, code_id: id, name: 'Café, Hafen', tags: 'frühling, münchen', folder: 'Plakate' },
    ...{ short_url: `http://qr.test/l/${slug}`, destination: 'https://example.com/', people: '2' },
  });
  const raw = await get(`/scans/raw?format=csv&tag=frühling&${SPAN}`);
  t.strictSame(
    (parse(raw.text, { columns: true }) as Record<string, string>[]).map(({ local_time }) => local_time),
    ['2026-10-01 00:00:00', '2026-10-31 23:59:59'],
  );
});

t.test('single scans have the same filters', async (t) => {
  const { get, codes, folders, batch, set, host } = await campaign();
  await insertScans(
    sql,
    codes.map(({ slug }, i) => scanRow({ slug, at: new Date('2026-10-10'), rule: i === 0 ? 'app' : '' })),
  );
  const found = async (filter: Record<string, string>) => {
    const { text } = await get(`/scans/raw?format=csv&${SPAN}&${new URLSearchParams(filter)}`);
    return (parse(text, { columns: true }) as Record<string, string>[]).map(({ code_id }) => code_id!).sort();
  };
  for (const [name, value] of Object.entries({
    ...{ folder_id: folders[0]!, tag: 'spring', batch_id: batch, rule_set_id: set, domain: host },
  }))
    t.strictSame(
      await found({ [name]: value }),
      fieldsOf(
        codes.filter(({ filters }) => filters[name] === value),
        'id',
      ).sort(),
      name,
    );
  t.strictSame(await found({ code_ids: codes[2]!.id }), [codes[2]!.id]);
  t.strictSame(await found({ rule: 'app' }), [codes[0]!.id]);
  t.strictSame(await found({ rule: 'app', code_ids: codes[1]!.id }), []);
});

t.test('what an account does not have is not found, and odd filters are refused', async (t) => {
  const mine = await campaign();
  const other = await newClient(app);
  const [item] = [(await mine.post('/resolver/items', {})).status];
  t.equal(item, 400);
  for (const path of ['/scans?', '/scans/breakdowns?', '/scans/export?by=link&', '/scans/raw?']) {
    for (const filter of [
      `folder_id=${mine.folders[0]}`,
      `batch_id=${mine.batch}`,
      `rule_set_id=${mine.set}`,
      `domain=${mine.host}`,
      `code_ids=${mine.codes[0]!.id}`,
      `code_ids=${RANDOM_ID}`,
    ])
      t.equal((await other.get(`${path}${filter}`)).status, 404, `${path}${filter}`);
    for (const filter of ['code_ids=', 'code_ids=x', 'tag=%20', 'rule=', 'domain=%00', 'time_zone=Nowhere'])
      t.match((await mine.get(`${path}${filter}`)).status, /40[04]/, `${path}${filter}`);
  }
  t.equal((await other.get(`/scans?tag=spring`)).json.totals.people, 0);
  for (const path of ['/scans?', '/scans/breakdowns?', '/scans/export?by=day&'])
    t.equal((await mine.get(`${path}item_id=${RANDOM_ID}`)).status, 404);
  t.match(await mine.get(`/scans?item_id=${RANDOM_ID}&tag=spring`), {
    status: 400,
    json: { details: /^item_id: must be sent without other filters/ },
  });
  t.match((await mine.get('/scans/export')).text, /^day,/, 'days, unless a call says otherwise');
});

t.test('more links than may be counted are refused', async (t) => {
  const { id: accountId } = await campaign();
  const find = (max: number) => withTimeLimit(sql, 3000, (tx) => findLinks(tx, { accountId }, 'all', max));
  t.match(await find(9), { ok: true, value: { length: 9 } });
  t.strictSame(await find(8), { ok: false, fault: { what: 'links', max: 8 } });
});
