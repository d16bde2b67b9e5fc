import fc from 'fast-check';
import t from 'tap';
import { ndjson, sharedBatchApp } from '../batches/support.ts';
import { until } from '../servers/until.ts';
import { newClient } from '../support/app/client.ts';

const { app, sql } = await sharedBatchApp();

/** An account, and functions that move its links. */
const newMover = async () => {
  const client = await newClient(app, { plan: 'pro', monthlyQuota: 100 });
  const { get, post } = client;
  const show = async (id: string) => (await get(`/link-jobs/${id}`)).json;
  return {
    ...client,
    /** Sends an import that must be accepted, and waits until it has ended. */
    async run(rows: readonly object[] | string, query = '', type = 'application/x-ndjson') {
      const body = typeof rows === 'string' ? rows : ndjson(rows);
      const sent = await post(`/links/imports${query}`, body, { 'content-type': type });
      if (sent.status !== 202) throw new Error(`${sent.status} ${sent.text}`);
      await until(async () => (await show(sent.json.id)).finished_at !== null, { pauseMs: 20 });
      const { state, made, unchanged, faults } = await show(sent.json.id);
      return { id: sent.json.id as string, counts: { state, made, unchanged, faults } };
    },
    async faultsOf(id: string): Promise<readonly { row: number; field: string; message: string }[]> {
      const { text } = await get(`/link-jobs/${id}/faults`);
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    exported: async (format = 'ndjson', more = '') =>
      (await get(`/links/export?format=${format}${more}`)).text,
    linkOf: async (slug: string) => get(`/links/${slug}`),
  };
};

const leadsTo = async (slug: string) => (await app.call({ url: `/l/${slug}` })).headers.location;

let runs = 0;
/** Slugs that no other test has. */
const newSlugs = (count: number): readonly string[] => {
  runs += 1;
  return Array.from({ length: count }, (_, i) => `mv-${'abcdefghjk'[runs % 10]}${runs}x${i}q`);
};

t.test('an imported link leads on, has what it had before, and is made once', async (t) => {
  const mover = await newMover();
  const [slug] = newSlugs(1) as [string];
  const row = {
    ...{ slug, destination: 'https://example.com/menu', name: 'Menu', tags: ['food'], folder: 'Moved' },
    ...{ external_id: 'm-1', scans: 42, created_at: '2019-01-02T03:04:05.000Z' },
    active_until: '2097-01-01T00:00:00.000Z',
  };
  t.same((await mover.run([row])).counts, { state: 'done', made: 1, unchanged: 0, faults: 0 });
  t.equal(await leadsTo(slug), 'https://example.com/menu');
  const { json: link } = await mover.linkOf(slug);
  t.match(link, {
    ...{ destination: row.destination, tags: ['food'], external_id: 'm-1', active_until: row.active_until },
    ...{ created_at: row.created_at, imported_scans: 42, scan_count: 0 },
  });
  t.match((await mover.get('/codes?search=menu')).json.data[0], { name: 'Menu', grade: null, slug });
  t.same((await mover.run([row])).counts, { state: 'done', made: 0, unchanged: 1, faults: 0 });
  const other = await mover.run([{ ...row, destination: 'https://example.com/other' }]);
  t.same(other.counts, { state: 'done', made: 0, unchanged: 0, faults: 1 });
  t.match(await mover.faultsOf(other.id), [{ row: 1, field: 'destination' }]);
  t.equal(await leadsTo(slug), 'https://example.com/menu');
});

t.test('its code has no picture until one is drawn for one unit, and later designs are free', async (t) => {
  const mover = await newMover();
  const [slug] = newSlugs(1) as [string];
  await mover.run([{ slug, destination: 'https://example.com/' }]);
  const used = async () => (await mover.get('/usage')).json.usage_count;
  const id = (await mover.get('/codes')).json.data[0]!.id;
  const before = await used();
  t.equal((await mover.get(`/codes/${id}/image`)).status, 400);
  t.equal((await mover.put(`/codes/${id}/design`, { width: 300, height: 300 })).status, 400);
  const drawn = await mover.post(`/codes/${id}/picture`, { width: 400, height: 400 });
  t.match(drawn, { status: 200, json: { grade: 4, width: 400 } });
  t.equal((await mover.post(`/codes/${id}/picture`, {})).status, 200);
  t.equal((await mover.put(`/codes/${id}/design`, { width: 300, height: 300 })).status, 200);
  t.equal((await mover.get(`/codes/${id}/image`)).status, 200);
  t.equal(await used(), before === undefined ? undefined : before + 1);
});

t.test('of two accounts, the second neither gets nor sees the slugs of the first', async (t) => {
  const [one, other] = [await newMover(), await newMover()];
  const [slug] = newSlugs(1) as [string];
  await one.run([{ slug, destination: 'https://example.com/one' }]);
  const taken = await other.run([
    { slug, destination: 'https://example.com/one' },
    { slug: slug.toUpperCase(), destination: 'https://example.com/two' },
  ]);
  t.same(taken.counts, { state: 'done', made: 0, unchanged: 0, faults: 2 });
  for (const { message } of await other.faultsOf(taken.id)) t.match(message, /taken/);
  t.equal(await leadsTo(slug), 'https://example.com/one');
  t.equal((await other.linkOf(slug)).status, 404);
  t.equal(await other.exported(), '');
});

/** Removes all that an account has, as if it had never been there: its slugs are free for an account elsewhere. */
const forget = async ({ id }: { readonly id: string }): Promise<void> => {
  const rows = await sql<{ slug: string }[]>`select slug from links where account_id = ${id}`;
  const slugs = rows.map(({ slug }) => slug);
  await sql`delete from codes where account_id = ${id}`;
  await sql`update links set own_slug = null where slug = any(${slugs})`;
  await sql`delete from own_slugs where link_slug = any(${slugs})`;
  await sql`delete from gone_scans where slug = any(${slugs})`;
  await sql`delete from links where slug = any(${slugs})`;
};

const RULE = { name: 'de', when: { language: ['de'] }, destination: 'https://example.com/de' };
const TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

t.test(
  'rules, a rule set and a limit move, a password only if asked for, and the export says so',
  async (t) => {
    const slugs = newSlugs(4) as [string, string, string, string];
    const rows = slugs.map((slug, i) => ({ slug, destination: `https://example.com/${i}`, scans: i }));
    const set = { name: '{Shops; all}', rules: [{ ...RULE, name: 'shops' }] };
    let from = await newMover();
    await from.run(rows);
    const { id } = (await from.post('/rule-sets', set)).json;
    await from.patch(`/links/${slugs[0]}`, { password: 'secret', rules: [RULE], visit_limit: 5 });
    for (const slug of slugs.slice(1, 3)) await from.patch(`/links/${slug}`, { rule_set_id: id });
    await from.patch(`/links/${slugs[3]}`, { visit_limit: 3, after_destination: 'https://example.com/over' });
    t.equal(await leadsTo(slugs[3]), 'https://example.com/over', 'scans before the move count to the limit');
    t.match(await from.exported(), /"not_in_file":\["password"\]/);
    for (const format of ['ndjson', 'csv'] as const) {
      const before = await from.exported(format);
      await forget(from);
      const to = await newMover();
      const refused = await to.run(before, '?dry_run=true', TYPES[format]);
      t.match(refused.counts, format === 'ndjson' ? { made: 3, faults: 1 } : { made: 4, faults: 0 }, format);
      const moved = await to.run(before, '?dropped=accept', TYPES[format]);
      t.match(moved.counts, { made: 4, faults: 0 }, format);
      t.same(
        (await to.get(`/link-jobs/${moved.id}`)).json.left_out,
        format === 'ndjson' ? [{ column: 'not_in_file', rows: 1 }] : [],
      );
      t.equal(await to.exported(format), before.replace('["password"]', '[]'), format);
      t.match((await to.get('/rule-sets')).json.data, [set]);
      t.match((await to.linkOf(slugs[0])).json, { rules: [RULE], visit_limit: 5, has_password: false });
      t.equal(await leadsTo(slugs[3]), 'https://example.com/over');
      const headers = { 'accept-language': 'de' };
      for (const slug of [slugs[0], slugs[2]])
        t.equal((await app.call({ url: `/l/${slug}`, headers })).headers.location, RULE.destination);
      const again = await to.run(before, '?dropped=accept', TYPES[format]);
      t.same(again.counts, { state: 'done', made: 0, unchanged: 4, faults: 0 });
      from = to;
    }
  },
);

t.test(
  'passwords move as hashes where the export is asked for them, and nobody can send others',
  async (t) => {
    const [slug, other] = newSlugs(2) as [string, string];
    const destination = 'https://example.com/';
    let from = await newMover();
    await from.run([
      { slug, destination, password: 'open sesame' },
      { slug: other, destination },
    ]);
    t.notMatch(await from.exported(), /scrypt/);
    for (const format of ['ndjson', 'csv'] as const) {
      const before = await from.exported(format, '&passwords=hashed');
      t.equal(before.match(/scrypt\$/g)!.length, 1);
      await forget(from);
      const to = await newMover();
      t.match((await to.run(before, '', TYPES[format])).counts, { made: 2, faults: 0 }, format);
      t.equal(await to.exported(format, '&passwords=hashed'), before);
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const enter = (body: string) => app.call({ method: 'POST', url: `/l/${slug}`, headers, body });
      t.equal((await enter('password=wrong')).status, 403);
      t.match(await enter('password=open+sesame'), { status: 303, headers: { location: destination } });
      from = to;
    }
    const hash = `scrypt$${'a'.repeat(22)}$${'b'.repeat(43)}`;
    const wrong = [
      { password_hash: 'open sesame' },
      { password_hash: hash.slice(0, -1) },
      { password_hash: hash.replace('scrypt', 'md5') },
      { password_hash: hash, password: 'open sesame' },
    ];
    const rows = newSlugs(wrong.length).map((own, i) => ({ slug: own, destination, ...wrong[i] }));
    const { id } = await from.run(rows);
    t.match(
      (await from.faultsOf(id)).map(({ field }) => field),
      wrong.map(() => 'password_hash'),
    );
  },
);

t.test('a password of a row is what visitors must enter', async (t) => {
  const mover = await newMover();
  const slugs = newSlugs(2);
  const csv = `slug,destination,password\n${slugs.map((slug) => `${slug},https://example.com/,open sesame\n`).join('')}`;
  t.match((await mover.run(csv, '', 'text/csv')).counts, { made: 2, faults: 0 });
  for (const slug of slugs) {
    t.equal(await leadsTo(slug), undefined);
    const sent = { method: 'POST', url: `/l/${slug}` } as const;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    t.equal((await app.call({ ...sent, headers, body: 'password=wrong' })).status, 403);
    const opened = await app.call({ ...sent, headers, body: 'password=open+sesame' });
    t.match(opened, { status: 303, headers: { location: 'https://example.com/' } });
  }
});

t.test(
  'a rule set is made once, by the first row that has its rules, and must be that of the account',
  async (t) => {
    const mover = await newMover();
    const slugs = newSlugs(6);
    const rule_set = { name: 'Set', rules: [RULE] };
    const rows = [
      rule_set,
      'Set',
      { name: 'Set', rules: [{ ...RULE, name: 'x' }] },
      'Nowhere',
      { name: '' },
      7,
    ].map((own, i) => ({ slug: slugs[i], destination: 'https://example.com/', rule_set: own }));
    const dry = await mover.run(rows, '?dry_run=true');
    t.match(dry.counts, { made: 2, faults: 4 });
    t.strictSame((await mover.get('/rule-sets')).json.data, []);
    const real = await mover.run(rows);
    t.strictSame(real.counts, dry.counts);
    t.strictSame(await mover.faultsOf(real.id), await mover.faultsOf(dry.id));
    t.match(await mover.faultsOf(real.id), [
      { row: 3, field: 'rule_set', message: /other rules/ },
      { row: 4, field: 'rule_set', message: /no such/ },
      { row: 5, field: 'rule_set.rules' },
      { row: 6, field: 'rule_set' },
    ]);
    t.equal((await mover.get('/rule-sets')).json.data.length, 1);
  },
);

t.test(
  'what an import says about visits is checked as an edit is, and its fault names the field',
  async (t) => {
    const mover = await newMover();
    const slugs = newSlugs(6);
    const wrong = [
      { rules: [{ ...RULE, when: {} }] },
      { rules: [{ ...RULE, destination: 'ftp://x' }] },
      { rules: [RULE, RULE] },
      { visit_limit: 0 },
      { visit_limit: 'many' },
      { password: 'abc' },
    ];
    const rows = wrong.map((own, i) => ({ slug: slugs[i], destination: 'https://example.com/', ...own }));
    const { id } = await mover.run(rows);
    const fields = (await mover.faultsOf(id)).map(({ field }) => field);
    t.strictSame(fields, [
      'rules.0.when',
      'rules.0.destination',
      'rules.1.name',
      'visit_limit',
      'visit_limit',
      'password',
    ]);
  },
);

t.test('the same import with the same key is one job', async (t) => {
  const mover = await newMover();
  const [slug] = newSlugs(1) as [string];
  const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': 'once' };
  const send = (rows: readonly object[]) => mover.post('/links/imports', ndjson(rows), headers);
  const row = { slug, destination: 'https://example.com/' };
  const first = await send([row]);
  await until(async () => (await mover.get(`/link-jobs/${first.json.id}`)).json.finished_at !== null);
  const second = await send([row]);
  t.match(second, { status: 202, headers: { 'idempotent-replayed': 'true' }, json: { id: first.json.id } });
  t.equal((await send([row, row])).status, 422);
  t.equal((await mover.get('/link-jobs')).json.data.length, 1);
});

t.test('of several rows that a row repeats, its fault names the first', async (t) => {
  const mover = await newMover();
  const slugs = newSlugs(40);
  const destination = 'https://example.com/';
  const rows = slugs.map((slug) => ({ slug, destination }));
  const repeats = slugs.slice(0, 39).map((slug, i) => ({ slug, other_slugs: [slugs[i + 1]], destination }));
  const { id } = await mover.run([...rows, ...repeats.toReversed()]);
  const found = (await mover.faultsOf(id)).map(({ message }) => Number(/row (\d+)/.exec(message)?.[1]));
  t.strictSame(
    found,
    Array.from({ length: 39 }, (_, i) => 39 - i),
  );
});

t.test('all or nothing makes nothing when a row has a fault', async (t) => {
  const mover = await newMover();
  const [good, again] = newSlugs(2) as [string, string];
  const rows = [
    { slug: good, destination: 'https://example.com/' },
    { slug: again, destination: 'ftp://x' },
  ];
  const refused = await mover.run(rows, '?all_or_nothing=true');
  t.match(refused.counts, { state: 'failed', faults: 1 });
  t.equal((await mover.linkOf(good)).status, 404);
  t.match((await mover.run(rows.slice(0, 1), '?all_or_nothing=true')).counts, { state: 'done', made: 1 });
});

t.test('a domain of somebody else is refused, unless the call says where the links go', async (t) => {
  const mover = await newMover();
  const [slug] = newSlugs(1) as [string];
  const csv = `Link,Custom Link,Title,Destination URL,Created,Tags\nhttps://bit.ly/${slug},,T,https://example.com/,2020-01-02,a\n`;
  const { id, counts } = await mover.run(csv, '?source=bitly', 'text/csv');
  t.match(counts, { made: 0, faults: 1 });
  const [found] = await mover.faultsOf(id);
  t.match(found, { field: 'domain' });
  const [, host] = /domain=(\S+)/.exec(found!.message)!;
  t.match((await mover.run(csv, `?source=bitly&domain=${host}`, 'text/csv')).counts, { made: 1 });
  t.equal(await leadsTo(slug), 'https://example.com/');
});

t.test('a text that the database cannot store is a fault of its row, and ends no job', async (t) => {
  const mover = await newMover();
  const [slug] = newSlugs(1) as [string];
  const destination = 'https://example.com/';
  const { counts, id } = await mover.run([
    { slug: 'a\0b', destination },
    { slug: '\ud800', destination, external_id: '\ud800' },
    { slug: 'mv-unknown', destination, 'x\0': 1 },
    { slug, destination },
  ]);
  t.same(counts, { state: 'done', made: 1, unchanged: 0, faults: 3 });
  t.match(await mover.faultsOf(id), [{ slug: 'a\ufffdb' }, { field: 'external_id' }, { field: 'x\ufffd' }]);
  const odd = await mover.post('/links/imports?domain=a%00b', ndjson([{ slug, destination }]), {
    'content-type': 'application/x-ndjson',
  });
  t.match(odd, { status: 400, json: { details: /^domain: / } });
});

t.test('a rehearsal counts what the import then does', async (t) => {
  const pool = newSlugs(6);
  const row = fc.record({
    slug: fc.constantFrom(...pool, 'admin', 'x', pool[0]!.toUpperCase()),
    destination: fc.constantFrom('https://example.com/a', 'https://example.com/b', 'mailto:x'),
    first_slug: fc.option(fc.constantFrom('AAAAbbb1', 'AAAAbbb2', 'short'), { nil: null }),
    other_slugs: fc.subarray([`${pool[0]}z`, `${pool[1]}z`], { maxLength: 1 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
      const mover = await newMover();
      const dry = await mover.run(rows, '?dry_run=true');
      const found = await mover.faultsOf(dry.id);
      const real = await mover.run(rows);
      t.same(real.counts, dry.counts, JSON.stringify(rows));
      t.same(await mover.faultsOf(real.id), found, JSON.stringify(rows));
      // The slugs become free for the next run.
      await forget(mover);
    }),
    { numRuns: 15 },
  );
});

t.test(
  'an account whose links were exported, removed and imported is equal, and they lead where they led',
  async (t) => {
    const mover = await newMover();
    const slugs = newSlugs(30);
    const rows = slugs.map((slug, i) => ({
      ...{
        slug,
        destination: `https://example.com/${i}?a=ü`,
        name: `=Name ${i}`,
        tags: ['a;b', `t${i % 3}`],
      },
      ...{
        folder: `Folder ${i % 2}`,
        scans: i,
        before_destination: i % 2 ? null : 'https://example.com/early',
      },
      ...{ external_id: i % 5 ? `e${i}` : null, created_at: '2020-02-03T04:05:06.789Z' },
      forward: i % 3 ? null : { query: 'keep-own', path: false, utm: { source: 'qr' } },
      other_slugs: i % 4 ? [] : [`${slug}-old`],
    }));
    t.match((await mover.run(rows)).counts, { made: 30, faults: 0 });
    for (const format of ['ndjson', 'csv'] as const) {
      const before = await mover.exported(format);
      const leads = await Promise.all(slugs.map(leadsTo));
      const firsts = (
        await sql<{ slug: string }[]>`select slug from links where account_id = ${mover.id}`
      ).map(({ slug }) => slug);
      await forget(mover);
      const fresh = await newMover();
      const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
      t.match((await fresh.run(before, '', type)).counts, { made: 30, faults: 0 });
      t.equal(await fresh.exported(format), before);
      t.same(await Promise.all(slugs.map(leadsTo)), leads);
      t.same(await Promise.all(firsts.map(leadsTo)).then((all) => all.length), 30);
      Object.assign(mover, fresh);
    }
  },
);
