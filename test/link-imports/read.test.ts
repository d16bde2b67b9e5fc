import { Readable } from 'node:stream';
import fc from 'fast-check';
import t from 'tap';
import { createNotes } from '../../src/csv/notes.ts';
import { createLeftOut } from '../../src/link-imports/left-out.ts';
import { type LinkReading, type ReadLink, readLinks } from '../../src/link-imports/read.ts';
import type { MovedLink } from '../../src/link-imports/row.ts';
import type { LinkSource } from '../../src/link-imports/sources.ts';
import { MOVED_HEADER, movedLines } from '../../src/link-imports/write.ts';

const BOUNDS = { maxRowBytes: 1_000_000, maxEmptyRows: 100, maxCells: 100_000 };

const read = async (
  text: string,
  source: LinkSource,
  format: 'csv' | 'ndjson',
  more: Partial<LinkReading> = {},
): Promise<readonly ReadLink[]> => {
  const reading: LinkReading = {
    ...{ source, format, encoding: null, columns: {}, isDropAccepted: false, bounds: BOUNDS },
    ...{ notes: createNotes(), leftOut: createLeftOut(), ...more },
  };
  const found: ReadLink[] = [];
  for await (const link of readLinks(Readable.from([Buffer.from(text)]), reading)) found.push(link);
  return found;
};

const only = async (...call: Parameters<typeof read>): Promise<MovedLink> => {
  const [{ link } = { link: null }, ...more] = await read(...call);
  if (link === null || !link.ok || more.length > 0) throw new Error(JSON.stringify(link));
  return link.value;
};

const faultOf = async (...call: Parameters<typeof read>) => {
  const [found] = await read(...call);
  return found === undefined || found.link.ok ? null : found.link.fault;
};

const json = (value: unknown): string => `${JSON.stringify(value)}\n`;

t.test('a page of links of Bitly has its custom links, tags and times', async (t) => {
  const page = {
    links: [
      {
        created_at: '2019-08-24T14:15:22+0000',
        id: 'bit.ly/3x',
        link: 'https://bit.ly/3x',
        custom_bitlinks: ['https://go.brand.example/menu'],
        long_url: 'https://example.com/menu?a=1',
        title: 'The\nmenu',
        archived: false,
        tags: ['food', 'spring'],
        deeplinks: [],
      },
    ],
    pagination: { next: '' },
  };
  t.match(await only(json(page), 'bitly', 'ndjson'), {
    slug: 'menu',
    domain: 'go.brand.example',
    destination: 'https://example.com/menu?a=1',
    name: 'The menu',
    tags: ['food', 'spring'],
    createdAt: '2019-08-24T14:15:22.000Z',
    scans: 0,
  });
  const csv =
    'Link,Custom Link,Title,Destination URL,Created,Tags,Total Clicks\r\nhttps://bit.ly/3y,,A,https://example.com/,2020-01-02 03:04:05,"a, b",17\r\n';
  t.match(await only(csv, 'bitly', 'csv'), {
    ...{ slug: '3y', domain: 'bit.ly', tags: ['a', 'b'], scans: 17 },
    createdAt: '2020-01-02T03:04:05.000Z',
  });
});

t.test('the links of YOURLS come from its statistics, its list and its table', async (t) => {
  const link = { url: 'https://example.com/', title: 'T', timestamp: '2015-03-02 10:11:12', clicks: '42' };
  const wanted = { slug: 'ozh', destination: 'https://example.com/', scans: 42, name: 'T' };
  const stats = { links: { link_1: { shorturl: 'http://sho.rt/ozh', ip: '::1', ...link } }, stats: {} };
  t.match(await only(json(stats), 'yourls', 'ndjson'), { ...wanted, domain: 'sho.rt' });
  t.match(await only(json({ result: [{ keyword: 'ozh', ...link }] }), 'yourls', 'ndjson'), wanted);
  const table =
    'keyword,url,title,timestamp,ip,clicks\nozh,https://example.com/,T,2015-03-02 10:11:12,::1,42\n';
  t.match(await only(table, 'yourls', 'csv'), { ...wanted, createdAt: '2015-03-02T10:11:12.000Z' });
});

t.test('a page of Kutt has expiry and visits, and a link with a password is no plain one', async (t) => {
  const link = {
    ...{ id: 'u1', address: 'spring', domain: null, link: 'https://kutt.example/spring', banned: false },
    ...{ description: 'Spring', target: 'https://example.com/', visit_count: 9, password: false },
    ...{ created_at: '2024-01-01T00:00:00.000Z', expire_in: '2030-01-01T00:00:00.000Z' },
  };
  const page = (more: object) => json({ total: 1, limit: 50, skip: 0, data: [{ ...link, ...more }] });
  t.match(await only(page({}), 'kutt', 'ndjson'), {
    ...{ slug: 'spring', domain: 'kutt.example', name: 'Spring', scans: 9 },
    activeUntil: '2030-01-01T00:00:00.000Z',
  });
  t.match(await faultOf(page({ password: true }), 'kutt', 'ndjson'), { field: 'password' });
  t.match(await faultOf(page({ banned: true }), 'kutt', 'ndjson'), { field: 'banned' });
  t.ok(await only(page({ password: true }), 'kutt', 'ndjson', { isDropAccepted: true }));
});

t.test('links of dub come from its API and its exports', async (t) => {
  const link = {
    ...{ id: 'l1', domain: 'ac.me', key: 'try', url: 'https://example.com/', shortLink: 'https://ac.me/try' },
    ...{ tags: [{ id: 't1', name: 'ads', color: 'red' }], clicks: 3, ios: null, geo: null, password: null },
    ...{ expiresAt: null, expiredUrl: 'https://example.com/over', externalId: 'e1', title: null },
    createdAt: '2024-05-06T07:08:09.000Z',
  };
  const wanted = { slug: 'try', domain: 'ac.me', tags: ['ads'], scans: 3 };
  t.match(await only(json([link]), 'dub', 'ndjson'), {
    ...{ ...wanted, externalId: 'e1', afterDestination: 'https://example.com/over', name: null },
  });
  const labels = 'Short link,Destination URL,Clicks,Created at,Updated at,Tags,Archived\n';
  const ids = 'link,url,clicks,createdAt,updatedAt,tags,archived\n';
  const row = 'https://ac.me/try,https://example.com/,3,2024-05-06T07:08:09.000Z,,"ads",false\n';
  for (const header of [labels, ids]) t.match(await only(`${header}${row}`, 'dub', 'csv'), wanted);
  t.match(await faultOf(json([{ ...link, geo: { DE: 'https://example.de/' } }]), 'dub', 'ndjson'), {
    field: 'geo',
  });
});

t.test('links of Shlink come from its API, its web client and the table that it imports', async (t) => {
  const link = {
    ...{ shortCode: 'abc', shortUrl: 'https://s.test/abc', longUrl: 'https://example.com/', domain: null },
    ...{ dateCreated: '2021-02-03T04:05:06+01:00', tags: ['x', 'y'], title: 'T', hasRedirectRules: false },
    meta: { validSince: '2021-01-01T00:00:00+00:00', validUntil: null, maxVisits: null },
    visitsSummary: { total: 12, nonBots: 10, bots: 2 },
  };
  const page = (more: object) =>
    json({ shortUrls: { data: [{ ...link, ...more }], pagination: { currentPage: 1 } } });
  t.match(await only(page({}), 'shlink', 'ndjson'), {
    ...{ slug: 'abc', domain: 's.test', tags: ['x', 'y'], scans: 12 },
    ...{ createdAt: '2021-02-03T03:05:06.000Z', activeFrom: '2021-01-01T00:00:00.000Z' },
  });
  t.match(await only(page({ meta: { maxVisits: 5 } }), 'shlink', 'ndjson'), { visitLimit: 5 });
  t.match(await faultOf(page({ hasRedirectRules: true }), 'shlink', 'ndjson'), { field: 'hasredirectrules' });
  const web =
    'createdAt,shortUrl,longUrl,title,tags,visits\n2021-02-03T04:05:06+01:00,https://s.test/abc,https://example.com/,T,"x,y",12\n';
  t.match(await only(web, 'shlink', 'csv'), { slug: 'abc', domain: 's.test', tags: ['x', 'y'], scans: 12 });
  const table = 'Long URL,Short code,Domain,Title,Tags\nhttps://example.com/,abc,,T,x|y\n';
  t.match(await only(table, 'shlink', 'csv'), { slug: 'abc', domain: null, tags: ['x', 'y'] });
});

t.test('a table of people has columns by other names, or by names that the call says', async (t) => {
  const table = 'Alias;Target;Titel;Clicks\nmenu;https://example.com/;Karte;5\n';
  t.match(await only(table, 'tessera', 'csv'), { slug: 'menu', name: 'Karte', scans: 5 });
  const own = 'Kurz,Wohin\nmenu,https://example.com/\n';
  const columns = { slug: 'kurz', destination: 'Wohin' };
  t.match(await only(own, 'tessera', 'csv', { columns }), { slug: 'menu' });
  await t.rejects(read(own, 'tessera', 'csv'), /has no column for destination/);
  await t.rejects(
    read('slug,url,target\na,b,c\n', 'tessera', 'csv'),
    /"target" and "url" can both be destination/,
  );
  await t.rejects(read('slug,url,colour\n', 'tessera', 'csv'), /"colour" that is not a field/);
  t.match(
    await only('slug,url,colour\nabc,https://a.test/,red\n', 'tessera', 'csv', { isDropAccepted: true }),
    {
      slug: 'abc',
    },
  );
  t.match(
    await faultOf(json({ slug: 'abc', destination: 'https://a.test/', colour: 'red' }), 'tessera', 'ndjson'),
    {
      field: 'colour',
    },
  );
});

t.test('what is wrong with a value is said with its field, and the rest is read', async (t) => {
  const row = (more: object) => json({ slug: 'abc', destination: 'https://a.test/', ...more });
  for (const [more, field] of [
    [{ created_at: 'yesterday' }, 'created_at'],
    [{ created_at: '2026-02-30' }, 'created_at'],
    [{ created_at: '2026-13-01' }, 'created_at'],
    [{ scans: -1 }, 'scans'],
    [{ scans: '1.5' }, 'scans'],
    [{ tags: ['x'.repeat(65)] }, 'tags'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ slug: '' }, 'slug'],
    [{ destination: {} }, 'destination'],
    [{ active_from: '2026-01-02', active_until: '2026-01-01' }, 'active_until'],
  ] as const)
    t.equal((await faultOf(row(more), 'tessera', 'ndjson'))?.field, field, JSON.stringify(more));
  const both = await read(`${row({ scans: 'x' })}${row({})}`, 'tessera', 'ndjson');
  t.strictSame(
    both.map(({ link, fileRow }) => [fileRow, link.ok]),
    [
      [1, false],
      [2, true],
    ],
  );
  await t.rejects(read('[1]\n', 'tessera', 'ndjson'), /neither a link nor a page/);
});

/** A text as a stored name or tag has it. */
const line = (maxLength: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength })
    .map((text) =>
      text
        .normalize('NFC')
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim(),
    )
    .filter((text) => text !== '' && [...text].length <= maxLength && text.isWellFormed());
const time = fc
  .date({ min: new Date(0), max: new Date('9998-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const slug = fc.stringMatching(/^[0-9A-Za-z][0-9A-Za-z_-]{1,20}[0-9A-Za-z]$/);
const none = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

const rules = fc.array(
  fc.record(
    {
      name: fc.stringMatching(/^[a-z]{1,9}$/),
      when: fc.record({ language: fc.constant(['de']) }, { noNullPrototype: true }),
      destination: fc.webUrl(),
    },
    { noNullPrototype: true },
  ),
  { minLength: 1, maxLength: 3 },
);

const moved: fc.Arbitrary<MovedLink> = fc
  .record({
    slug,
    domain: none(fc.domain().map((domain) => domain.toLowerCase())),
    firstSlug: none(fc.stringMatching(/^[0-9A-Za-z]{8}$/)),
    otherSlugs: fc.uniqueArray(slug, { maxLength: 3 }),
    destination: fc.webUrl({ withQueryParameters: true, withFragments: true }),
    name: none(line(60)),
    tags: fc.uniqueArray(line(20), { maxLength: 5 }),
    externalId: none(line(30)),
    folder: none(line(40)),
    times: fc.uniqueArray(time, { minLength: 2, maxLength: 2 }).map((both) => both.toSorted()),
    beforeDestination: none(fc.webUrl()),
    afterDestination: none(fc.webUrl()),
    forward: none(
      fc.record(
        { query: fc.constantFrom('drop', 'keep-own'), path: fc.boolean() },
        { noNullPrototype: true },
      ),
    ),
    rules: none(rules),
    ruleSet: none(
      fc.oneof(
        line(60),
        line(60).map((name) => `{"${name}`),
        fc.record({ name: line(60), rules }, { noNullPrototype: true }),
      ),
    ),
    visitLimit: none(fc.integer({ min: 1 })),
    createdAt: none(time),
    scans: fc.nat(),
    passwordHash: none(line(70)),
  })
  .map(({ times, ...link }) => ({
    ...link,
    ...{ activeFrom: times[0]!, activeUntil: times[1]!, password: null, notInFile: [] },
  }));

t.test('what becomes nothing of a link is counted by its column, if it says anything', async (t) => {
  const dub = [
    { key: 'a', url: 'https://example.com/', ios: null, comments: 'x', webhookIds: ['1'], archived: false },
    { key: 'b', url: 'https://example.com/', comments: 'y', utm: { source: 'a' }, webhookIds: [] },
  ];
  const bitly = [
    'Link,Destination URL,Notes,Device,',
    'bit.ly/a,https://example.com/,n,,z',
    'bit.ly/b,https://example.com/,,,',
  ];
  const cases = [
    ['dub', 'ndjson', dub.map(json).join(''), { comments: 2, webhookIds: 1, utm: 1 }],
    ['bitly', 'csv', bitly.join('\n'), { Notes: 1, 'column 5': 1 }],
    [
      'shlink',
      'ndjson',
      json({
        shortCode: 'a',
        longUrl: 'https://example.com/',
        meta: { maxVisits: 3, other: 1 },
        crawlable: true,
      }),
      { 'meta.other': 1, crawlable: 1 },
    ],
  ] as const;
  for (const [source, format, text, wanted] of cases) {
    const leftOut = createLeftOut();
    await read(text, source, format, { leftOut });
    t.strictSame(
      Object.fromEntries(leftOut.list().map(({ column, rows }) => [column, rows])),
      wanted,
      source,
    );
  }
});

t.test('columns beyond the first two hundred are counted together, once for a row', async (t) => {
  const leftOut = createLeftOut();
  const names = Array.from({ length: 300 }, (_, i) => `x${i}`);
  const link = {
    key: 'a',
    url: 'https://example.com/',
    ...Object.fromEntries(names.map((name) => [name, 1])),
  };
  await read(json(link) + json(link), 'dub', 'ndjson', { leftOut });
  t.equal(leftOut.list().length, 201);
  t.strictSame(leftOut.list().at(-1), { column: null, rows: 2 });
});

t.test(
  'JSON that would take much memory, or is deeper than a stack, is refused before it is parsed',
  async (t) => {
    const many = (count: number) => `{"data":[${Array(count).fill('{}').join(',')}]}`;
    t.equal((await read(many(200_000), 'kutt', 'ndjson')).length, 200_000);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const line of [many(300_000), `{"slug":"abc","destination":"https://a.example/","forward":${deep}}`])
      await t.rejects(read(line, 'kutt', 'ndjson'), /too many values for one line/);
    const cells = { tags: deep, forward: deep, other_slugs: `[${Array(20_000).fill('1').join(',')}]` };
    for (const [field, cell] of Object.entries(cells))
      t.match(
        await faultOf(`slug,destination,${field}\nabc,https://a.example/,"${cell}"\n`, 'tessera', 'csv'),
        { field },
      );
  },
);

t.test('what the export writes is read back as it was, in both formats', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(moved, { minLength: 1, maxLength: 8 }), async (links) => {
      for (const format of ['csv', 'ndjson'] as const) {
        const text = `${format === 'csv' ? MOVED_HEADER : ''}${movedLines(links, format)}`;
        const back = await read(text, 'tessera', format);
        t.strictSame(
          back.map(({ link }) => (link.ok ? link.value : link.fault)),
          links,
        );
      }
    }),
    { numRuns: 200 },
  );
});
