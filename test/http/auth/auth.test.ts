/** Authentication, with keys and sessions that the test provides and a clock that it moves. */
import Fastify, { type FastifyRequest } from 'fastify';
import t, { type Test } from 'tap';
import { createApiKey, hashKey } from '../../../src/accounts/api-key.ts';
import { hashToken } from '../../../src/accounts/sessions.ts';
import type { Principal } from '../../../src/db/tables/accounts/keys.ts';
import type { SessionPrincipal } from '../../../src/db/tables/accounts/sessions.ts';
import { createAuth, principalOf } from '../../../src/http/auth/auth.ts';
import { checkWantedKey, createKey } from '../../../src/http/auth/new-key.ts';
import { ofAccount } from '../../../src/http/auth/of-account.ts';
import { createAdminAuth, createAdminTokenCheck } from '../../../src/http/auth/operator-auth.ts';
import { requireFound, requireLink } from '../../../src/http/auth/require-found.ts';
import { createSameOriginRule, createSessionCookie } from '../../../src/http/auth/session-auth.ts';
import { isUnauthenticated } from '../../../src/http/bodies/body-budget.ts';
import { answerErrors } from '../../../src/http/error-handler.ts';
import { stopClock } from '../../support/clock.ts';
import { silent } from '../../support/silent-log.ts';

const TOKEN = 't'.repeat(43);
const COOKIE = { cookie: `tessera_session=${TOKEN}` };
const SAME_SITE = { 'sec-fetch-site': 'same-origin' };

const owner = (part: Partial<Principal> = {}): Principal => ({
  keyId: 'the key',
  accountId: 'account',
  accountName: 'test',
  plan: 'pro',
  scopes: ['generate', 'render', 'manage'],
  rateLimitPerSecond: null,
  keyExpiresAt: null,
  keyQuota: null,
  makers: [],
  isSandbox: false,
  loadTests: false,
  ...part,
});

/** An app that knows `key` and the session of `TOKEN`, and records look-ups and uses of keys. */
const start = async (t: Test, part: Partial<Principal> = {}, publicUrl: string | null = null) => {
  const key = createApiKey();
  const touched: string[] = [];
  const lookups: string[] = [];
  let isAway = false;
  let wait = Promise.resolve();
  const session: SessionPrincipal = {
    ...owner(part),
    keyId: 'key of the session',
    sessionId: 'session',
    expiresAt: new Date(Date.now() + 60_000),
  };
  const auth = createAuth(
    {
      async findKey(hash) {
        lookups.push('key');
        await wait;
        if (isAway) throw new Error('away');
        return hash.equals(hashKey(key)) ? owner(part) : null;
      },
      async findSession(hash) {
        lookups.push('session');
        return hash.equals(hashToken(TOKEN)) ? session : null;
      },
      changes: { live: true, subscribe: () => () => {} },
      touchKey: (id) => void touched.push(id),
      publicUrl,
    },
    silent,
  );
  const app = Fastify({ trustProxy: 'loopback' });
  t.teardown(() => app.close());
  app.decorateRequest('principal', null);
  answerErrors(app);
  const answer = async (request: FastifyRequest) => ({ by: principalOf(request).keyId });
  const methods = ['GET', 'POST', 'HEAD'];
  const route = (url: string, onRequest: ReturnType<typeof auth.require>) =>
    app.route({ method: methods, url, onRequest, handler: answer });
  route('/header', auth.require('generate', 'header'));
  route('/query', auth.require('render', 'query'));
  route('/pro', auth.require('generate', 'header', { plan: 'pro' }));
  route('/session', auth.requireSession('manage'));
  route('/open', async () => {});
  app.post('/sign-in', async (request) => {
    await auth.signIn(request, (request.body as { key: string }).key, 'manage');
    return { by: principalOf(request).keyId };
  });
  const ask = async (url: string, headers: Record<string, string> = {}, body?: object) => {
    const method = body === undefined ? 'GET' : 'POST';
    const response = await app.inject({ method, url, headers, ...(body === undefined ? {} : { body }) });
    return { status: response.statusCode, headers: response.headers, json: response.json() };
  };
  const unknown = (address = '192.0.2.1') =>
    ask('/header', { authorization: `Bearer ${createApiKey()}`, 'x-forwarded-for': address });
  return {
    key,
    ask,
    unknown,
    auth,
    touched,
    lookups,
    bearer: { authorization: `Bearer ${key}` },
    setAway: () => {
      isAway = true;
    },
    hold: () => {
      let release = () => {};
      wait = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
};

t.test('an API key in the header', async (t) => {
  const { key, ask, bearer, touched, lookups } = await start(t);

  t.test('authenticates the request and is recorded as used', async (t) => {
    t.match(await ask('/header', bearer), { status: 200, json: { by: 'the key' } });
    t.match(await ask('/header', { authorization: `bearer   ${key}  ` }), { status: 200 });
    t.match(await ask('/pro', bearer), { status: 200 });
    t.strictSame(touched, ['the key', 'the key', 'the key']);
  });

  t.test('is required: a missing, unknown or malformed key is a 401', async (t) => {
    const before = lookups.length;
    const refused = async (said: RegExp, ...authorizations: readonly string[]) => {
      for (const authorization of authorizations)
        t.match(await ask('/header', { authorization }), {
          status: 401,
          headers: { 'www-authenticate': 'Bearer' },
          json: { details: said },
        });
    };
    t.match(
      (await ask('/header')).json.details,
      /^The API key is missing; send one as "Authorization: Bearer/,
    );
    const malformed =
      /^This is not an API key: a key is tsr_ or tsr_test_ .*; send it as "Authorization: Bearer /;
    const wrong = [
      '',
      'Bearer',
      key,
      `Basic ${key}`,
      `Bearer ${key}x`,
      `Bearer ${key} ${key}`,
      'Bearer tsr_no',
    ];
    await refused(malformed, ...wrong);
    t.equal(lookups.length, before, 'without a look-up');
    await refused(/^There is no such API key, or it was revoked\.$/, `Bearer ${createApiKey()}`);
    t.equal((await ask(`/header?key=${key}`)).status, 401, 'a key in the query is not read here');
  });

  t.test('needs the scope and the plan that the route requires', async (t) => {
    const { ask, bearer, touched } = await start(t, { scopes: ['manage'] });
    t.match(await ask('/header', bearer), { status: 403, json: { details: /"generate"/ } });
    const free = await start(t, { plan: 'free' });
    t.match(await free.ask('/pro', free.bearer), { status: 403, json: { details: /Pro plan/ } });
    t.equal((await free.ask('/header', free.bearer)).status, 200);
    t.strictSame([touched, free.touched], [[], ['the key']]);
  });

  t.test('gets a 503 without a challenge while keys cannot be looked up', async (t) => {
    const { ask, bearer, setAway } = await start(t);
    setAway();
    const { status, headers } = await ask('/header', bearer);
    t.strictSame([status, headers['retry-after'], headers['www-authenticate']], [503, '1', undefined]);
  });
});

t.test('a key is refused from the moment it expires, even when it is cached', async (t) => {
  let nowMs = Date.UTC(2026, 10, 22);
  t.intercept(Date, 'now', { value: () => nowMs });
  const { key, ask, bearer, lookups, touched } = await start(t, { keyExpiresAt: new Date(nowMs + 1000) });
  const expired = { details: /^This API key has expired; send another one/ };
  nowMs += 999;
  t.equal((await ask('/header', bearer)).status, 200);
  nowMs += 1;
  t.match(await ask('/header', bearer), {
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    json: expired,
  });
  t.match(await ask(`/query?key=${key}`), { status: 401, json: expired });
  t.match(await ask('/sign-in', SAME_SITE, { key }), {
    status: 401,
    json: { details: /^key: this key has expired/ },
  });
  t.match(await ask('/header', COOKIE), { status: 401, json: { details: /^Sign in to the dashboard/ } });
  t.strictSame(lookups, ['key', 'session'], 'nothing is looked up again');
  t.strictSame(touched, ['the key'], 'a refused key is not recorded as used');
});

t.test('a session is refused from the moment it expires, even when it is cached', async (t) => {
  let nowMs = Date.UTC(2026, 10, 22);
  t.intercept(Date, 'now', { value: () => nowMs });
  const { ask, lookups } = await start(t);
  t.equal((await ask('/session', COOKIE)).status, 200);
  nowMs += 59_999;
  t.equal((await ask('/session', COOKIE)).status, 200);
  nowMs += 1;
  t.equal((await ask('/session', COOKIE)).status, 401);
  t.strictSame(lookups, ['session'], 'nothing is looked up again');
});

t.test('an API key in the query', async (t) => {
  const { key, ask, bearer } = await start(t);
  t.equal((await ask(`/query?key=${key}`)).status, 200);
  t.equal((await ask('/query', bearer)).status, 200, 'or in the header');
  for (const [url, details] of [
    ['/query', /^The API key is missing; send one as the query parameter "key", or as "Authorization: /],
    ['/query?key=tsr_no', /^This is not an API key: /],
    [`/query?key=${key}&key=${key}`, /^This is not an API key: /],
    [`/query?key=${createApiKey()}`, /^There is no such API key, or it was revoked\.$/],
  ] as const) {
    const { status, headers, json } = await ask(url, { ...(url === '/query' ? {} : bearer), ...COOKIE });
    t.strictSame([status, headers['www-authenticate']], [401, undefined], url);
    t.match(json.details, details, url);
  }
});

t.test('the session cookie', async (t) => {
  const { ask, bearer, touched, lookups } = await start(t);

  t.test('takes the place of the key in the header, and forbids caches to store the answer', async (t) => {
    t.match(await ask('/header', COOKIE), {
      status: 200,
      json: { by: 'key of the session' },
      headers: { 'cache-control': 'no-store' },
    });
    t.strictSame(touched, ['key of the session']);
    t.equal((await ask('/header', bearer)).headers['cache-control'], undefined);
  });

  t.test('allows writes only from our own pages', async (t) => {
    t.match(await ask('/header', COOKIE, {}), { status: 403, json: { details: /dashboard's own pages/ } });
    t.equal((await ask('/header', { ...COOKIE, ...SAME_SITE }, {})).status, 200);
    t.equal((await ask('/header', bearer, {})).status, 200, 'a key may write from anywhere');
  });

  t.test('is ignored when there is an Authorization header', async (t) => {
    for (const authorization of ['Basic x', 'Bearer tsr_no', '']) {
      t.equal((await ask('/header', { ...COOKIE, authorization })).status, 401);
    }
    t.equal((await ask('/header', { ...COOKIE, ...bearer })).json.by, 'the key');
  });

  t.test('is refused when its session has ended', async (t) => {
    const cookie = `tessera_session=${'x'.repeat(43)}`;
    for (const url of ['/header', '/session']) {
      t.match(await ask(url, { cookie }), { status: 401, json: { details: /^Sign in/ } });
    }
    t.equal((await ask('/header', { cookie })).headers['www-authenticate'], 'Bearer');
    t.match(await ask('/header', { cookie: 'tessera_session=short' }), {
      json: { details: /^The API key is missing/ },
    });
  });

  t.test("is the only credential that the dashboard's own calls accept", async (t) => {
    lookups.length = 0;
    touched.length = 0;
    t.match(await ask('/session', bearer), { status: 401, json: { details: /^Sign in/ } });
    t.strictSame(lookups, []);
    t.match(await ask('/session', COOKIE), { status: 200, json: { by: 'key of the session' } });
    t.strictSame(touched, ['key of the session']);
    t.equal((await ask('/session', COOKIE, {})).status, 403);
    const other = await start(t, { scopes: ['generate'] });
    t.match(await other.ask('/session', COOKIE), { status: 403, json: { details: /"manage"/ } });
    t.strictSame(other.touched, []);
  });
});

t.test('signing in', async (t) => {
  const { key, ask, touched, lookups } = await start(t);
  t.match(await ask('/sign-in', {}, { key }), { status: 403 });
  t.strictSame(lookups, [], 'a request from another site causes no look-up');
  t.match(await ask('/sign-in', SAME_SITE, { key }), { status: 200, json: { by: 'the key' } });
  t.strictSame(touched, ['the key']);
  for (const wrong of [createApiKey(), 'tsr_no']) {
    t.match(await ask('/sign-in', SAME_SITE, { key: wrong }), {
      status: 401,
      json: { details: wrong === 'tsr_no' ? /^key: this is not an API key/ : /^key: there is no such key/ },
    });
  }
  const other = await start(t, { scopes: ['generate'] });
  t.equal((await other.ask('/sign-in', SAME_SITE, { key: other.key })).status, 403);
  t.strictSame(other.touched, []);
});

t.test('a route without an authentication hook has no principal', async (t) => {
  const { ask } = await start(t);
  t.equal((await ask('/open')).status, 500);
  const request = { principal: null } as FastifyRequest;
  t.throws(() => principalOf(request), { message: /no authentication hook/ });
});

t.test('unknown keys', async (t) => {
  t.test('from one address are limited to twenty at once and ten more each second', async (t) => {
    const clock = stopClock(t);
    const { ask, bearer, unknown, lookups } = await start(t);
    for (let i = 0; i < 20; i += 1) t.equal((await unknown()).status, 401);
    t.match(await unknown(), {
      status: 429,
      headers: { 'retry-after': '1' },
      json: { details: /^Too many unknown keys came from your address/ },
    });
    t.equal(lookups.length, 20);
    t.equal((await unknown('192.0.2.2')).status, 401, 'another address has a limit of its own');
    clock.pass(99);
    t.equal((await unknown()).status, 429);
    clock.pass(1);
    t.strictSame([(await unknown()).status, (await unknown()).status], [401, 429]);
    clock.pass(100);
    t.equal((await ask('/header', { ...bearer, 'x-forwarded-for': '192.0.2.1' })).status, 200);
    t.equal((await unknown()).status, 401, 'a valid key does not count');
  });

  t.test('from one address are looked up a hundred at a time', async (t) => {
    stopClock(t);
    const { unknown, hold, lookups } = await start(t);
    const release = hold();
    const asked = Array.from({ length: 101 }, () => unknown());
    t.match(await Promise.race(asked), {
      status: 429,
      headers: { 'retry-after': '1' },
      json: { details: /being looked up/ },
    });
    t.equal(lookups.length, 100);
    release();
    const answers = await Promise.all(asked);
    t.equal(answers.filter(({ status }) => status === 401).length, 100);
  });
});

t.test('the admin token', async (t) => {
  const startAdmin = (token: string | null) => {
    const hook = createAdminAuth(createAdminTokenCheck(token));
    return async (authorization: string | undefined, ip = '192.0.2.1') => {
      const request = { headers: { authorization }, ip, isOperator: false, principal: null };
      try {
        await (hook as unknown as (request: object) => Promise<void>)(request);
      } catch (error) {
        const { code, retryAfterS } = error as { code: string; retryAfterS?: number };
        return { code, retryAfterS, isOperator: request.isOperator };
      }
      t.notOk(isUnauthenticated(request as unknown as FastifyRequest));
      return { code: null, isOperator: request.isOperator };
    };
  };

  t.test('is the only thing that makes a caller the operator', async (t) => {
    const ask = startAdmin('secret');
    t.strictSame(await ask('bearer  secret '), { code: null, isOperator: true });
    for (const wrong of [undefined, 'Bearer secre', 'Bearer secrets', 'Basic secret', 'secret', 'Bearer']) {
      t.match(await ask(wrong), { code: 'admin_unauthorized', isOperator: false }, String(wrong));
    }
    const without = startAdmin(null);
    for (const sent of [undefined, 'Bearer null', 'Bearer x']) {
      t.match(await without(sent), { code: 'admin_unauthorized' });
    }
  });

  t.test('may be guessed twenty times at once, and then once a second', async (t) => {
    const clock = stopClock(t);
    const ask = startAdmin('secret');
    const codes = async (count: number, token: string, ip?: string) => {
      const found: (string | null)[] = [];
      for (let i = 0; i < count; i += 1) found.push((await ask(token, ip)).code);
      return new Set(found);
    };
    t.strictSame(await codes(20, 'Bearer wrong'), new Set(['admin_unauthorized']));
    t.match(await ask('Bearer secret'), { code: 'rate_limited', retryAfterS: 1 });
    t.equal((await ask('Bearer secret', '192.0.2.2')).code, null);
    t.equal((await ask(undefined)).code, 'admin_unauthorized', 'a request without a token is not a guess');
    clock.pass(999);
    t.equal((await ask('Bearer secret')).code, 'rate_limited');
    clock.pass(1);
    t.strictSame(await codes(30, 'Bearer secret'), new Set([null]), 'valid tokens do not count');
    t.strictSame(
      await codes(60, '', '192.0.2.3'),
      new Set(['admin_unauthorized']),
      'requests without a token do not count',
    );
    t.equal((await startAdmin(null)('Bearer x', '192.0.2.4')).code, 'admin_unauthorized');
  });
});

t.test('a caller with neither an API key nor the admin token counts as unauthenticated', async (t) => {
  const strange = (principal: Principal | null, isOperator: boolean) =>
    isUnauthenticated({ principal, isOperator } as FastifyRequest);
  t.strictSame([strange(null, false), strange(owner(), false), strange(null, true)], [true, false, false]);
});

t.test('only our own pages may write with a cookie', async (t) => {
  const check = (method: string, headers: object, publicUrl: string | null = null): boolean => {
    const request = { method, headers, protocol: 'http', host: 'qr.test:8080' };
    try {
      createSameOriginRule(publicUrl)(request as unknown as FastifyRequest);
      return true;
    } catch (error) {
      t.match(error, { code: 'cross_site' });
      return false;
    }
  };
  for (const method of ['GET', 'HEAD']) t.ok(check(method, { 'sec-fetch-site': 'cross-site' }));
  const sites = [undefined, 'same-origin', 'same-site', 'cross-site', 'none', 'SAME-ORIGIN', ''];
  const origins = [undefined, 'http://qr.test:8080', 'http://qr.test', 'https://qr.test:8080', 'null'];
  for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
    for (const site of sites)
      for (const origin of origins) {
        const headers = { ...(site !== undefined && { 'sec-fetch-site': site }), ...(origin && { origin }) };
        // Some browsers send only Origin.
        const isOurs = site === undefined ? origin === 'http://qr.test:8080' : site === 'same-origin';
        t.equal(check(method, headers), isOurs, `${method} ${JSON.stringify(headers)}`);
      }
    const url = 'https://codes.test/tessera';
    t.ok(check(method, { origin: 'https://codes.test' }, url));
    t.notOk(check(method, { origin: 'http://qr.test:8080' }, url));
  }
});

t.test('the cookie', async (t) => {
  const read = (cookie: string | undefined, publicUrl: string | null = null) =>
    createSessionCookie(publicUrl).read({ headers: { cookie } } as unknown as FastifyRequest);

  t.test('is bound to the host over HTTPS', async (t) => {
    const common = { httpOnly: true, sameSite: 'strict', path: '/' };
    for (const [url, name, secure] of [
      [null, 'tessera_session', false],
      ['http://qr.test', 'tessera_session', false],
      ['https://qr.test', '__Host-tessera', true],
    ] as const) {
      const cookie = createSessionCookie(url);
      t.strictSame([cookie.name, cookie.options], [name, { ...common, secure }]);
      t.equal(read(`${name}=${TOKEN}`, url), TOKEN);
    }
    t.equal(read(`tessera_session=${TOKEN}`, 'https://qr.test'), null);
  });

  t.test('is found among other cookies, and must hold a whole token', async (t) => {
    t.equal(read(`a=b; tessera_session=${TOKEN}; c=d`), TOKEN);
    t.equal(read(`a=b;tessera_session=${TOKEN};c=d`), TOKEN);
    for (const wrong of [
      undefined,
      '',
      `xtessera_session=${TOKEN}`,
      `tessera_session=${TOKEN}x`,
      `tessera_session=${TOKEN.slice(1)}`,
    ]) {
      t.equal(read(wrong), null, String(wrong));
    }
  });
});

t.test('a new key', async (t) => {
  const name = 'new';
  t.test('has at most the scopes of the key that creates it, and all of them by default', async (t) => {
    const maker = owner({ scopes: ['manage', 'render'] });
    t.match(checkWantedKey(maker, { name }), { name, scopes: ['manage', 'render'] });
    t.match(checkWantedKey(maker, { name, scopes: ['render'] }), { name, scopes: ['render'] });
    t.throws(() => checkWantedKey(maker, { name, scopes: ['render', 'generate'] }), {
      code: 'scope_required',
      details: /^scopes: your key lacks "generate", so/,
    });
    t.throws(() => checkWantedKey(owner({ scopes: [] }), { name, scopes: ['render', 'generate'] }), {
      code: 'scope_required',
      details: /lacks "render" and "generate"/,
    });
  });

  t.test('may have at most the limits of the key that creates it, and has them by default', async (t) => {
    const [soon, later] = [new Date('2030-01-01'), new Date('2030-01-02')];
    for (const [bound, field, ofMaker, less, more] of [
      ['rateLimitPerSecond', 'rate_limit_per_second', { rateLimitPerSecond: 5 }, 5, 6],
      ['expiresAt', 'expires_at', { keyExpiresAt: soon }, soon, later],
      ['monthlyQuota', 'monthly_quota', { keyQuota: 0 }, 0, 1],
    ] as const) {
      const given = (maker: Principal, wanted: object) => checkWantedKey(maker, { name, ...wanted })[bound];
      const bounded = owner(ofMaker);
      t.strictSame([given(bounded, {}), given(bounded, { [bound]: less })], [less, less]);
      for (const wider of [more, null])
        t.throws(() => given(bounded, { [bound]: wider }), {
          code: 'invalid_body',
          details: new RegExp(`^${field}: must .*the key that makes the call`),
        });
      t.strictSame([given(owner(), {}), given(owner(), { [bound]: more })], [null, more]);
    }
    const maker = { keyId: 'maker', rateLimitPerSecond: 4, monthlyQuota: 9 };
    const made = owner({
      keyQuota: 12,
      makers: [maker, { ...maker, rateLimitPerSecond: null, monthlyQuota: 8 }],
    });
    t.match(checkWantedKey(made, { name }), { rateLimitPerSecond: 4, monthlyQuota: 8 }, 'of its makers, too');
    t.throws(() => checkWantedKey(made, { name, monthlyQuota: 9 }), { code: 'invalid_body' });
  });

  t.test('is refused when the account does not exist or has too many keys', async (t) => {
    const create = (created: object) =>
      createKey(
        { keysPerAccountMax: 6, createKey: async () => created } as never,
        { accountId: 'account', keyId: 'maker' },
        { name },
      );
    t.strictSame(await create({ ok: true, value: 'made' }), 'made');
    await t.rejects(create({ ok: false, fault: 'no account' }), { code: 'not_found' });
    await t.rejects(create({ ok: false, fault: 'too many' }), { code: 'limit_reached', details: /6 keys/ });
    await t.rejects(create({ ok: false, fault: 'too deep' }), {
      code: 'limit_reached',
      details: /line of 9 keys/,
    });
    await t.rejects(create({ ok: false, fault: 'no maker' }), { code: 'unauthorized' });
  });
});

t.test('whatever an account does not own does not exist for it', async (t) => {
  t.equal(requireFound('code', 'found'), 'found');
  t.throws(() => requireFound('folder', null), { code: 'not_found', details: 'There is no such folder.' });
  const noDatabase = (() => t.fail('the database was asked')) as never;
  await t.rejects(requireLink(noDatabase, 'account', 'no slug!'), { code: 'not_found' });
});

t.test("routes of an account's own API require the scope manage, and then count the request", async (t) => {
  const { auth } = await start(t);
  const hooks: unknown[] = [];
  const tags: unknown[] = [];
  const app = {
    addHook: (name: string, hook: unknown) => {
      if (name === 'onRequest') hooks.push(hook);
      else tags.push(name);
    },
  };
  const hook = () => {};
  const require = (scope: string, where: string) => `${scope} ${where}`;
  const services = {
    auth: { ...auth, require } as never,
    rateLimit: { hook, pictureHook: hook, close: () => {} },
    database: {} as never,
  };
  await ofAccount({ tag: 'Codes', name: 'codes' }, () => {})(services)(app as never, {});
  t.strictSame(hooks, ['manage header', hook]);
  t.equal(tags.length, 1, 'and have a tag in the OpenAPI document');
});
