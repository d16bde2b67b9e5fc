/** What short links pass on: set for a link, many links and an account, and followed by visits. */
import t from 'tap';
import { until, WITHIN_A_SECOND } from '../servers/until.ts';
import { startApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';

const app = await startApp(t);
const { call } = app;
const client = await newClient(app);
const { get, post, patch } = client;
const PAGE = 'https://brand.example/p?a=1';

const makeLink = async (of = client): Promise<string> => {
  const { results } = await of.bulk([PAGE]);
  return results[0]!.slug as string;
};
const follow = async (path: string, method: 'GET' | 'HEAD' = 'GET') =>
  (await call({ method, url: `/l/${path}` })).headers.location;
const comesTo = (path: string, address: string | undefined) =>
  until(async () => (await follow(path)) === address, WITHIN_A_SECOND);
const set = async (slug: string, change: object) => {
  const answer = await patch(`/links/${slug}`, change);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json;
};

t.test('a link passes on what it was told to, and nothing before', async (t) => {
  const slug = await makeLink();
  t.equal(await follow(`${slug}?b=2`), PAGE);
  t.equal((await call({ url: `/l/${slug}/more` })).status, 404);
  t.equal((await get(`/links/${slug}`)).json.forward, null);

  const forward = { query: 'keep-own', path: true };
  t.strictSame((await set(slug, { forward })).forward, { ...forward, utm: {} });
  await comesTo(`${slug}/more/of%2Fit?b=2&a=3`, 'https://brand.example/p/more/of%2Fit?a=1&b=2');
  t.equal(await follow(`${slug}/x`, 'HEAD'), 'https://brand.example/p/x?a=1');
  for (const tail of ['/', ')', '/)', '.', '%E3%80%82'])
    t.equal(await follow(slug + tail), PAGE, `${tail} is no part of the path`);
  t.equal((await call({ url: `/l/${slug}/${'x'.repeat(8200)}` })).status, 400, 'too long an address');

  const { data } = (await get(`/links/${slug}/history`)).json;
  t.strictSame(
    data.map((entry) => (entry as unknown as { forward: unknown }).forward),
    [{ ...forward, utm: {} }, null],
  );
  t.equal((await set(slug, { forward: { path: true, query: 'keep-own', utm: {} } })).slug, slug);
  t.equal((await get(`/links/${slug}/history`)).json.data.length, 2, 'the same again changes nothing');
  await set(slug, { forward: null });
  await comesTo(`${slug}?b=2`, PAGE);
});

t.test('an address with placeholders is checked when it is saved, and filled in by visits', async (t) => {
  const slug = await makeLink();
  const refused = await patch(`/links/${slug}`, { destination: 'https://brand.example/{serialnumber}' });
  t.equal(refused.status, 400);
  t.match(refused.json.details, /^destination: .*\{serialnumber\}: there are \{slug\}/);
  const template = 'https://brand.example/{slug}/{query.size}?path={path}';
  t.equal((await set(slug, { destination: template })).destination, template);
  await comesTo(`${slug}/a/b?size=%D8%AD`, `https://brand.example/${slug}/%D8%AD?path=a%2Fb`);
  await set(slug, { active_until: '2020-01-01T00:00:00Z', after_destination: 'https://brand.example/{21}' });
  await comesTo(`${slug}/01/09521321000018/21/A%2F7`, 'https://brand.example/A%2F7');
  const bulk = await client.bulk([{ data: 'https://brand.example/{nonsense}', dynamic: true }]);
  t.match(bulk.results[0], { success: false, error: /placeholder \{nonsense\}/ });
  for (const [body, details] of [
    [{ forward: { query: 'all' } }, /forward\.query/],
    [{ forward: { utm: { source: 'a{b}' } } }, /^forward\.utm\.source: .*\{b\}/],
    [{ forward: { utm: { source: 'a\n' } } }, /^forward\.utm\.source: .*control/],
    [{ forward: { paths: true } }, /paths/],
  ] as const)
    t.match((await patch(`/links/${slug}`, body)).json.details, details);
});

t.test('many links are changed at once, and the change is undone', async (t) => {
  const slugs = [await makeLink(), await makeLink()];
  const forward = { utm: { campaign: '{slug}' } };
  const changed = await patch('/links', { slugs, change: { forward } });
  t.match(changed.json, { links: 2, changed: 2 });
  for (const slug of slugs) await comesTo(slug, `${PAGE}&utm_campaign=${slug}`);
  t.equal((await post(`/links/changes/${changed.json.change_id}/undo`)).status, 200);
  for (const slug of slugs) await comesTo(slug, PAGE);
});

t.test('links that say nothing themselves pass on what their account says', async (t) => {
  const other = await newClient(app);
  const [slug, own, foreign] = [await makeLink(), await makeLink(), await makeLink(other)];
  await set(own, { forward: {} });
  t.equal(await follow(`${slug}?b=2`), PAGE);
  const settings = await patch('/account', { forward: { query: 'keep-own' } });
  t.strictSame(settings.json.forward, { query: 'keep-own', path: false, utm: {} });
  await comesTo(`${slug}?b=2`, `${PAGE}&b=2`);
  t.equal(await follow(`${own}?b=2`), PAGE, 'a link with settings of its own is not changed');
  t.equal(await follow(`${foreign}?b=2`), PAGE, 'nor is one of another account');
  t.equal((await other.patch(`/links/${slug}`, { forward: {} })).status, 404);
  await patch('/account', { dead_link_url: 'https://brand.example/gone' });
  t.strictSame((await get('/account')).json.forward, settings.json.forward, 'other settings stay');
  t.match((await patch('/account', { dead_link_url: 'https://brand.example/{slug}' })).json, {
    details: /^dead_link_url: must not contain the placeholder/,
  });
  await set(slug, { forward: { path: true } });
  await set(slug, { active_until: '2020-01-01T00:00:00Z' });
  await comesTo(`${slug}/x?b=2`, 'https://brand.example/gone');
  await patch('/account', { forward: null });
});
