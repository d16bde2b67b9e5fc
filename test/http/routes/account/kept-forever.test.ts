/** What is kept for ever has a bound by account: histories, on a server and in the embedded database, and folders. */
import postgres from 'postgres';
import t from 'tap';
import { ADMIN_TOKEN, startApp, type TestApp } from '../../../support/app/app.ts';
import { newClient } from '../../../support/app/client.ts';
import { realDatabaseUrl } from '../../../support/database/database.ts';

const MAX_BYTES = 20_000;
/** Two of them for each of three things exceed the bound. */
const LONG = `https://example.com/${'x'.repeat(4000)}`;
const ROUNDS = 6;

const HISTORY_BYTES_PER_ACCOUNT_MAX = String(MAX_BYTES);
const databaseUrl = await realDatabaseUrl();
const onServer = await startApp(t, {
  RESOLVER: 'on',
  DATABASE_URL: databaseUrl,
  HISTORY_BYTES_PER_ACCOUNT_MAX,
});
const embedded = await startApp(t, { RESOLVER: 'on', DATA_DIR: t.testdir(), HISTORY_BYTES_PER_ACCOUNT_MAX });

const linksOf = async (app: TestApp) => {
  const client = await newClient(app, { monthlyQuota: 100 });
  const { results } = await client.bulk(['https://a.example', 'https://b.example', 'https://c.example']);
  const slugs = results.map(({ slug }) => slug as string);
  return {
    ...client,
    slugs,
    change: async (destination: string, some = slugs): Promise<string> => {
      const changed = await client.patch('/links', { slugs: some, change: { destination } });
      if (changed.status !== 200) throw new Error(changed.text);
      return changed.json.change_id as string;
    },
    undo: (id: string) => client.post(`/links/changes/${id}/undo`),
    destinations: () =>
      Promise.all(slugs.map(async (slug) => (await client.get(`/links/${slug}`)).json.destination)),
    entries: async (slug: string) => (await client.get(`/links/${slug}/history`)).json.data.length,
  };
};

for (const [name, app] of [
  ['a server', onServer],
  ['the embedded database', embedded],
] as const) {
  t.test(`on ${name}, undoing an undo again and again keeps two entries of each link`, async (t) => {
    const mine = await linksOf(app);
    const first = await mine.change(LONG);
    let last = first;
    for (let i = 0; i < ROUNDS; i += 1) {
      const undone = await mine.undo(last);
      t.match(undone.json, { links: 3, changed: 3 });
      last = undone.json.change_id as string;
      const there = i % 2 === 0 ? /^https:\/\/[abc]\.example\/$/ : LONG;
      for (const destination of await mine.destinations()) t.match(destination, there);
    }
    for (const slug of mine.slugs) t.equal(await mine.entries(slug), 2);
    const [slug = ''] = mine.slugs;
    const { created_at: made } = (await mine.get(`/links/${slug}`)).json;
    const { data, complete_since: since } = (await mine.get(`/links/${slug}/history`)).json;
    t.equal(since, data[1]!.at, 'it says since when it is whole');
    t.ok(since! > made);
    const { results } = await mine.bulk(['https://new.example']);
    const fresh = results[0]!.slug as string;
    const history = async () => (await mine.get(`/links/${fresh}/history?limit=1`)).json.complete_since;
    const { created_at: start } = (await mine.get(`/links/${fresh}`)).json;
    t.equal(await history(), start, 'all of a link that was never changed');
    await mine.patch(`/links/${fresh}`, { destination: 'https://newer.example' });
    t.equal(await history(), start, 'and of one whose first entry is on the next page');
    const gone = await mine.undo(first);
    t.match(gone, { status: 404, json: { details: /no longer complete/ } });
    t.match(
      (await app.call({ url: '/metrics', key: ADMIN_TOKEN })).text,
      /tessera_history_removed_total [1-9]/,
    );
  });

  t.test(`on ${name}, a change that could be undone only in part is not undone`, async (t) => {
    const mine = await linksOf(app);
    await mine.change(LONG);
    await mine.change(`${LONG}2`);
    const together = await mine.change('https://together.example/');
    const [one, ...others] = mine.slugs;
    for (let i = 0; i < 3; i += 1) await mine.change(`${LONG}-alone-${i}`, [one!]);
    t.equal((await mine.undo(together)).status, 404);
    t.strictSame(await mine.destinations(), [
      `${LONG}-alone-2`,
      ...others.map(() => 'https://together.example/'),
    ]);

    const other = await linksOf(app);
    const small = await other.change('https://one.example/');
    await other.change('https://two.example/');
    await other.change('https://three.example/', other.slugs.slice(0, 1));
    t.equal(await other.entries(other.slugs[0]!), 4, 'another account has all of its history');
    t.match((await other.undo(small)).json, { links: 3, changed: 3 });
    t.match(await other.destinations(), [/a\.example/, /b\.example/, /c\.example/]);
  });

  t.test(`on ${name}, the same holds for items of the resolver and for dead links`, async (t) => {
    const { get, post, patch, del } = await newClient(app);
    const body = { links: [{ rel: 'gs1:pip', href: 'https://brand.example/', title: 'page' }] };
    const item = (await post('/resolver/items', { key: '(01)09521321000018', ...body })).json;
    const set = ['a', 'b', 'c'].map((title) => ({ ...body.links[0]!, title, href: `${LONG}${title}` }));
    const changed = await patch('/resolver/items', { ids: [item.id], change: { set } });
    let last = changed.json.change_id as string;
    for (let i = 0; i < ROUNDS; i += 1) {
      const undone = await post(`/resolver/changes/${last}/undo`);
      t.match(undone.json, { items: 1, changed: 1 });
      last = undone.json.change_id as string;
    }
    const ofItem = (await get(`/resolver/items/${item.id}/history`)).json;
    t.equal(ofItem.data.length, 2);
    t.equal(ofItem.complete_since, ofItem.data[1]!.at);
    t.ok(ofItem.complete_since! > item.created_at);
    const gone = await post(`/resolver/changes/${changed.json.change_id}/undo`);
    t.match(gone, { status: 404, json: { details: /no longer complete/ } });
    const { created_at: begun } = (await get('/account')).json;
    t.equal((await get('/account/dead-link-history')).json.complete_since, begun);
    for (let i = 0; i < 10; i += 1) await patch('/account', { dead_link_url: `${LONG}${i}` });
    const ofDeadLinks = (await get('/account/dead-link-history')).json;
    t.equal(ofDeadLinks.data.length, 2);
    t.equal(ofDeadLinks.complete_since, ofDeadLinks.data[1]!.at);
    t.ok(ofDeadLinks.complete_since! > begun);
    t.equal((await del(`/resolver/items/${item.id}`)).status, 204);
    t.equal((await patch('/account', { dead_link_url: null })).status, 200);
    t.equal((await patch('/account', { dead_link_url: 'https://example.com/' })).status, 200);
    t.equal((await get('/account/dead-link-history')).json.data.length, 4, 'what was deleted does not count');
  });
}

const sql = postgres(databaseUrl, { max: 1 });
t.teardown(() => sql.end());

t.test('answers with scans say since when none is missing', async (t) => {
  const { get, slugs } = await linksOf(onServer);
  const paths = ['/scans', `/links/${slugs[0]}/scans`];
  for (const path of paths) t.equal((await get(path)).json.complete_since, null, path);
  t.equal((await get('/scans/raw')).headers['tessera-complete-since'], undefined);
  const since = '2026-01-01T00:00:00.000Z';
  await sql`update scans_kept set since = ${since}`;
  for (const path of paths) t.equal((await get(path)).json.complete_since, since, path);
  t.equal((await get('/scans/raw')).headers['tessera-complete-since'], since);
  await sql`update scans_kept set since = null`;
});

t.test('an account makes up to 100,000 folders, with those in the bin', async (t) => {
  const { id, post, del } = await newClient(onServer);
  await sql`
    insert into folders (account_id, name, deleted_at)
    select ${id}, n::text, case when n > 10 then now() end from generate_series(1, 99999) as n`;
  const last = await post('/folders', { name: 'The last one' });
  t.equal(last.status, 201);
  t.match(await post('/folders', { name: 'One more' }), { status: 409, json: { error: 'Limit reached' } });
  await del(`/folders/${last.json.id}`);
  t.equal((await post('/folders', { name: 'One more' })).status, 409);
  const codes = await post('/qr/bulk', { items: [{ data: 'x' }], folderName: 'One more' });
  t.equal(codes.status, 200, 'codes that are paid have a folder all the same');
});

t.test('the size of the histories is that of their entries', async (t) => {
  const rows = await sql`
    select s.bytes::int as counted, (
      select coalesce(sum(octet_length(coalesce(dead_link_url, '')) + 100), 0) from dead_link_history d
      where d.account_id = s.account_id
    )::int + (
      select coalesce(sum(octet_length(links::text) + 100), 0) from resolver_history r
      where r.account_id = s.account_id
    )::int + (
      select coalesce(sum(octet_length(h.destination) + octet_length(coalesce(h.before_destination, ''))
        + octet_length(coalesce(h.after_destination, '')) + octet_length(coalesce(h.rules::text, '')) + 100), 0)
      from link_history h join links l using (slug) where l.account_id = s.account_id
    )::int + (
      select coalesce(sum(octet_length(rules::text) + 100), 0) from rule_set_history r
      where r.account_id = s.account_id
    )::int as bytes
    from history_sizes s`;
  t.ok(rows.length >= 4);
  for (const { counted, bytes } of rows) t.equal(counted, bytes);
});
