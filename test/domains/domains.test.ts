/** Own domains of accounts: who has them, what is served there, and what short links are printed with them. */
import t from 'tap';
import { signPath } from '../../src/signed/address.ts';
import { until, WITHIN_A_SECOND } from '../servers/until.ts';
import { newClient } from '../support/app/client.ts';
import { startDomains } from './place.ts';

const { here, visit, isServed, prove, register, withDomain, link } = await startDomains(t);

t.test('a host is served once its account has proved it, and no longer when it is deleted', async (t) => {
  const client = await newClient(here);
  const host = await register(client);
  t.match((await client.get(`/domains/${host}`)).json, { state: 'pending', is_default: false });
  t.match((await client.post(`/domains/${host}/verify`)).json, { state: 'pending', fault: /TXT record/ });
  t.equal((await link(client, host)).status, 400, 'nothing is printed before');
  t.equal((await here.call({ url: `/tls/ask?domain=${host}` })).status, 404);
  t.match((await prove(client, host)).json, { state: 'verified', fault: null });
  t.equal((await here.call({ url: `/tls/ask?domain=${host}` })).status, 200);
  const { json } = await link(client, host);
  t.match(json, { domain: host, short_url: `https://${host}/${json.slug}` });
  t.match(await visit(host, `/${json.slug}`), {
    status: 302,
    headers: { location: 'https://example.com/a' },
  });
  t.equal((await visit('qr.test', `/l/${json.slug}`)).status, 302, 'the service leads to it, too');
  t.equal((await client.del(`/domains/${host}`)).status, 204);
  await until(async () => !(await isServed(host)), WITHIN_A_SECOND);
  t.equal((await visit(host, `/${json.slug}`)).status, 404);
  t.equal((await visit('qr.test', `/l/${json.slug}`)).status, 302);
  t.match(await client.post('/domains', { host, prefix: 'go' }), { status: 400, text: /printed/ });
  t.equal((await client.post('/domains', { host })).status, 201);
  t.match((await prove(client, host)).json, { state: 'verified' });
  t.equal((await visit(host, `/${json.slug}`)).status, 302, 'what is printed works again');
});

t.test(
  'slugs belong to a domain: the same one may be on several, and looks like whatever its owner wants',
  async (t) => {
    const one = await withDomain();
    const other = await withDomain({ prefix: 'go' });
    t.equal((await link(one.client, one.host, { slug: 'menu' }, 'https://example.com/one')).status, 201);
    t.equal(
      (await link(other.client, other.host, { slug: 'menu' }, 'https://example.com/other')).status,
      201,
    );
    t.equal((await link(one.client, one.host, { slug: 'menu' })).status, 409);
    t.equal((await link(one.client, one.host, { slug: 'MENU' })).status, 201, 'alike');
    t.equal(
      (await link(one.client, one.host, { slug: 'admin' })).status,
      201,
      'reserved on the shared domain alone',
    );
    t.equal((await link(one.client, 'shared', { slug: 'admin' })).status, 400);
    t.match(await visit(one.host, '/menu'), { headers: { location: 'https://example.com/one' } });
    t.match(await visit(other.host, '/go/menu?x=1'), { headers: { location: 'https://example.com/other' } });
    t.equal((await visit(other.host, '/menu')).status, 404);
    t.equal((await visit(other.host, '/go/MENU')).status, 404);
    t.equal((await visit('qr.test', '/l/menu')).status, 404);
  },
);

t.test('a domain serves nothing of the service or of other accounts', async (t) => {
  const { host } = await withDomain();
  const other = await withDomain();
  const shared = (await other.client.post('/codes', { data: 'https://example.com/s', dynamic: true })).json;
  const own = (await link(other.client, other.host)).json;
  for (const url of [
    `/${shared.slug}`,
    `/${own.slug}`,
    `/l/${own.slug}`,
    '/api/v1/usage',
    '/dashboard',
    '/docs',
    '/healthz',
    '/.domain',
  ])
    t.equal((await visit(host, url)).status, 404, url);
  t.equal((await visit('qr.test', '/.domain')).status, 404);
  t.equal((await link(other.client, host)).status, 400, 'nor does another account print with it');
  for (const method of ['get', 'del'] as const)
    t.equal((await other.client[method](`/domains/${host}`)).status, 404);
  t.equal((await other.client.post(`/domains/${host}/verify`)).status, 404);
  t.equal((await other.client.patch(`/domains/${host}`, { root_url: null })).status, 404);
});

t.test(
  'hosts are compared in one form, and X-Forwarded-Host counts from a trusted proxy alone',
  async (t) => {
    const { client, host } = await withDomain();
    const { slug } = (await link(client, host)).json;
    for (const written of [host.toUpperCase(), `${host}.`, `${host}:8443`, `${host}.:443`])
      t.equal((await visit(written, `/${slug}`)).status, 302, written);
    for (const written of [`x.${host}`, `${host}.evil.example`, `${host}@evil.example`, ''])
      t.equal((await visit(written, `/${slug}`)).status, 404, written);
    t.equal(
      (await visit('qr.test', `/${slug}`, { 'x-forwarded-host': `evil.example, ${host}` })).status,
      302,
    );
    t.equal(
      (await visit('qr.test', `/${slug}`, { 'x-forwarded-host': `${host}, evil.example` })).status,
      404,
    );
  },
);

t.test('an owner sets what is answered besides short links', async (t) => {
  const { client, host } = await withDomain();
  const set = (body: object) => client.patch(`/domains/${host}`, body);
  t.equal((await visit(host, '/')).status, 404);
  const text = '{"applinks":{}}';
  const answers = {
    root_url: 'https://brand.example/',
    favicon_url: 'https://brand.example/favicon.ico',
    robots_txt: 'User-agent: *\nDisallow: /\n',
    assetlinks_json: '[]',
    apple_app_site_association: text,
    unknown_text: { type: 'text/plain', text: '<script>alert(1)</script>' },
  };
  t.match((await set(answers)).json, answers);
  t.match(await visit(host, '/'), { status: 302, headers: { location: 'https://brand.example/' } });
  t.match(await visit(host, '/robots.txt'), { status: 200, text: answers.robots_txt });
  t.match(await visit(host, '/.well-known/apple-app-site-association'), {
    status: 200,
    text,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' },
  });
  for (const url of ['/unknown', '/a/b', '/x.php'])
    t.match(
      await visit(host, url),
      { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } },
      url,
    );
  await set({ fallback_url: 'https://old.example/s' });
  t.match(await visit(host, '/unknown?a=1'), {
    status: 302,
    headers: { location: 'https://old.example/s/unknown?a=1' },
  });
  t.equal((await visit(host, '/.well-known/tessera-domain')).status, 404, 'the former host proves nothing');
  for (const body of [
    { assetlinks_json: 'no' },
    { root_url: 'javascript:1' },
    { root_url: `https://${host}/x` },
    { fallback_url: 'https://old.example/?q' },
  ])
    t.equal((await set(body)).status, 400, JSON.stringify(body));
});

t.test(
  'a host moves to another account when the proof of the first one is gone, and serves nothing of it',
  async (t) => {
    const first = await withDomain();
    const { slug } = (await link(first.client, first.host, { slug: 'menu' })).json;
    const second = await newClient(here);
    t.equal((await second.post('/domains', { host: first.host })).status, 201, 'anybody may register it');
    const { proof } = (await first.client.get(`/domains/${first.host}`)).json as never as {
      proof: { text: string };
    };
    t.match((await second.post(`/domains/${first.host}/verify`)).json, { state: 'pending' });
    t.equal((await visit(first.host, `/${slug}`)).status, 302);
    t.match((await prove(second, first.host)).json, { state: 'verified' });
    t.match((await first.client.get(`/domains/${first.host}`)).json, { state: 'lapsed' });
    await until(async () => (await visit(first.host, `/${slug}`)).status === 404, WITHIN_A_SECOND);
    t.equal((await link(first.client, first.host)).status, 400);
    t.equal((await link(second, first.host, { slug: 'menu' }, 'https://example.com/second')).status, 201);
    t.match(await visit(first.host, '/menu'), { headers: { location: 'https://example.com/second' } });
    t.ok(proof.text);
  },
);

t.test('the default domain is that of new links unless a call says otherwise', async (t) => {
  const { client, host } = await withDomain();
  t.match((await client.patch(`/domains/${host}`, { is_default: true })).json, { is_default: true });
  const { codes } = await client.bulk(['https://example.com/1', 'static']);
  t.strictSame(
    new Set(codes.map((code) => (code as never as { domain: string | null }).domain)),
    new Set([host, null]),
  );
  t.match((await link(client, 'shared')).json, { domain: null });
  t.equal((await client.del(`/domains/${host}`)).status, 409);
});

t.test('hosts that cannot be served are refused', async (t) => {
  const client = await newClient(here);
  for (const host of [
    '',
    'qr.test',
    'localhost',
    'brand',
    '10.0.0.1',
    '[::1]',
    'a.local',
    'https://a.example',
    'a.example/x',
    'a.example:80',
    'a_b.example',
    '-a.example',
    'ab--c.example',
    '😀.example',
    'xn--ls8h.example',
    'a..example',
    `${'a'.repeat(64)}.example`,
  ])
    t.equal((await client.post('/domains', { host })).status, 400, host);
  t.match((await client.post('/domains', { host: 'Bücher.Example.' })).json, {
    host: 'xn--bcher-kva.example',
  });
  t.equal((await client.post('/domains', { host: 'BÜCHER.example' })).status, 409);
});

t.test('a code with an own id is made on the domain that the call names, and stays there', async (t) => {
  const { client, host } = await withDomain();
  const put = (domain: string, data = 'https://example.com/a') =>
    client.put('/codes/by-external-id/sign', { data, dynamic: true }, { 'tessera-domain': domain });
  const made = await put(host);
  t.equal(made.status, 201);
  t.match(made.json.short_url, new RegExp(`^https?://${host}/`));
  const changed = await put(host.toUpperCase(), 'https://example.com/b');
  t.match(changed, { status: 200, json: { id: made.json.id, short_url: made.json.short_url } });
  const refused = {
    status: 409,
    json: { details: /^Tessera-Domain: the short link .* is on another domain/ },
  };
  t.match(await put('shared'), refused);
});

t.test(
  'its items are resolved and its signed pictures drawn there, and none of other accounts',
  async (t) => {
    const { client, host } = await withDomain();
    const other = await withDomain();
    const key = '(01)09521321888883';
    const links = [{ rel: 'gs1:pip', href: 'https://example.com/item', title: 'Page' }];
    t.equal((await client.post('/resolver/items', { key, links })).status, 201);
    const at = (where: string) => visit(where, '/01/09521321888883');
    t.match(await at(host), { status: 307, headers: { location: 'https://example.com/item' } });
    t.equal((await at(other.host)).status, 404);
    const signed = signPath((await client.post('/signing-secrets')).json as never, { data: 'a' }, 'png');
    t.match(await visit(host, signed), { status: 200, headers: { 'content-type': 'image/png' } });
    t.equal((await visit(other.host, signed)).status, 404);
  },
);
