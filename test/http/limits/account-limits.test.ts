/** Limits that apply to an account as a whole, however many keys and sessions it has. */
import t from 'tap';
import { type Answer, startApp, type TestApp } from '../../support/app/app.ts';
import { clientOf, newClient } from '../../support/app/client.ts';
import { SAME_ORIGIN, signIn, withCookie } from '../../support/app/session.ts';
import { casesOf } from '../../support/cases.ts';
import { realDatabaseUrl } from '../../support/database/database.ts';
import { fieldsOf } from '../../support/fields-of.ts';
import { rectUri, svgUri } from '../../support/pictures/svg-uri.ts';

const env = { DATABASE_URL: await realDatabaseUrl(), KEYS_PER_ACCOUNT_MAX: '6' };
const gateway = await startApp(t, { ...env, FREE_WORK_MS_PER_SECOND: '500' });
// The allowance grows so slowly that a busy machine makes no difference.
const frugal = await startApp(t, { ...env, FREE_WORK_MS_PER_SECOND: '10' });
const { account, admin, call } = gateway;

/** Creates keys by means of a key in the header. */
const mintBy =
  ({ call }: Pick<TestApp, 'call'>, key: string) =>
  (body: object) =>
    call({ method: 'POST', url: '/api/v1/keys', key, body: { name: 'minted', ...body } });

t.test('a key cannot create a key with more rights than its own', async (t) => {
  const { id, key } = await account({ scopes: ['manage', 'render'] });
  const browser = withCookie(gateway, await signIn(gateway, key));
  const bySession = (body: object) => browser('POST', '/api/v1/keys', { name: 'minted', ...body });
  for (const mint of [mintBy(gateway, key), bySession]) {
    const refused = { error: 'API key lacks a scope', details: /^scopes: .*"generate"/ };
    t.match(await mint({ scopes: ['render', 'generate'] }), { status: 403, json: refused });
    t.match(await mint({ scopes: ['render'] }), { status: 201, json: { scopes: ['render'] } });
  }
  const slow = await admin('POST', `/accounts/${id}/keys`, { name: 'slow', rate_limit_per_second: 5 });
  t.strictSame(slow.json.scopes, ['generate', 'render', 'manage'], 'the operator may');
  const mint = mintBy(gateway, slow.json.key);
  const details = /^rate_limit_per_second: must be at most 5/;
  t.match(await mint({ rate_limit_per_second: 6 }), { status: 400, json: { details } });
  t.match(await mint({}), { status: 201, json: { rate_limit_per_second: 5 } }, 'also by default');
});

t.test('the rate limit of a key is a whole number from 1, and lists of keys show it', async (t) => {
  const { id, key } = await account();
  const mint = mintBy(gateway, key);
  for (const limit of [0, -1, 1.5, '5', 1e12]) {
    t.equal((await mint({ rate_limit_per_second: limit })).status, 400, String(limit));
  }
  await mint({ rate_limit_per_second: 9 });
  const lists = [await call({ url: '/api/v1/keys', key }), await admin('GET', `/accounts/${id}/keys`)];
  for (const { json } of lists) {
    t.strictSame(fieldsOf(json.data, 'rate_limit_per_second'), [9, null]);
  }
});

const gradient = { type: 'radial', colorStops: [{ offset: 0, color: 'red' }] };

/** An account with codes in a folder, and clients that use its key and its session. */
const drawing = async (app: TestApp, size: number, count: number) => {
  // By the other gateway, which counts for itself.
  const { key, bulk } = await newClient(gateway);
  const design = { width: size, height: size, dotsOptions: { gradient } };
  const items = Array.from({ length: count }, (_, i) => ({ data: `code ${i}`, ...design }));
  const { folderId: folder, codes } = await bulk(items);
  const browser = withCookie(app, await signIn(app, key));
  return { key, folder, ids: fieldsOf(codes, 'id'), ...clientOf(app, key), browser };
};

t.test('work that costs no units is limited for the account', async (t) => {
  t.test('by what its pictures cost, over all its keys and sessions', async (t) => {
    const { folder, ids, get, post, browser } = await drawing(frugal, 600, 2);
    const first = await get(`/codes/${ids[0]}/image`);
    t.equal(first.status, 200);
    const drawAgain = (i: number) => get(`/codes/${ids[0]}/image?width=${599 - i}`);
    const answers = [];
    for (let i = 0; i < 20 && answers.at(-1)?.status !== 429; i += 1) answers.push(await drawAgain(i));
    t.match(answers.at(-1), {
      status: 429,
      json: { error: 'Rate limit exceeded', details: /\(10 ms a second/ },
      headers: { 'retry-after': /^[1-9]\d*$/ },
    });
    const others = {
      'a session draws': () => browser('GET', `/api/v1/codes/${ids[1]}/image`),
      'a session previews': () => browser('POST', '/dashboard/preview', { data: 'x' }),
      'a search of codes': () => get('/codes?search=x'),
      'a search of folders': () => get('/folders?search=x'),
      'a list': () => get('/codes'),
      'an archive': () => get(`/folders/${folder}/archive`),
    };
    for (const [name, other] of Object.entries(others)) {
      // The allowance that grows between two calls may pay for one of them, but not for every one of twenty.
      let status = 0;
      for (let i = 100; i < 120 && status !== 429; i += 1) {
        await drawAgain(i);
        ({ status } = await other());
      }
      t.equal(status, 429, name);
    }
    const known = await get(`/codes/${ids[0]}/image`, { 'if-none-match': String(first.headers.etag) });
    t.equal(known.status, 304, 'a picture that the browser has cached is free');
    t.equal((await post('/qr', { data: 'x' })).status, 200, 'paid calls continue');
    const other = await drawing(frugal, 100, 1);
    const theirs = await other.get(`/codes/${other.ids[0]}/image?width=200`);
    t.equal(theirs.status, 200, 'another account has a limit of its own');
  });

  t.test('by logos that fail', async (t) => {
    const { post, used } = await newClient(frugal);
    const single = (body: object) => post('/qr', body);
    const good = rectUri(9, 9);
    t.equal((await single({ data: 'x', image: good })).status, 200);
    let logos = 0;
    const overdraw = async () => {
      const statuses: number[] = [];
      for (; statuses.length < 500 && statuses.at(-1) !== 429; logos += 1) {
        const image = svgUri(
          `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>${logos}${'<g/>'.repeat(2000)}</script></svg>`,
        );
        statuses.push((await single({ data: 'x', image })).status);
      }
      t.equal(statuses.at(-1), 429, `${statuses.length} logos`);
      t.ok(statuses.slice(0, -1).every((status) => status === 400));
    };
    let made = 0;
    /** A logo that failed before would be refused without being looked at. */
    const fresh = () => {
      made += 1;
      return svgUri(`<svg>no ${made}</svg>`);
    };
    // The allowance that grows between two calls may pay for one more logo, but not every time.
    const untilRefused = async (send: () => Promise<Answer>, isRefused: (answer: Answer) => boolean) => {
      for (let calls = 1; ; calls += 1) {
        await overdraw();
        const answer = await send();
        if (isRefused(answer) || calls === 20) return { answer, calls };
      }
    };
    const again = await untilRefused(
      () => single({ data: 'x', image: fresh() }),
      ({ status }) => status === 429,
    );
    t.match(again.answer, { status: 429, headers: { 'retry-after': /^[1-9]\d*$/ } });
    const batch = await untilRefused(
      () => post('/qr/bulk', { items: [{ data: 'x' }, { data: 'x', image: fresh() }] }),
      ({ json }) => /too many logos/.test(json.results?.[1]?.error ?? ''),
    );
    t.match(batch.answer.json.results, [
      { success: true },
      { success: false, error: /^image: too many logos/ },
    ]);
    t.equal((await single({ data: 'x', image: good })).status, 200, 'a logo that is cached still works');
    t.equal((await single({ data: 'x' })).status, 200);
    t.equal(await used(), 3 + batch.calls, 'and refused calls cost nothing');
  });
});

t.test('normal use of the dashboard never reaches that limit', async (t) => {
  const { ids, browser } = await drawing(gateway, 300, casesOf(50));
  const statuses: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    for (const id of ids) {
      const { status, headers } = await browser('GET', `/api/v1/codes/${id}/image?format=png&width=200`);
      statuses.push(status);
      const known = await browser('GET', `/api/v1/codes/${id}/image?format=png&width=200`, undefined, {
        ...SAME_ORIGIN,
        'if-none-match': String(headers.etag),
      });
      statuses.push(known.status === 304 ? 200 : known.status);
    }
  }
  for (let typed = 1; typed <= casesOf(75); typed += 1) {
    const body = {
      data: 'https://example.com/'.padEnd(20 + typed, 'x'),
      dotsOptions: { gradient },
    };
    statuses.push((await browser('POST', '/dashboard/preview', body)).status);
    if (typed % 5 === 0) statuses.push((await browser('GET', `/api/v1/codes?search=code%20${typed}`)).status);
  }
  t.ok(statuses.every((status) => status === 200));
});

/** On a machine that stalls, a call may wait too long for the lock that another one has. */
const onceUnlocked = async <A extends { readonly status: number }>(call: () => Promise<A>): Promise<A> => {
  const answer = await call();
  return answer.status === 429 ? onceUnlocked(call) : answer;
};

t.test('over two gateways', async (t) => {
  const gateways = [gateway, await startApp(t, env)];
  const { id, key } = await gateways[0]!.account();
  for (const { call } of gateways) t.equal((await call({ url: '/api/v1/usage', key })).status, 200);

  t.test('an account has a limited number of active keys, even when created in parallel', async (t) => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        i % 3 === 0
          ? onceUnlocked(() => gateways[i % 2]!.admin('POST', `/accounts/${id}/keys`, { name: 'x' }))
          : onceUnlocked(() => mintBy(gateways[i % 2]!, key)({})),
      ),
    );
    t.equal(answers.filter(({ status }) => status === 201).length, 5);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { status, json } of refused) {
      t.equal(status, 409);
      t.match(json, { error: 'Limit reached', details: /^An account may have 6 keys/ });
    }
    const { json } = await gateways[1]!.admin('GET', `/accounts/${id}/keys`);
    t.equal(json.data.length, 6);
    const [made] = json.data;
    await gateways[0]!.admin('DELETE', `/keys/${made!.id}`);
    t.equal((await mintBy(gateways[1]!, key)({})).status, 201, 'revoking a key makes room');
    t.equal((await gateways[0]!.account()).key.length, 42, 'another account has a limit of its own');
  });

  t.test('a key has a limited number of sessions, even when people sign in at once', async (t) => {
    const signedIn = await Promise.all(Array.from({ length: 24 }, (_, i) => signIn(gateways[i % 2]!, key)));
    const states = [];
    for (const [i, cookie] of signedIn.entries()) {
      const browser = withCookie(gateways[i % 2]!, cookie);
      states.push((await browser('GET', '/dashboard/session')).status);
    }
    t.equal(states.filter((status) => status === 200).length, 20);
  });
});
