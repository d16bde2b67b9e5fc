/** Scans of short links that lead nowhere: a page for people, JSON for programs, or the account's own address. */
import t from 'tap';
import { openDatabase } from '../../../src/db/database.ts';
import { purgeBin } from '../../../src/db/tables/bin.ts';
import { redirectRoute } from '../../../src/http/routes/redirect.ts';
import type { Redirect, Redirects } from '../../../src/links/redirects.ts';
import { until, WITHIN_A_SECOND } from '../../servers/until.ts';
import { type Call, sharedApp, sharedPeer } from '../../support/app/app.ts';
import { bareGateway } from '../../support/app/bare-gateway.ts';
import { clientOf, newClient } from '../../support/app/client.ts';
import { PHONE_BROWSER } from '../../support/browser/phone-browser.ts';
import { silent } from '../../support/silent-log.ts';

const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';
const GONE = 'https://example.com/this-code-has-expired';

const here = await sharedApp();

const newAccount = async () => {
  const client = await newClient(here);
  return {
    ...client,
    setDeadLink: (url: unknown) => client.patch('/account', { dead_link_url: url }),
    async link(): Promise<{ slug: string; id: string }> {
      const { json } = await client.post('/codes', { data: 'https://example.com/alive', dynamic: true });
      return { slug: json.slug, id: json.id };
    },
  };
};

t.test('a short link works with what people and programs add behind it', async (t) => {
  const { call } = here;
  const mine = await newAccount();
  const { slug } = await mine.link();
  const scan = (url: string, method: Call['method'] = 'GET') =>
    call({ method, url, headers: { 'user-agent': PHONE_BROWSER, accept: CHROME } });
  const tails = "/ ) . , ] %3E %22 ' %20 %0A %E2%80%A6 /) - _ ). /?utm=1 %E3%82%92".split(' ');
  for (const tail of tails) {
    const { status, headers } = await scan(`/l/${slug}${tail}`);
    t.equal(status, 302, tail);
    t.match(headers, { location: 'https://example.com/alive', 'cache-control': 'no-store' }, tail);
    t.equal((await scan(`/l/${slug}${tail}`, 'HEAD')).status, 302, `HEAD ${tail}`);
  }
  await until(
    async () => (await mine.get(`/links/${slug}`)).json.scan_count === tails.length,
    WITHIN_A_SECOND,
  );
  for (const tail of ['/x', '.x', ')x', '/%2Fx', 'x)', '/../x'])
    t.equal((await scan(`/l/${slug}${tail}`)).status, 404, tail);
  for (const tail of ['/', ')']) t.equal((await scan(`/l/00000000${tail}`)).status, 404);
  const typed = await scan(`/l/${slug === slug.toUpperCase() ? slug.toLowerCase() : slug.toUpperCase()}`);
  t.match(typed, { status: 404, text: /capital and small letters/ });
  t.match(await scan(`/l/${slug}/`, 'PUT'), { status: 405, headers: { allow: /^GET, HEAD, .*OPTIONS$/ } });
});

t.test('a dead short link', async (t) => {
  const { call, account, admin } = here;
  const scan = (accept: string | undefined, url = '/l/00000000', method: Call['method'] = 'GET') =>
    call({
      method,
      url,
      headers: { 'user-agent': PHONE_BROWSER, ...(accept === undefined ? {} : { accept }) },
    });

  t.test('gives browsers a page without scripts, which is not cached', async (t) => {
    const accepts = ['text/html', 'text/html, */*;q=0.1', 'TEXT/HTML;q=0.9, application/json;q=0.1'];
    for (const accept of [CHROME, ...accepts]) {
      const odd = ['x', '', 'x'.repeat(300), 'a/b', '%', '00000000?utm=1'];
      const paths = ['00000000', ...(accept === CHROME ? odd : [])];
      for (const url of paths.map((path) => `/l/${path}`)) {
        const { status, headers, text } = await scan(accept, url);
        t.equal(status, 404, url);
        t.match(headers, {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          'x-robots-tag': 'noindex',
          vary: 'Accept',
        });
        t.match(
          headers['content-security-policy'],
          /^default-src 'none'; style-src 'sha256-[\w+/]+='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
        );
        t.match(text, /<h1>This code leads nowhere<\/h1>/);
        t.notMatch(text, /<script|https?:|\son[a-z]+=/i);
      }
    }
  });

  t.test('gives programs JSON', async (t) => {
    for (const accept of [
      undefined,
      '*/*',
      'application/json, text/html',
      `text/html,${'a/b,'.repeat(3000)}c/d`,
    ]) {
      const { status, headers, json } = await scan(accept);
      t.equal(status, 404, String(accept).slice(0, 50));
      t.match(headers, {
        'content-type': 'application/json; charset=utf-8',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        vary: 'Accept',
      });
      t.strictSame(json, {
        error: 'Not found',
        details:
          'This short link does not exist. If it was typed, check capital and small letters: they differ.',
      });
    }
  });

  t.test('answers HEAD with the same headers and no body', async (t) => {
    for (const accept of [CHROME, '*/*']) {
      const [get, head] = [await scan(accept), await scan(accept, '/l/00000000', 'HEAD')];
      t.equal(head.text, '');
      const names = ['content-type', 'content-security-policy', 'vary', 'cache-control', 'content-length'];
      for (const name of names) {
        t.equal(head.headers[name], get.headers[name], `${name} for ${accept}`);
      }
      t.equal(head.status, 404);
    }
  });

  t.test('errors outside /l/ are always JSON', async (t) => {
    for (const url of ['/nothing', '/api/v1/usage', '/api/v1/qr']) {
      t.match((await scan(CHROME, url)).headers['content-type'], /^application\/json/, url);
    }
  });

  t.test("redirects to its account's dead_link_url when there is one, and counts no scan", async (t) => {
    const mine = await newAccount();
    const [alive, deleted] = [await mine.link(), await mine.link()];
    t.strictSame((await mine.get('/account')).json.dead_link_url, null);
    await mine.del(`/codes/${deleted.id}`);
    t.equal((await scan(CHROME, `/l/${deleted.slug}`)).status, 404);

    const set = await mine.setDeadLink(GONE);
    t.match(set, { status: 200, json: { name: 'test', plan: 'pro', dead_link_url: GONE } });
    for (const [accept, method] of [
      [CHROME, 'GET'],
      ['*/*', 'GET'],
      [CHROME, 'HEAD'],
    ] as const) {
      const { status, headers } = await scan(accept, `/l/${deleted.slug}`, method);
      t.equal(status, 302);
      t.match(headers, { location: GONE, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    }
    t.equal((await scan(CHROME, `/l/${alive.slug}`)).headers.location, 'https://example.com/alive');
    t.equal((await scan(CHROME, '/l/00000000')).status, 404, 'an unknown link belongs to nobody');
    const other = await newAccount();
    const others = await other.link();
    await other.del(`/codes/${others.id}`);
    t.equal((await scan(CHROME, `/l/${others.slug}`)).status, 404, 'nor do links of other accounts');

    await mine.post(`/codes/${deleted.id}/restore`);
    t.equal((await scan(CHROME, `/l/${deleted.slug}`)).headers.location, 'https://example.com/alive');
    // The two scans of working links are counted by then.
    await until(
      async () => (await mine.get(`/links/${deleted.slug}`)).json.scan_count === 1,
      WITHIN_A_SECOND,
    );
    t.equal((await mine.get(`/links/${alive.slug}`)).json.scan_count, 1);

    await mine.del(`/codes/${deleted.id}`);
    t.equal((await scan(CHROME, `/l/${deleted.slug}`)).headers.location, GONE);
    t.strictSame((await mine.setDeadLink(null)).json.dead_link_url, null);
    t.equal((await scan(CHROME, `/l/${deleted.slug}`)).status, 404);
    await mine.setDeadLink(null);
    const history = (await mine.get('/account/dead-link-history?limit=2')).json;
    t.match(history.data, [
      { dead_link_url: null, key: { name: 'test' } },
      { dead_link_url: GONE, key: { name: 'test' } },
    ]);
    const first = (await mine.get(`/account/dead-link-history?cursor=${history.next_cursor}`)).json;
    t.match(first, { data: [{ dead_link_url: null, key: null }], next_cursor: null });
    t.equal(first.data.length, 1, 'a change to the same value is not recorded');
    t.equal(
      (await mine.setDeadLink(history.data[1]!.dead_link_url)).status,
      200,
      'an earlier value can be sent again',
    );
    t.equal((await scan(CHROME, `/l/${deleted.slug}`)).headers.location, GONE);
  });

  t.test('dead_link_url follows the rules of destinations, and the operator may set it too', async (t) => {
    const mine = await newAccount();
    const { id } = mine;
    for (const url of [
      'example.com',
      '',
      'javascript:alert(1)',
      'https://user:secret@example.com/',
      'https://example.com/\r\nX: y',
      'http://qr.test/l/00000000',
      'https://QR.test.:443//%6c/00000000',
      `https://example.com/${'x'.repeat(8200)}`,
      7,
      undefined,
    ]) {
      const { status, json } = await mine.setDeadLink(url);
      t.equal(status, 400, String(url).slice(0, 50));
      t.match(json.details, url === undefined ? /^body: / : /^dead_link_url: /);
    }
    t.equal(
      (await mine.setDeadLink('https://münchen.de/é')).json.dead_link_url,
      'https://xn--mnchen-3ya.de/%C3%A9',
    );
    const keyless = await account({ scopes: ['generate', 'render'] });
    t.equal((await clientOf(here, keyless.key).patch('/account', { dead_link_url: GONE })).status, 403);
    t.equal((await admin('GET', `/accounts/${id}`)).json.dead_link_url, 'https://xn--mnchen-3ya.de/%C3%A9');
    t.match(
      (await admin('PATCH', `/accounts/${id}`, { dead_link_url: 'x' })).json.details,
      /^dead_link_url: /,
    );
    t.equal(
      (await admin('PATCH', `/accounts/${id}`, { name: 'New' })).json.dead_link_url,
      'https://xn--mnchen-3ya.de/%C3%A9',
    );
    t.equal((await admin('PATCH', `/accounts/${id}`, { dead_link_url: null })).json.dead_link_url, null);
    t.match((await mine.get('/account')).json, { name: 'New', dead_link_url: null });
  });
});

t.test('a link that cannot be looked up is a 503, as a page for people or JSON for programs', async (t) => {
  const gateway = bareGateway(t);
  const away: Redirect = { kind: 'unavailable' };
  const scans: unknown[] = [];
  await gateway.register(
    redirectRoute({
      redirects: { find: () => undefined, lookUp: async () => away } as unknown as Redirects,
      scans: { record: (scan: unknown) => scans.push(scan) } as never,
      follow: (found: unknown) => found as never,
      directory: {} as never,
      unknownSlugs: {} as never,
    }),
  );
  for (const method of ['GET', 'HEAD'] as const) {
    const page = await gateway.inject({ method, url: '/l/abcdefgh', headers: { accept: CHROME } });
    t.equal(page.statusCode, 503);
    t.match(page.headers, {
      'content-type': 'text/html; charset=utf-8',
      'retry-after': '2',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      vary: 'Accept',
    });
    if (method === 'GET') t.match(page.payload, /<h1>One moment, please<\/h1>/);
    const json = await gateway.inject({ method, url: '/l/abcdefgh', headers: { accept: '*/*' } });
    t.match(json.headers, { 'content-type': 'application/json; charset=utf-8', 'retry-after': '2' });
    t.equal(json.statusCode, 503);
  }
  t.strictSame(scans, []);
});

t.test('two gateways that share a database', async (t) => {
  const there = await sharedPeer();
  const mine = await newAccount();
  const { slug, id } = await mine.link();
  const follow = async () =>
    (await there.call({ url: `/l/${slug}`, headers: { accept: CHROME } })).headers.location;
  await mine.del(`/codes/${id}`);
  await until(async () => (await follow()) === undefined, WITHIN_A_SECOND);

  t.test('a dead_link_url applies on the other gateway within a second', async () => {
    for (const url of [GONE, 'https://example.com/elsewhere', null]) {
      await mine.setDeadLink(url);
      await until(async () => (await follow()) === (url ?? undefined), WITHIN_A_SECOND);
    }
  });

  t.test('a custom slug, and edits by any slug, apply on the other gateway within a second', async () => {
    const other = await mine.link();
    const locationOf = async (slug: string) => (await there.call({ url: `/l/${slug}` })).headers.location;
    const leads = (slug: string, to: string | undefined) =>
      until(async () => (await locationOf(slug)) === to, WITHIN_A_SECOND);
    await leads('our-own-slug', undefined);
    await mine.patch(`/links/${other.slug}`, { slug: 'our-own-slug' });
    await leads('our-own-slug', 'https://example.com/alive');
    await leads(other.slug, 'https://example.com/alive');
    const edits: [string, object, string][] = [
      ['/links/our-own-slug', { destination: 'https://example.com/1' }, 'https://example.com/1'],
      [`/links/${other.slug}`, { destination: 'https://example.com/2' }, 'https://example.com/2'],
      [
        '/links',
        { slugs: ['our-own-slug'], change: { destination: 'https://example.com/3' } },
        'https://example.com/3',
      ],
    ];
    for (const [url, body, to] of edits) {
      await mine.patch(url, body);
      for (const slug of ['our-own-slug', other.slug]) await leads(slug, to);
    }
    await mine.del(`/codes/${other.id}`);
    for (const slug of ['our-own-slug', other.slug]) await leads(slug, undefined);
  });

  t.test('a link still redirects there after its code was purged', async (t) => {
    await mine.setDeadLink(GONE);
    // The other gateway has not looked it up before.
    const purged = await mine.link();
    await mine.del(`/codes/${purged.id}`);
    const { sql, close } = await openDatabase({ url: here.databaseUrl, dataDir: '' }, silent);
    t.ok((await purgeBin(sql, new Date(Date.now() + 31 * 86_400_000))).purged > 0);
    t.equal((await sql`select from codes where id = ${purged.id}`).length, 0);
    await close();
    t.equal((await there.call({ url: `/l/${purged.slug}` })).headers.location, GONE);
  });
});

t.test('a credit reference that is reused with another amount is refused', async (t) => {
  const { admin, account } = here;
  const { id } = await account({ monthlyQuota: 0 });
  const add = (amount: number) =>
    admin('POST', `/accounts/${id}/credits`, { amount, reference: 'invoice-1' });
  t.match(await add(50), { status: 201, json: { credits: 50 } });
  t.match(await add(50), { status: 201, json: { credits: 50 } });
  const refused = await add(60);
  t.match(refused, { status: 422, json: { error: 'Reference reused', details: /^reference: / } });
  t.match((await admin('GET', `/accounts/${id}`)).json, { credits: 50 });
});
