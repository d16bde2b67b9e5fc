/** A gateway with ROLE=redirect, as a Postgres role that may do nothing else: what it serves, and what it may read. */
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { asRedirects, connectAsRedirects } from '../deploy/redirect-role.ts';
import { startDomains } from '../domains/place.ts';
import { until, WITHIN_A_SECOND } from '../servers/until.ts';
import { ADMIN_TOKEN, startApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';
import { openFor, realDatabaseUrl } from '../support/database/database.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const HOME = 'https://example.com/home';
/** Far more than it takes on a busy machine. */
const SOON = { deadlineMs: 30_000 };
const VISITOR = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const ITEM = {
  key: '(01)09521321000018',
  links: [{ rel: 'gs1:pip', href: 'https://brand.example/', title: 'Juice' }],
};

const DATABASE_URL = await realDatabaseUrl();
const { sql: owner } = await openFor(t, { url: DATABASE_URL, dataDir: '' });
const role = await connectAsRedirects(t, DATABASE_URL);
const place = await startDomains(t as never, { DATABASE_URL, WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
const maker = place.here;
const { app } = await startApp(
  t,
  { DATABASE_URL: asRedirects(DATABASE_URL), ROLE: 'redirect', RESOLVER: 'on', PORT: '0' },
  { isOdd: true },
);
const client = await newClient(maker, { monthlyQuota: 10_000 });

/** A request to the redirect gateway. */
const ask = async (
  url: string,
  headers: Readonly<Record<string, string>> = {},
  { method = 'GET' as 'GET' | 'HEAD' | 'POST', payload = '' } = {},
) => {
  const answer = await app.gateway.inject({
    ...{ method, url, headers: { 'user-agent': VISITOR, ...headers } },
    ...(payload === '' ? {} : { payload }),
  });
  return { status: answer.statusCode, location: answer.headers.location, text: answer.payload };
};

const makeLink = async (): Promise<string> => (await client.bulk([HOME])).results[0]!.slug!;
const visit = (slug: string) => ask(`/l/${slug}`);
const scansOf = async (slug: string) => (await client.get(`/links/${slug}`)).json.scan_count;

t.test('it redirects, records the scan, and tells of it', async (t) => {
  const receiver = await startReceiver();
  t.teardown(receiver.close);
  const events = ['link.first_scan'];
  t.equal((await client.post('/webhooks', { url: receiver.url, events })).status, 201);
  const slug = await makeLink();
  t.match(await visit(slug), { status: 302, location: HOME });
  t.match(await ask(`/l/${slug}`, {}, { method: 'HEAD' }), { status: 302, location: HOME });
  await until(async () => (await scansOf(slug)) === 1, SOON);
  const [scan] = await owner<{ browser: string }[]>`select browser from scans where slug = ${slug}`;
  t.equal(scan!.browser, 'Firefox');
  await until(() => receiver.of('link.first_scan').length === 1, SOON);
});

t.test(
  'it follows an edit within a second, and leads from a deleted link to where dead ones lead',
  async (t) => {
    const slug = await makeLink();
    await visit(slug);
    await client.patch(`/links/${slug}`, { destination: `${HOME}/2` });
    await until(async () => (await visit(slug)).location === `${HOME}/2`, WITHIN_A_SECOND);
    await client.patch('/account', { dead_link_url: 'https://example.com/dead' });
    await client.del(`/codes/${(await client.get(`/links/${slug}`)).json.code_id}`);
    await until(async () => (await visit(slug)).location === 'https://example.com/dead', WITHIN_A_SECOND);
    t.equal((await client.patch('/account', { dead_link_url: null })).status, 200);
  },
);

t.test('rules, rule sets, passwords, limits and forwarding decide as everywhere', async (t) => {
  const own = await makeLink();
  const rule = (to: string) => ({ name: to, when: { device: ['desktop'] }, destination: `${HOME}/${to}` });
  await client.patch(`/links/${own}`, { rules: [rule('own')] });
  t.equal((await visit(own)).location, `${HOME}/own`);
  const set = (await client.post('/rule-sets', { name: 'a set', rules: [rule('set')] })).json.id;
  const shared = await makeLink();
  await client.patch(`/links/${shared}`, { rule_set_id: set, forward: { query: 'keep-own' } });
  t.equal((await ask(`/l/${shared}?b=2`)).location, `${HOME}/set?b=2`);

  const locked = await makeLink();
  await client.patch(`/links/${locked}`, { password: 'open sesame' });
  t.equal((await visit(locked)).status, 403);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const send = (password: string) =>
    ask(`/l/${locked}`, form, { method: 'POST', payload: `password=${password}` });
  t.equal((await send('wrong')).status, 403);
  t.match(await send('open+sesame'), { status: 303, location: HOME });

  const limited = await makeLink();
  await client.patch(`/links/${limited}`, { visit_limit: 1 });
  t.equal((await visit(limited)).status, 302);
  await until(async () => (await visit(limited)).status === 404, SOON);
});

t.test('it serves own domains: links, what they answer, unknown slugs and certificates', async (t) => {
  const { client: brand, host } = await place.withDomain();
  const answers = { robots_txt: 'User-agent: *\n', root_url: 'https://brand.example/' };
  t.equal((await brand.patch(`/domains/${host}`, answers)).status, 200);
  const made = await place.link(brand, host, { slug: 'menu' });
  t.equal(made.status, 201, made.text);
  const at = (url: string) => ask(url, { host });
  await until(async () => (await ask(`/tls/ask?domain=${host}`)).status === 200, WITHIN_A_SECOND);
  t.equal((await ask('/tls/ask?domain=other.example')).status, 404);
  t.match(await at('/menu'), { status: 302, location: 'https://example.com/a' });
  await until(async () => (await at('/robots.txt')).text === answers.robots_txt, WITHIN_A_SECOND);
  t.equal((await at('/')).location, answers.root_url);
  t.equal((await at('/.well-known/assetlinks.json')).status, 404);
  t.equal((await at('/not-here')).status, 404);
  const unknown = () => owner`select from unknown_slugs where slug = 'not-here' and requests = 1`;
  await until(async () => (await unknown()).length === 1, SOON);
});

t.test('it answers Digital Link URIs and counts their scans', async (t) => {
  const made = await client.post('/resolver/items', ITEM);
  t.equal(made.status, 201, made.text);
  const path = '/01/09521321000018';
  t.match(await ask(path), { status: 307, location: 'https://brand.example/' });
  t.match((await ask(`${path}?linkType=linkset`)).text, /brand\.example/);
  t.equal((await ask('/.well-known/gs1resolver')).status, 200);
  const scans = async () => (await client.get(`/resolver/items/${made.json.id}/scans`)).json.totals?.people;
  await until(async () => (await scans()) === 1, SOON);
});

t.test('it serves nothing else, and says what it is', async (t) => {
  await app.listen();
  const { port } = app.gateway.server.address() as AddressInfo;
  const call = (url: string, method = 'GET') =>
    fetch(`http://127.0.0.1:${port}${url}`, { method, headers: { authorization: `Bearer ${client.key}` } });
  for (const url of [
    ...[
      '/',
      '/docs/',
      '/openapi.json',
      '/dashboard/',
      '/dashboard/session',
      '/clients/',
      '/i/abc/picture.png',
    ],
    ...['/api/v1/account', '/api/v1/render?content=x', '/admin/v1/accounts'],
  ]) {
    const answer = await call(url);
    t.equal(answer.status, 404, url);
    t.match(
      await answer.json(),
      { details: /^This gateway has ROLE=redirect and serves only short links/ },
      url,
    );
  }
  t.equal((await call('/api/v1/qr', 'POST')).status, 404);
  t.equal((await call('/.domain')).status, 404);
  for (const url of ['/healthz', '/readyz']) t.strictSame(await (await call(url)).json(), { status: 'ok' });
  t.equal((await call('/metrics')).status, 401);
});

t.test('it has metrics of what it has, and no render threads', async (t) => {
  const { text } = await ask('/metrics', { authorization: `Bearer ${ADMIN_TOKEN}` });
  t.match(text, /^tessera_scans_total\{outcome="recorded"\} \d/m);
  t.match(text, /^tessera_cache_entries\{cache="redirects"\} \d/m);
  t.match(text, /^tessera_cache_entries\{cache="items"\} \d/m);
  t.match(text, /^tessera_dependency_up\{dependency="postgres"\} 1$/m);
  t.notMatch(text, /tessera_(render|quota|batches|webhooks)_|dependency="redis"/);
});

/** What the role may do with each table, as Postgres sees it; with columns where it may not do so with all of them. */
const rightsOf = async (): Promise<Record<string, string>> => {
  const rows = await owner<{ name: string; whole: string; columns: string }[]>`
    select c.relname as name,
      (select string_agg(lower(p), ' ' order by p) from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) p
        where has_table_privilege('tessera_redirect', c.oid, p)) as whole,
      (select string_agg(lower(p) || ' ' || attname, ' ' order by p, attnum) from pg_attribute a,
          unnest(array['SELECT', 'INSERT', 'UPDATE']) p
        where a.attrelid = c.oid and attnum > 0 and not attisdropped
          and has_column_privilege('tessera_redirect', c.oid, attnum, p)
          and not has_table_privilege('tessera_redirect', c.oid, p)) as columns
    from pg_class c where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'S')`;
  return Object.fromEntries(
    rows
      .map(({ name, whole, columns }) => [name, [whole, columns].filter(Boolean).join('; ')])
      .filter(([, rights]) => rights !== ''),
  );
};

t.test('its role may read what visits need, count them, and nothing else', async (t) => {
  const select = (columns: string) => columns.replace(/\w+/g, 'select $&');
  const counted = {
    scan_series: 1,
    scan_account_series: 1,
    scan_breakdowns: 1,
    scan_totals: 1,
    visitor_salts: 1,
  };
  t.strictSame(await rightsOf(), {
    migrations: 'select',
    links: select('slug domain_id account_id'),
    live_links: select(
      'slug destination active_from active_until before_destination after_destination rules rule_set_id visit_limit password_hash forward imported_scans',
    ),
    own_slugs: select('slug link_slug domain_id'),
    accounts: select('id dead_link_url forward redirect_max_age_s'),
    rule_sets: select('id rules'),
    domains: `${select('id account_id host prefix verified_at answers forward unknown_requests')} update unknown_requests`,
    unknown_slugs: 'delete insert select update',
    resolver_keys: select('path account_id shapes'),
    resolver_items: select('id account_id path slug links'),
    scans: 'insert select',
    scan_visitors: 'insert select',
    scans_elsewhere: 'select',
    scan_groups: 'insert select',
    ...Object.fromEntries(Object.keys(counted).map((name) => [name, 'insert select update'])),
  });
  for (const refused of [
    ...['select hash from api_keys', 'select name from accounts', 'select secret from webhook_secrets'],
    ...['select token from domains', 'select content from codes', 'select hash from dashboard_sessions'],
    ...["update links set destination = 'https://evil.example/'", "update codes set name = 'x'"],
    ...["insert into events (account_id, type, data) values (gen_random_uuid(), 'x', '{}')"],
    ...['delete from scans', 'drop table scans', 'create table mine (x integer)'],
  ])
    await t.rejects(role.unsafe(refused), { code: '42501' }, refused);
});

t.test('tables of its own mislead no trigger that has the rights of the owner', async (t) => {
  const slug = await makeLink();
  await owner`delete from events`;
  await role.unsafe('create temporary table webhooks (id uuid, account_id uuid, events text[], state text)');
  await role.unsafe(
    'create temporary table events (id uuid, account_id uuid, type text, data json, trace text)',
  );
  await role`insert into scan_totals (slug, people, bots, previews, last_at) values (${slug}, 1, 0, 0, now())`;
  const [told] = await owner<{ count: number }[]>`select count(*)::integer as count from events`;
  t.equal(told!.count, 1, 'the webhook of the account is told, by the real tables');
  t.equal((await role`select from pg_temp.events`).length, 0);
});

t.test('its rights can be given again', async (t) => {
  const before = await rightsOf();
  await owner`grant select on api_keys to tessera_redirect`;
  await connectAsRedirects(t, DATABASE_URL);
  t.strictSame(await rightsOf(), before, 'and what is not in the file is taken away');
});
