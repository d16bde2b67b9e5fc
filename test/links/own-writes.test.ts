/** A change of a link applies to the next visit through the same gateway, without waiting for a notification. */
import t from 'tap';
import { startPostgresProxy } from '../servers/proxies/postgres-proxy.ts';
import { through } from '../servers/proxies/proxy.ts';
import { startApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';
import { realDatabaseUrl } from '../support/database/database.ts';

const url = await realDatabaseUrl();
const proxy = await startPostgresProxy(t, url);
const app = await startApp(t, { DATABASE_URL: through(url, proxy) });
const { call } = app;
const { patch, post, del, bulk } = await newClient(app, { monthlyQuota: 1000 });

/** Where a visit leads; `null`: nowhere. */
const visit = async (slug: string) => (await call({ url: `/l/${slug}` })).headers.location ?? null;

const visited = async (name: string, count: number) => {
  const items = Array.from({ length: count }, (_, i) => `https://first.test/${i}`);
  const { folderId, results, codes } = await bulk(items, name);
  const slugs = results.map(({ slug }) => slug!);
  for (const slug of slugs) await visit(slug);
  return { slugs, folderId, ids: codes.map(({ id }) => id) };
};

t.before(() => proxy.holdNews(true));
t.teardown(() => proxy.holdNews(false));

t.test('an edit of one link applies to the next visit', async (t) => {
  const { slugs } = await visited('one', 1);
  await patch(`/links/${slugs[0]}`, { destination: 'https://second.test/' });
  t.equal(await visit(slugs[0]!), 'https://second.test/');
  await patch(`/links/${slugs[0]}`, { active_until: '2020-01-01T00:00:00Z' });
  t.equal(await visit(slugs[0]!), null, 'its end applies');
  await patch('/account', { dead_link_url: 'https://dead.test/' });
  t.equal(await visit(slugs[0]!), 'https://dead.test/', 'the URL for dead links applies');
  await patch('/account', { dead_link_url: null });
  t.equal(await visit(slugs[0]!), null);
});

t.test('a custom slug that was visited before it existed works at the next visit', async (t) => {
  const { slugs } = await visited('slug', 1);
  t.equal(await visit('own-slug'), null);
  await patch(`/links/${slugs[0]}`, { slug: 'own-slug' });
  t.equal(await visit('own-slug'), 'https://first.test/0');
  await patch(`/links/own-slug`, { destination: 'https://second.test/' });
  t.equal(await visit('own-slug'), 'https://second.test/');
  t.equal(await visit(slugs[0]!), 'https://second.test/');
});

t.test('an edit of many links, and its undoing, apply to the next visits', async (t) => {
  const { slugs } = await visited('many', 30);
  const change = { destination: 'https://second.test/' };
  const { change_id: id } = (await patch('/links', { slugs, change })).json;
  for (const slug of slugs) t.equal(await visit(slug), 'https://second.test/');
  await post(`/links/changes/${id}/undo`);
  for (const [i, slug] of slugs.entries()) t.equal(await visit(slug), `https://first.test/${i}`);
});

t.test('the deletion and restoration of codes and of a folder apply to the next visits', async (t) => {
  const { slugs, folderId, ids } = await visited('gone', 30);
  const find = async () => (await Promise.all(slugs.map(visit))).filter((to) => to !== null).length;
  await del(`/codes/${ids[0]}`);
  t.equal(await find(), 29);
  await post(`/codes/${ids[0]}/restore`);
  t.equal(await find(), 30);
  await post('/codes/delete', { ids });
  t.equal(await find(), 0);
  await post('/codes/restore', { ids });
  t.equal(await find(), 30);
  await del(`/folders/${folderId}`);
  t.equal(await find(), 0);
  await post(`/folders/${folderId}/restore`);
  t.equal(await find(), 30);
});

t.test('a revoked key and a changed preset apply to the next call', async (t) => {
  const made = (await post('/keys', { name: 'short-lived' })).json;
  const use = () => call({ url: '/api/v1/usage', key: made.key });
  t.equal((await use()).status, 200);
  await del(`/keys/${made.id}`);
  t.equal((await use()).status, 401, 'a revoked key is refused at once');

  const draw = async () => (await post('/qr', { data: 'x' }, { 'tessera-preset': 'House' })).text;
  const { id } = (await post('/presets', { name: 'House', options: { width: 100 } })).json;
  const before = await draw();
  await patch(`/presets/${id}`, { options: { width: 200 } });
  t.not((await draw()).length, before.length, 'a changed preset applies at once');
});
