/** A change of a link applies to the next visit through the same gateway, without waiting for a notification. */
import t, { type Test } from 'tap';
import { startPostgresProxy } from '../servers/proxies/postgres-proxy.ts';
import { through } from '../servers/proxies/proxy.ts';
import { type Call, startApp } from '../support/app/app.ts';
import { realDatabaseUrl } from '../support/database/database.ts';

const url = await realDatabaseUrl();
const proxy = await startPostgresProxy(t, url);
const { call, account } = await startApp(t, { DATABASE_URL: through(url, proxy) });
const { key } = await account({ monthlyQuota: 1000 });

const done = async (t: Test, method: NonNullable<Call['method']>, path: string, body?: unknown) => {
  const answer = await call({ method, url: `/api/v1${path}`, key, body });
  t.ok(answer.status < 300, `${method} ${path}: ${answer.status}`);
  return answer.json;
};

/** Where a visit leads; `null`: nowhere. */
const visit = async (slug: string) => (await call({ url: `/l/${slug}` })).headers.location ?? null;

const bulk = async (t: Test, name: string, count: number) => {
  const items = Array.from({ length: count }, (_, i) => ({ data: `https://first.test/${i}`, dynamic: true }));
  const { results, meta } = await done(t, 'POST', '/qr/bulk', { items, folderName: name });
  const slugs = results.map(({ slug }: { slug: string }) => slug) as string[];
  for (const slug of slugs) await visit(slug);
  return { slugs, folderId: meta.folder_id as string };
};

t.before(() => proxy.holdNews(true));
t.teardown(() => proxy.holdNews(false));

t.test('an edit of one link applies to the next visit', async (t) => {
  const { slugs } = await bulk(t, 'one', 1);
  await done(t, 'PATCH', `/links/${slugs[0]}`, { destination: 'https://second.test/' });
  t.equal(await visit(slugs[0]!), 'https://second.test/');
  await done(t, 'PATCH', `/links/${slugs[0]}`, { active_until: '2020-01-01T00:00:00Z' });
  t.equal(await visit(slugs[0]!), null, 'its end applies');
  await done(t, 'PATCH', '/account', { dead_link_url: 'https://dead.test/' });
  t.equal(await visit(slugs[0]!), 'https://dead.test/', 'the URL for dead links applies');
  await done(t, 'PATCH', '/account', { dead_link_url: null });
  t.equal(await visit(slugs[0]!), null);
});

t.test('a custom slug that was visited before it existed works at the next visit', async (t) => {
  const { slugs } = await bulk(t, 'slug', 1);
  t.equal(await visit('own-slug'), null);
  await done(t, 'PATCH', `/links/${slugs[0]}`, { slug: 'own-slug' });
  t.equal(await visit('own-slug'), 'https://first.test/0');
  await done(t, 'PATCH', `/links/own-slug`, { destination: 'https://second.test/' });
  t.equal(await visit('own-slug'), 'https://second.test/');
  t.equal(await visit(slugs[0]!), 'https://second.test/');
});

t.test('an edit of many links, and its undoing, apply to the next visits', async (t) => {
  const { slugs } = await bulk(t, 'many', 30);
  const { change_id: id } = await done(t, 'PATCH', '/links', {
    slugs,
    change: { destination: 'https://second.test/' },
  });
  for (const slug of slugs) t.equal(await visit(slug), 'https://second.test/');
  await done(t, 'POST', `/links/changes/${id}/undo`);
  for (const [i, slug] of slugs.entries()) t.equal(await visit(slug), `https://first.test/${i}`);
});

t.test('the deletion and restoration of codes and of a folder apply to the next visits', async (t) => {
  const { slugs, folderId } = await bulk(t, 'gone', 30);
  const { data } = await done(t, 'GET', `/folders/${folderId}/codes?limit=100`);
  const ids = data.map(({ id }: { id: string }) => id) as string[];
  const find = async () => (await Promise.all(slugs.map(visit))).filter((to) => to !== null).length;
  await done(t, 'DELETE', `/codes/${ids[0]}`);
  t.equal(await find(), 29);
  await done(t, 'POST', `/codes/${ids[0]}/restore`);
  t.equal(await find(), 30);
  await done(t, 'POST', '/codes/delete', { ids });
  t.equal(await find(), 0);
  await done(t, 'POST', '/codes/restore', { ids });
  t.equal(await find(), 30);
  await done(t, 'DELETE', `/folders/${folderId}`);
  t.equal(await find(), 0);
  await done(t, 'POST', `/folders/${folderId}/restore`);
  t.equal(await find(), 30);
});

t.test('a revoked key and a changed preset apply to the next call', async (t) => {
  const made = await done(t, 'POST', '/keys', { name: 'short-lived' });
  const use = () => call({ url: '/api/v1/usage', key: made.key });
  t.equal((await use()).status, 200);
  await done(t, 'DELETE', `/keys/${made.id}`);
  t.equal((await use()).status, 401, 'a revoked key is refused at once');

  const draw = async () =>
    (
      await call({
        method: 'POST',
        url: '/api/v1/qr',
        key,
        headers: { 'tessera-preset': 'House' },
        body: { data: 'x' },
      })
    ).text;
  const { id } = await done(t, 'POST', '/presets', { name: 'House', options: { width: 100 } });
  const before = await draw();
  await done(t, 'PATCH', `/presets/${id}`, { options: { width: 200 } });
  t.not((await draw()).length, before.length, 'a changed preset applies at once');
});
