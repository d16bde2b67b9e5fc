/** Domains to which links move: what their links pass on, where unknown slugs lead, and which were asked for. */
import t from 'tap';
import { until, WITHIN_A_SECOND } from '../servers/until.ts';
import { startDomains } from './place.ts';

const { visit, withDomain, link } = await startDomains(t);

interface Report {
  readonly requests: number;
  readonly data: readonly { readonly slug: string; readonly requests: number }[];
}

t.test('a link passes on what it says, or else what its domain, or else what its account says', async (t) => {
  const { client, host } = await withDomain();
  const utm = (source: string) => ({ utm: { source } });
  const { slug } = (await link(client, host)).json;
  const leadsTo = (address: string) =>
    until(async () => (await visit(host, `/${slug}`)).headers.location === address, WITHIN_A_SECOND);
  await leadsTo('https://example.com/a');
  const byFirstSlug = `/links/${slug}`;
  t.equal((await client.patch('/account', { forward: utm('account') })).status, 200);
  await leadsTo('https://example.com/a?utm_source=account');
  t.match((await client.patch(`/domains/${host}`, { forward: utm('domain') })).json, {
    forward: { query: 'drop', path: false, utm: { source: 'domain' } },
  });
  await leadsTo('https://example.com/a?utm_source=domain');
  t.equal((await visit('qr.test', `/l/${slug}`)).headers.location, 'https://example.com/a?utm_source=domain');
  t.equal((await client.patch(byFirstSlug, { forward: {} })).status, 200);
  await leadsTo('https://example.com/a');
  await client.patch(byFirstSlug, { forward: null });
  await client.patch(`/domains/${host}`, { forward: null });
  await leadsTo('https://example.com/a?utm_source=account');
  t.equal((await client.patch(`/domains/${host}`, { forward: utm('\u0000') })).status, 400);
});

t.test('calls name a link by its slug at a domain', async (t) => {
  const one = await withDomain();
  const other = await withDomain();
  await link(one.client, one.host, { slug: 'menu' }, 'https://example.com/one');
  await link(one.client, 'shared', { slug: 'menu-card' }, 'https://example.com/shared');
  const at = (slug: string, host: string) => `/links/${slug}?domain=${host}`;
  t.match((await one.client.get(at('menu', one.host))).json, {
    slug: 'menu',
    domain: one.host,
    destination: 'https://example.com/one',
  });
  t.equal((await one.client.get('/links/menu')).status, 404, 'it is not one of the shared domain');
  t.equal((await one.client.get('/links/menu-card')).status, 200);
  t.equal((await one.client.get(at('menu-card', one.host))).status, 404);
  t.equal((await one.client.get(at('menu', 'none.example'))).status, 404);
  t.equal((await other.client.get(at('menu', one.host))).status, 404, 'nor does another account find it');
  t.equal(
    (await one.client.patch(at('menu', one.host), { destination: 'https://example.com/new' })).status,
    200,
  );
  await until(
    async () => (await visit(one.host, '/menu')).headers.location === 'https://example.com/new',
    WITHIN_A_SECOND,
  );
  t.equal((await one.client.get(`/links/menu/history?domain=${one.host}`)).json.data.length, 2);
  t.equal((await one.client.get(`/links/menu/scans?domain=${one.host}`)).json.slug, 'menu');
  t.match((await one.client.post(`/links/menu/explain?domain=${one.host}`, {})).json, { outcome: 'none' });
});

t.test('unknown slugs lead to the former address, and the report says which were asked for', async (t) => {
  const { client, host } = await withDomain({ prefix: 'go', fallback_url: 'https://old.example/s/' });
  const { slug, id } = (await link(client, host, { slug: 'kept' })).json;
  t.equal((await visit(host, `/go/${slug}`)).headers.location, 'https://example.com/a');
  const asked = { menu: 3, 'summer-24': 2, x: 1 };
  for (const [written, times] of Object.entries(asked)) {
    for (let i = 0; i < times; i += 1)
      t.match(await visit(host, `/go/${written}?a=1&b=%2F`), {
        status: 302,
        headers: { location: `https://old.example/s/${written}?a=1&b=%2F`, 'cache-control': 'no-store' },
      });
  }
  await visit(host, '/go/menu', {}, 'HEAD');
  await visit(host, `/go/${'long'.repeat(20)}`);
  const report = async () => (await client.get(`/domains/${host}/unknown-slugs`)).json as never as Report;
  await until(async () => (await report()).requests === 7);
  t.match((await report()).data, [
    { slug: 'menu', requests: 3 },
    { slug: 'summer-24', requests: 2 },
    { slug: 'x', requests: 1 },
  ]);
  t.equal((await client.get(`/domains/${host}/unknown-slugs?limit=1`)).json.data.length, 1);
  t.equal((await client.get(`/domains/${host}/unknown-slugs?limit=1001`)).status, 400);
  t.equal((await client.del(`/codes/${id}`)).status, 204);
  await until(async () => (await visit(host, `/go/${slug}`)).status === 404, WITHIN_A_SECOND);
  t.equal((await visit(host, '/go/.well-known/x')).headers.location, 'https://old.example/s/.well-known/x');
  t.equal((await visit(host, '/.well-known/acme-challenge/x')).status, 404);
});

t.test('the former address stays the same host, whatever is asked for', async (t) => {
  const { host } = await withDomain({ fallback_url: 'https://old.example' });
  for (const url of [
    '//evil.example/x',
    '/@evil.example',
    '/.evil.example/',
    '/x\\evil.example',
    '/%0d%0aa:b',
    '/é',
  ])
    t.equal(new URL(String((await visit(host, url)).headers.location)).host, 'old.example', url);
});
