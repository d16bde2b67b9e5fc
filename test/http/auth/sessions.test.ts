/** The dashboard's sessions: signing in and out, the account's API by cookie, and cross-site request forgery. */
import { createHash } from 'node:crypto';
import t from 'tap';
import { createApiKey } from '../../../src/accounts/api-key.ts';
import { deleteEndedSessions } from '../../../src/db/tables/accounts/sessions.ts';
import { startGateway } from '../../servers/gateway-process.ts';
import { until, WITHIN_A_SECOND } from '../../servers/until.ts';
import { ADMIN_TOKEN, type Call, sharedApp, sharedPeer, startApp } from '../../support/app/app.ts';
import { clientOf, RANDOM_ID, UUID } from '../../support/app/client.ts';
import { bodyOf, documentedCalls } from '../../support/app/conformance.ts';
import { cookieOf, SAME_ORIGIN, signIn, withCookie } from '../../support/app/session.ts';
import { openFor, realDatabaseUrl } from '../../support/database/database.ts';

const gateway = await sharedApp();
const { app, call, account } = gateway;
const limited = await startApp(t, { PUBLIC_URL: 'https://qr.test/codes', RATE_LIMIT_PER_SECOND: '5' });

const sign = (
  body: unknown,
  headers: Call['headers'] = SAME_ORIGIN,
  url = '/dashboard/session',
  app: Pick<typeof gateway, 'call'> = gateway,
) => app.call({ method: 'POST', url, headers, body });
const post = (body: unknown) => sign(body);

t.test('signing in', async (t) => {
  const { key, id } = await account();

  t.test('sets a cookie that scripts cannot read and other sites cannot use', async (t) => {
    const answer = await post({ key });
    t.equal(answer.status, 200);
    t.match(answer.json, {
      account: { id, name: 'test', plan: 'pro' },
      scopes: ['generate', 'render', 'manage'],
    });
    t.match(
      answer.headers['set-cookie'],
      /^tessera_session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    const leftMs = new Date(answer.json.expires_at).getTime() - Date.now();
    t.ok(leftMs > 11 * 3_600_000 && leftMs <= 12 * 3_600_000);
    t.equal(answer.headers['cache-control'], 'no-store');
    t.notMatch(answer.text, key);

    const asked = await withCookie(gateway, cookieOf(answer))('GET', '/dashboard/session');
    t.strictSame([asked.status, asked.json], [200, answer.json]);
    t.notMatch(asked.text, /tsr_/);
  });

  t.test('over HTTPS binds the cookie to the host', async (t) => {
    const { key } = await limited.account();
    const url = '/dashboard/session';
    const answer = await sign({ key }, SAME_ORIGIN, url, limited);
    t.match(
      answer.headers['set-cookie'],
      /^__Host-tessera=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    );
    const cookie = cookieOf(answer);
    t.equal((await limited.call({ url, headers: { cookie } })).status, 200);
    const plain = cookie.replace('__Host-tessera', 'tessera_session');
    t.equal((await limited.call({ url, headers: { cookie: plain } })).status, 204, 'not signed in');
    const origin = { origin: 'https://qr.test' };
    t.equal((await sign({ key }, origin, url, limited)).status, 200);
  });

  t.test('needs a valid key with the scope manage', async (t) => {
    const embed = await account({ scopes: ['render'] });
    const cases: [unknown, number, string][] = [
      [{ key: createApiKey() }, 401, 'Missing or invalid API key'],
      [{ key: 'tsr_no' }, 401, 'Missing or invalid API key'],
      [{ key: embed.key }, 403, 'API key lacks a scope'],
      [{}, 400, 'Invalid request body'],
      [{ key: 7 }, 400, 'Invalid request body'],
      [{ key, remember: true }, 400, 'Invalid request body'],
    ];
    for (const [body, status, error] of cases) {
      const answer = await post(body);
      t.strictSame([answer.status, answer.json.error], [status, error]);
      t.notOk('set-cookie' in answer.headers);
    }
  });

  t.test('counts against the rate limit of the key', async (t) => {
    const { key } = await limited.account();
    const ask = () => sign({ key }, SAME_ORIGIN, '/dashboard/session', limited);
    const answers = await Promise.all(Array.from({ length: 12 }, ask));
    t.ok(answers.some(({ status }) => status === 429));
  });

  t.test('limits an address that guesses, as calls with a key in the header do', async (t) => {
    const { key } = await limited.account();
    const guess = (wrong: string) => sign({ key: wrong }, SAME_ORIGIN, '/dashboard/session', limited);
    await Promise.all(Array.from({ length: 60 }, () => guess(createApiKey())));
    t.match(await guess(createApiKey()), {
      status: 429,
      json: { error: 'Rate limit exceeded' },
      headers: { 'retry-after': /^\d+$/ },
    });
    const cookie = `__Host-tessera=${'x'.repeat(43)}`;
    t.equal((await limited.call({ url: '/api/v1/usage', headers: { cookie } })).status, 429, 'for cookies');
    t.equal((await limited.call({ url: '/api/v1/usage', key })).status, 429, 'for an uncached key');

    const asOperator = (token: string) =>
      sign({ token }, SAME_ORIGIN, '/dashboard/operator/session', limited);
    for (let i = 0; i < 25; i += 1) await asOperator(`wrong-${i}`);
    t.equal((await asOperator(ADMIN_TOKEN)).status, 429, 'even the right admin token is refused');
  });

  t.test('beyond the limit ends the oldest session of the key', async (t) => {
    const { key } = await account();
    const cookies: string[] = [];
    for (let i = 0; i < 21; i += 1) cookies.push(await signIn(gateway, key));
    const statusOf = async (cookie: string) =>
      (await withCookie(gateway, cookie)('GET', '/dashboard/session')).status;
    t.strictSame([await statusOf(cookies[0]!), await statusOf(cookies[1]!)], [204, 200]);
    t.equal(await statusOf(cookies[20]!), 200);
  });
});

t.test('signing out ends the session and clears the cookie, and is harmless without one', async (t) => {
  const { key } = await account();
  const browser = withCookie(gateway, await signIn(gateway, key));
  const answer = await browser('DELETE', '/dashboard/session');
  t.equal(answer.status, 204);
  t.match(answer.headers['set-cookie'], /^tessera_session=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970/);
  t.equal((await browser('GET', '/dashboard/session')).status, 204);
  const { status, json } = await browser('GET', '/api/v1/usage');
  t.strictSame([status, json.error], [401, 'Missing or invalid API key']);
  t.equal((await browser('DELETE', '/dashboard/session')).status, 204);
});

await app.gateway.ready();
const operations = documentedCalls(app.gateway);
const bySession = operations.filter(({ operation }) =>
  operation.security?.some((scheme) => 'session' in scheme),
);
const writes = operations.filter(
  ({ path, method, operation }) =>
    method !== 'GET' &&
    (bySession.some((one) => one.operation === operation) || path === '/dashboard/session'),
);

t.test('every call that takes a key in the header accepts the cookie instead', async (t) => {
  const { key } = await account();
  const cookie = await signIn(gateway, key);
  t.ok(bySession.length > 20);
  for (const { path, method, operation } of bySession) {
    // These would end the key or the session that the other calls use.
    if (path === '/api/v1/keys/{id}' || (method === 'DELETE' && path === '/dashboard/session')) continue;
    const url = path.replace(/\{\w+\}/, RANDOM_ID);
    const body = bodyOf(operation);
    const { status } = await withCookie(gateway, cookie)(method, url, body);
    t.notOk([401, 403].includes(status), `${method} ${path} answers ${status}`);
    const nobody = path === '/dashboard/session' ? 204 : 401;
    t.equal((await withCookie(gateway, 'tessera_session=none')(method, url, body)).status, nobody);
  }
  const { headers } = await withCookie(gateway, cookie)('GET', '/api/v1/usage');
  t.equal(headers['cache-control'], 'no-store');
});

t.test("the cookie is only for the dashboard's calls", async (t) => {
  const { key } = await account();
  const cookie = await signIn(gateway, key);
  const embedded = await call({ url: '/api/v1/render?content=x', headers: { cookie } });
  t.equal(embedded.status, 401, 'an <img> on another site must not spend units');
  t.equal((await call({ url: '/dashboard/session', key })).status, 204);
});

t.test('a session has the scopes and the plan of its key', async (t) => {
  const { key } = await account({ scopes: ['manage'], plan: 'free' });
  const browser = withCookie(gateway, await signIn(gateway, key));
  const single = await browser('POST', '/api/v1/qr', { data: 'x' });
  t.strictSame([single.status, single.json.error], [403, 'API key lacks a scope']);
  const full = await account({ plan: 'free' });
  const bulk = await withCookie(gateway, await signIn(gateway, full.key))('POST', '/api/v1/qr/bulk', {
    items: [{ data: 'x' }],
  });
  t.strictSame([bulk.status, bulk.json.error], [403, 'Pro plan required']);
});

t.test('no other site can write with the cookie, whatever the call', async (t) => {
  const { key } = await account();
  const cookie = await signIn(gateway, key);
  const forged: Call['headers'][] = [
    {},
    { 'sec-fetch-site': 'cross-site', origin: 'http://qr.test' },
    { origin: 'http://qr.test.evil.example' },
    { referer: 'http://qr.test/dashboard' },
  ];
  t.ok(writes.length >= 13);
  const done: string[] = [];
  for (const { path, method, operation } of writes) {
    const url = path.replace(/\{\w+\}/, RANDOM_ID);
    const body = path === '/dashboard/session' && method === 'POST' ? { key } : bodyOf(operation);
    for (const headers of forged) {
      const { status, json } = await withCookie(gateway, cookie)(method, url, body, headers);
      if (status !== 403 || json.error !== 'Cross-site request refused')
        done.push(`${method} ${path} ${JSON.stringify(headers)}: ${status} ${json.error}`);
    }
  }
  t.strictSame(done, []);
  const browser = withCookie(gateway, cookie);
  t.strictSame((await browser('GET', '/api/v1/folders')).json.data, [], 'and nothing was created');
  t.equal((await browser('GET', '/api/v1/keys')).json.data.length, 1);
  const byKey = await clientOf(gateway, key).post('/folders', { name: 'x' }, forged[1]);
  t.equal(byKey.status, 201, 'a key in the header needs no such protection');
});

t.test('the operator', async (t) => {
  const session = '/dashboard/operator/session';
  const post = (body: unknown, headers?: Call['headers']) => sign(body, headers, session);
  const signInOperator = async () => cookieOf(await post({ token: ADMIN_TOKEN }));
  const { key, id } = await account();

  t.test('signs in with the admin token, which appears in no answer and no cookie', async (t) => {
    const answer = await post({ token: ADMIN_TOKEN });
    t.equal(answer.status, 200);
    t.match(
      answer.headers['set-cookie'],
      /^tessera_operator=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    t.notMatch(answer.text + String(answer.headers['set-cookie']), ADMIN_TOKEN);
    const browser = withCookie(gateway, cookieOf(answer));
    t.strictSame((await browser('GET', session)).json, answer.json);
    const listed = await browser('GET', `/admin/v1/accounts?search=${id}`);
    t.strictSame([listed.status, listed.json.data[0]!.id, listed.json.data.length], [200, id, 1]);
    t.equal(listed.headers['cache-control'], 'no-store');
    t.equal((await browser('PATCH', `/admin/v1/accounts/${id}`, { name: 'Café 100 %' })).status, 200);
    const { json } = await browser('GET', `/admin/v1/accounts?search=${encodeURIComponent('CAFé 100 %')}`);
    t.equal(json.data.length, 1);
    for (const wrong of [{ token: `${ADMIN_TOKEN}x` }, { token: '' }, { token: key }]) {
      const { status, json, headers } = await post(wrong);
      t.strictSame([status, json.error], [401, 'Missing or invalid admin token']);
      t.notOk('set-cookie' in headers);
    }
  });

  t.test('has a session that cannot be exchanged with that of an account', async (t) => {
    const ofAccount = await signIn(gateway, key);
    const asOperator = ofAccount.replace('tessera_session', 'tessera_operator');
    for (const cookie of [ofAccount, asOperator]) {
      t.equal((await withCookie(gateway, cookie)('GET', '/admin/v1/accounts')).status, 401);
      t.equal((await withCookie(gateway, cookie)('GET', session)).status, 204);
    }
    const browser = withCookie(gateway, await signInOperator());
    t.equal((await browser('GET', '/api/v1/usage')).status, 401);
    t.equal((await browser('GET', '/dashboard/session')).status, 204);
    t.equal((await browser('GET', '/metrics')).status, 401, 'metrics accept only the token');
    const wrong = { authorization: 'Bearer wrong' };
    t.equal((await browser('GET', '/admin/v1/accounts', undefined, wrong)).status, 401);
    const details = async (key?: string) =>
      (await call({ url: '/admin/v1/accounts', ...(key && { key }) })).json.details;
    t.match(await details(), /^The admin token is missing; send it as /);
    t.equal(await details('x'), 'This is not the admin token of this service.');
  });

  t.test('may write only from our own pages, and is signed out at once', async (t) => {
    const cookie = await signInOperator();
    const browser = withCookie(gateway, cookie);
    const admin = operations.filter(({ operation }) => operation.security?.some((one) => 'operator' in one));
    t.ok(admin.length >= 10);
    for (const { path, method, operation } of admin.filter(({ method }) => method !== 'GET')) {
      const url = path.replace(/\{\w+\}/, RANDOM_ID);
      for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
        const { status, json } = await browser(method, url, bodyOf(operation), headers);
        t.strictSame([status, json.error], [403, 'Cross-site request refused'], `${method} ${path}`);
      }
    }
    t.equal((await post({ token: ADMIN_TOKEN }, {})).status, 403);
    t.equal((await browser('GET', '/admin/v1/accounts')).status, 200);
    t.equal((await browser('DELETE', session)).status, 204);
    t.equal((await browser('GET', '/admin/v1/accounts')).status, 401);
    t.equal((await browser('GET', session)).status, 204);
  });
});

t.test('two gateways that share a database', async (t) => {
  const here = gateway;
  const there = await sharedPeer();
  const { sql } = await openFor(t, { url: gateway.databaseUrl, dataDir: '' });
  const { key, id } = await here.account({ plan: 'free' });
  const statusAt = async (gateway: typeof there, cookie: string) =>
    (await withCookie(gateway, cookie)('GET', '/api/v1/usage')).status;

  t.test('signing in and out on one gateway applies on the other', async (t) => {
    const cookie = await signIn(here, key);
    t.equal(await statusAt(there, cookie), 200);
    await here.admin('PATCH', `/accounts/${id}`, { plan: 'pro' });
    await until(
      async () => (await withCookie(there, cookie)('GET', '/dashboard/session')).json.account.plan === 'pro',
      WITHIN_A_SECOND,
    );
    await withCookie(here, cookie)('DELETE', '/dashboard/session');
    await until(async () => (await statusAt(there, cookie)) === 401, WITHIN_A_SECOND);
  });

  t.test('revoking a key on one gateway ends it and its sessions on the other', async (t) => {
    const { json } = await here.call({ method: 'POST', url: '/api/v1/keys', key, body: { name: 'x' } });
    const cookie = await signIn(here, json.key);
    t.equal(await statusAt(there, cookie), 200);
    t.equal((await clientOf(there, json.key).get('/usage')).status, 200);
    const browser = withCookie(here, cookie);
    const revoked = await browser('DELETE', `/api/v1/keys/${json.id}`);
    t.equal(revoked.status, 204, 'the session itself may revoke it');
    t.equal((await browser('GET', '/api/v1/usage')).status, 401);
    t.equal((await browser('GET', '/dashboard/session')).status, 204);
    await until(async () => (await statusAt(there, cookie)) === 401, WITHIN_A_SECOND);
    await until(async () => (await clientOf(there, json.key).get('/usage')).status === 401, WITHIN_A_SECOND);
  });

  t.test('the operator is signed in on both until the admin token changes', async (t) => {
    const url = '/dashboard/operator/session';
    const body = { token: ADMIN_TOKEN };
    const cookie = cookieOf(await here.call({ method: 'POST', url, headers: SAME_ORIGIN, body }));
    const [row] = await sql<[{ text: string }]>`select s::text as text from operator_sessions s`;
    t.notOk(row.text.includes(cookie.split('=')[1]!));
    t.equal((await withCookie(there, cookie)('GET', '/admin/v1/accounts')).status, 200);
    const changed = await startApp(t, {
      DATABASE_URL: gateway.databaseUrl,
      ADMIN_TOKEN: 'another-token-of-the-operator',
    });
    t.equal((await withCookie(changed, cookie)('GET', '/admin/v1/accounts')).status, 401);
    await sql`update operator_sessions set expires_at = now()`;
    t.equal((await withCookie(there, cookie)('GET', url)).status, 204);
  });

  t.test('the database stores no token, and expired sessions are removed', async (t) => {
    const cookie = await signIn(here, key);
    const token = cookie.split('=')[1]!;
    const [row] = await sql<[{ hash: Buffer; text: string }]>`
      select hash, s::text as text from dashboard_sessions s order by created_at desc limit 1`;
    t.strictSame(row.hash, createHash('sha256').update(token).digest());
    t.notOk(row.text.includes(token));
    const all = async () => (await sql`select 1 from dashboard_sessions`).length;
    const before = await all();
    await sql`update dashboard_sessions set expires_at = now() where hash = ${row.hash}`;
    t.equal(await statusAt(there, cookie), 401);
    t.equal(await deleteEndedSessions(sql, 1), 1, 'a limited number at a time');
    await deleteEndedSessions(sql, 100);
    t.ok((await all()) < before);
    t.equal((await sql`select 1 from dashboard_sessions where hash = ${row.hash}`).length, 0);
  });
});

t.test('API keys, session tokens and the admin token are never logged', async (t) => {
  const DATABASE_URL = await realDatabaseUrl();
  const { url, output } = await startGateway(t, { DATABASE_URL, ADMIN_TOKEN, LOG_LEVEL: 'trace' });
  const send = (path: string, method: string, headers: Record<string, string>, body?: unknown) =>
    fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const made = (await (
    await send('/admin/v1/accounts', 'POST', admin, { name: 'x', plan: 'pro' })
  ).json()) as {
    id: string;
  };
  t.match(made.id, UUID);
  const created = await send(`/admin/v1/accounts/${made.id}/keys`, 'POST', admin, { name: 'x' });
  const { key } = (await created.json()) as { key: string };
  const wrong = createApiKey();
  const signedIn = await send('/dashboard/session', 'POST', SAME_ORIGIN, { key });
  const cookie = String(signedIn.headers.get('set-cookie')).split(';', 1)[0]!;
  t.equal((await send('/dashboard/session', 'POST', SAME_ORIGIN, { key: wrong })).status, 401);
  t.equal((await send('/dashboard/session', 'POST', SAME_ORIGIN, { key, [key]: 1 })).status, 400);
  t.equal((await send('/dashboard/session', 'POST', {}, { key })).status, 403);
  t.equal((await fetch(`${url}/api/v1/usage`, { headers: { cookie } })).status, 200);
  await until(() => output().includes('/api/v1/usage'));
  const operator = (token: string) => send('/dashboard/operator/session', 'POST', SAME_ORIGIN, { token });
  const inCookie = String((await operator(ADMIN_TOKEN)).headers.get('set-cookie')).split(/[=;]/)[1]!;
  t.equal((await operator('a-wrong-admin-token')).status, 401);
  const secrets = [key, wrong, cookie.split('=')[1]!, ADMIN_TOKEN, 'a-wrong-admin-token', inCookie];
  for (const secret of secrets) t.notOk(output().includes(secret));
});
