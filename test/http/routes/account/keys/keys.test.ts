/** Keys that expire, and changes to keys. */
import t from 'tap';
import { until } from '../../../../servers/until.ts';
import { sharedApp } from '../../../../support/app/app.ts';
import { clientOf, newClient, RANDOM_ID } from '../../../../support/app/client.ts';
import { SAME_ORIGIN, signIn, withCookie } from '../../../../support/app/session.ts';

const gateway = await sharedApp();
const { admin, call } = gateway;
const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

t.test('a key with an expiry', async (t) => {
  const { id, get, post, patch } = await newClient(gateway);

  t.test('works until it expires, and its refusal says why', async (t) => {
    const expiresAt = new Date(Date.now() + 1500).toISOString();
    const { status, json } = await post('/keys', { name: 'brief', expires_at: expiresAt });
    t.match({ status, json }, { status: 201, json: { expires_at: expiresAt } });
    const brief = clientOf(gateway, json.key);
    t.equal((await brief.get('/usage')).status, 200);
    await until(async () => (await brief.get('/usage')).status === 401);
    t.ok(Date.now() >= Date.parse(expiresAt), 'not before it expires');
    t.match(await brief.post('/qr', { data: 'x' }), {
      status: 401,
      json: { error: 'Missing or invalid API key', details: /^This API key has expired/ },
    });
    t.equal((await patch(`/keys/${json.id}`, { expires_at: null })).status, 200);
    t.equal((await brief.get('/usage')).status, 200, 'without an expiry it works again');
  });

  t.test('accepts a date, which means its start in UTC', async (t) => {
    const made = await post('/keys', { name: 'dated', expires_at: '2099-07-01' });
    t.equal(made.json.expires_at, '2099-07-01T00:00:00.000Z');
    t.match((await get('/keys')).json.data[0], { expires_at: '2099-07-01T00:00:00.000Z' });
    t.match((await admin('GET', `/accounts/${id}/keys`)).json.data[0], { id: made.json.id });
  });

  t.test('must expire in the future, at a valid time', async (t) => {
    const details = /^expires_at: /;
    for (const expiry of [
      '2020-01-01',
      inDays(-1),
      '9999-01-01',
      'tomorrow',
      '2099-02-30',
      4_000_000_000,
      '',
    ]) {
      const body = { name: 'x', expires_at: expiry };
      t.match(await post('/keys', body), { status: 400, json: { details } }, String(expiry));
      t.match(await admin('POST', `/accounts/${id}/keys`, body), { status: 400, json: { details } });
    }
  });

  t.test('limits the sessions that are started with it', async (t) => {
    const expiresAt = inDays(0.25);
    const { key } = (await post('/keys', { name: 'short', expires_at: expiresAt })).json;
    const signedIn = await call({
      ...{ method: 'POST', url: '/dashboard/session' },
      ...{ headers: SAME_ORIGIN, body: { key } },
    });
    t.equal(signedIn.json.expires_at, expiresAt);
  });

  t.test('cannot create or become a key that expires later', async (t) => {
    const expiresAt = inDays(1);
    const { json } = await post('/keys', { name: 'maker', expires_at: expiresAt });
    const maker = clientOf(gateway, json.key);
    t.equal((await maker.post('/keys', { name: 'heir' })).json.expires_at, expiresAt, 'it is inherited');
    const refused = { status: 400, json: { details: /^expires_at: must not be after \d{4}-/ } };
    for (const later of [inDays(2), null]) {
      t.match(await maker.post('/keys', { name: 'later', expires_at: later }), refused);
      t.match(await maker.patch(`/keys/${json.id}`, { expires_at: later }), refused, 'nor extend its own');
    }
    t.equal((await maker.post('/keys', { name: 'sooner', expires_at: inDays(0.5) })).status, 201);
  });
});

t.test('PATCH of a key', async (t) => {
  const { id, key, keyId, get, post, patch, del } = await newClient(gateway);

  t.test('changes what it names, and nothing else', async (t) => {
    const { json: made } = await post('/keys', {
      name: 'first',
      scopes: ['render'],
      rate_limit_per_second: 9,
    });
    const { key: _, ...before } = made;
    const path = `/keys/${made.id}`;
    const expiresAt = inDays(3);
    let expected = { ...before, usage_count: 0, made_count: 0, last_used_at: null };
    for (const change of [{ name: 'second' }, { rate_limit_per_second: null }, { expires_at: expiresAt }]) {
      const { status, json } = await patch(path, change);
      expected = { ...expected, ...change };
      t.strictSame({ status, json }, { status: 200, json: expected });
    }
    t.strictSame((await get('/keys')).json.data[0], expected);
    const changed = await admin('PATCH', path, { name: 'third', rate_limit_per_second: 2, expires_at: null });
    t.strictSame(changed.json, { ...expected, name: 'third', rate_limit_per_second: 2, expires_at: null });
  });

  t.test('applies to following requests', async (t) => {
    const { json } = await post('/keys', { name: 'slow' });
    const slow = clientOf(gateway, json.key);
    t.equal((await slow.get('/usage')).headers.ratelimit?.toString().includes('"key"'), false);
    await patch(`/keys/${json.id}`, { rate_limit_per_second: 1 });
    await until(async () => (await slow.get('/usage')).status === 429);
  });

  t.test('cannot raise a limit above that of the key that asks', async (t) => {
    const { json } = await post('/keys', { name: 'slow', rate_limit_per_second: 500 });
    const slow = clientOf(gateway, json.key);
    const details = /^rate_limit_per_second: must be at most 500/;
    for (const path of [`/keys/${json.id}`, `/keys/${keyId}`])
      for (const rate of [501, null])
        t.match(await slow.patch(path, { rate_limit_per_second: rate }), { status: 400, json: { details } });
    t.equal((await slow.patch(`/keys/${json.id}`, { rate_limit_per_second: 400 })).status, 200);
    t.equal((await slow.patch(`/keys/${keyId}`, { name: 'mine' })).status, 200);
  });

  t.test('refuses invalid changes, and keys that do not exist', async (t) => {
    for (const body of [
      {},
      { name: '' },
      { scopes: ['render'] },
      { rate_limit_per_second: 0 },
      { expires_at: '2020-01-01' },
    ]) {
      t.equal((await patch(`/keys/${keyId}`, body)).status, 400, JSON.stringify(body));
      t.equal((await admin('PATCH', `/keys/${keyId}`, body)).status, 400, JSON.stringify(body));
    }
    const theirs = await gateway.account();
    const { json: gone } = await post('/keys', { name: 'gone' });
    await del(`/keys/${gone.id}`);
    for (const other of [theirs.keyId, gone.id, RANDOM_ID])
      t.equal((await patch(`/keys/${other}`, { name: 'taken' })).status, 404);
    for (const other of [gone.id, RANDOM_ID])
      t.equal((await admin('PATCH', `/keys/${other}`, { name: 'taken' })).status, 404);
    t.match((await admin('GET', `/accounts/${theirs.id}/keys`)).json.data, [{ name: 'test' }]);
  });

  t.test('needs the scope manage, by key or session', async (t) => {
    const browser = withCookie(gateway, await signIn(gateway, key));
    t.match(await browser('PATCH', `/api/v1/keys/${keyId}`, { name: 'by cookie' }), {
      status: 200,
      json: { name: 'by cookie' },
    });
    const { json } = await admin('POST', `/accounts/${id}/keys`, { name: 'maker', scopes: ['generate'] });
    t.equal((await clientOf(gateway, json.key).patch(`/keys/${keyId}`, { name: 'x' })).status, 403);
  });
});

t.test('an Idempotency-Key is refused when a key is created, because its secret is not stored', async (t) => {
  const { get, post } = await newClient(gateway);
  t.match(await post('/keys', { name: 'once' }, { 'idempotency-key': 'once' }), {
    status: 400,
    json: { details: 'Idempotency-Key: is not supported by this call; send it without one' },
  });
  t.equal((await get('/keys')).json.data.length, 1);
});

t.test('a key with a quota of its own', async (t) => {
  const { id, keyId, get, post, patch, used } = await newClient(gateway, { monthlyQuota: 100, credits: 50 });
  const make = async (monthlyQuota: number, scopes = ['generate', 'render', 'manage']) =>
    (await post('/keys', { name: 'small', scopes, monthly_quota: monthlyQuota })).json;
  const usageOf = async (wanted: string): Promise<number | undefined> =>
    (await get('/keys')).json.data.find((row: { id: string }) => row.id === wanted)?.usage_count;

  t.test('gets its own units and no more, whatever its account has left', async (t) => {
    const made = await make(2);
    t.equal(made.monthly_quota, 2);
    const small = clientOf(gateway, made.key);
    t.match(await small.post('/qr', { data: 'one' }), { status: 200 });
    const before = await used();
    const refused = await small.bulk(['a', 'b']).catch((error: Error) => error.message);
    t.match(refused, /Quota exhausted.*needs 2 units and 1 are left of this key's own 2 a month/);
    t.equal(await used(), before, 'nothing was charged');
    t.match(await small.render({ content: 'two' }), { status: 200 });
    for (const content of ['two', 'three']) {
      const { status, text, headers } = await small.render({ content });
      t.match([status, text], [429, /this key's own 2 a month/], content);
      t.ok(Number(headers['retry-after']) > 0);
    }
    t.match((await post('/qr', { data: 'x' })).status, 200, 'the account continues');
    t.equal(await usageOf(made.id), 2);
    t.equal((await admin('GET', `/accounts/${id}/keys`)).json.data[0]?.usage_count, 2);
    t.equal((await patch(`/keys/${made.id}`, { monthly_quota: 3 })).status, 200);
    t.equal((await small.post('/qr', { data: 'more' })).status, 200, 'a change applies at once');
    t.equal((await small.post('/qr', { data: 'even more' })).status, 429);
  });

  t.test('gets back the units that the account gets back for items that fail', async (t) => {
    const made = await make(4);
    const small = clientOf(gateway, made.key);
    const { results } = await small.bulk(['ok', { data: 'no url', dynamic: true }, { data: '' }]);
    t.strictSame(
      results.map(({ success }) => success),
      [true, false, false],
    );
    await until(async () => (await usageOf(made.id)) === 1);
    t.equal((await small.post('/qr', { data: 'x'.repeat(4296) })).status, 400);
    t.equal((await small.bulk(['a', 'b', 'c'])).results.length, 3, 'all three are left');
    t.equal((await small.post('/qr', { data: 'x' })).status, 429);
    t.equal(await usageOf(made.id), 4);
  });

  t.test('refuses a batch that it cannot pay for', async (t) => {
    const small = clientOf(gateway, (await make(2)).key);
    const rows = ['a', 'b', 'c'].map((data) => `${JSON.stringify({ data })}\n`).join('');
    const headers = { 'content-type': 'application/x-ndjson' };
    t.match(await small.post('/batches', rows, headers), {
      status: 429,
      json: { details: /needs 3 units and 2 are left of the key's own quota: 1 are missing/ },
    });
  });

  t.test('may be a whole number from 0, or null, and at most that of the key that asks', async (t) => {
    const details = /^monthly_quota: /;
    for (const quota of [-1, 1.5, '5', 1e13])
      t.match(await post('/keys', { name: 'x', monthly_quota: quota }), { status: 400, json: { details } });
    const none = clientOf(gateway, (await make(0)).key);
    t.equal((await none.post('/qr', { data: 'x' })).status, 429);
    t.match((await none.post('/keys', { name: 'heir' })).json, { monthly_quota: 0 });
    for (const quota of [1, null]) {
      const body = { monthly_quota: quota };
      t.match(await none.post('/keys', { name: 'x', ...body }), { status: 400, json: { details } });
      t.match(await none.patch(`/keys/${keyId}`, body), { status: 400, json: { details } });
    }
  });
});

t.test('a key that another one made', async (t) => {
  /** A key of a new account that may only have two units a month. */
  const bounded = async (quota: number | null = 2) => {
    const owner = await newClient(gateway);
    const make = async (maker: Pick<typeof owner, 'post'>, wanted: object = {}) => {
      const { status, json } = await maker.post('/keys', { name: 'made', ...wanted });
      t.equal(status, 201);
      return { ...clientOf(gateway, json.key), id: json.id as string, json };
    };
    return { owner, make, maker: await make(owner, { monthly_quota: quota }) };
  };
  const draw = async (by: Pick<ReturnType<typeof clientOf>, 'post'>) =>
    (await by.post('/qr', { data: 'x' })).status;

  t.test('shares the monthly quota of its maker, and of those before', async (t) => {
    const { owner, make, maker } = await bounded();
    const child = await make(maker);
    t.match(child.json, { monthly_quota: 2, made_by: maker.id });
    const grandchild = await make(child, { monthly_quota: 1 });
    t.equal(await draw(grandchild), 200);
    t.match(await grandchild.post('/qr', { data: 'x' }), {
      status: 429,
      json: { details: /0 are left to this key, which shares the monthly quotas of the keys that made it/ },
    });
    t.equal(await draw(maker), 200);
    for (const key of [maker, child, await make(child)]) t.equal(await draw(key), 429);
    const url = `/api/v1/render?content=x&key=${child.json.key}`;
    t.equal((await call({ url })).status, 429);
    t.match(await child.post('/codes', { data: 'x' }), { status: 429 });
    const sandbox = await make(maker, { sandbox: true });
    t.equal(await draw(sandbox), 200, 'nothing is charged to a sandbox key');
    t.equal(await draw(owner), 200);
    t.equal((await owner.get('/usage')).json.usage_count, 3);
    const usedBy = async () => {
      const rows = (await owner.get('/keys')).json.data;
      return [maker, child, grandchild]
        .map(({ id }) => rows.find((row) => row.id === id)?.usage_count)
        .join();
    };
    await until(async () => (await usedBy()) === '2,1,1');
  });

  t.test('follows a later change of the bounds of its maker, and cannot change them itself', async (t) => {
    const { owner, make, maker } = await bounded(null);
    const child = await make(maker);
    t.equal(child.json.monthly_quota, null);
    t.equal(await draw(child), 200);
    t.equal((await owner.patch(`/keys/${maker.id}`, { monthly_quota: 1 })).status, 200);
    await until(async () => (await draw(child)) === 429);
    const refused = { status: 400, json: { details: /^monthly_quota: must be at most 1,/ } };
    for (const quota of [2, null]) {
      t.match(await child.patch(`/keys/${maker.id}`, { monthly_quota: quota }), refused);
      t.match(await child.post('/keys', { name: 'free', monthly_quota: quota }), refused);
    }
    t.equal((await owner.patch(`/keys/${maker.id}`, { monthly_quota: 100 })).status, 200);
    await until(async () => (await draw(child)) === 200);
  });

  t.test(
    'goes on when its maker is revoked, within the bounds that it had, or is revoked with it',
    async (t) => {
      const { owner, make, maker } = await bounded();
      const child = await make(maker);
      const unrelated = await make(owner);
      t.equal((await child.del(`/keys/${maker.id}`)).status, 204, 'the new key replaces the old one');
      await until(async () => (await draw(maker)) === 401);
      t.equal(await draw(child), 200);
      const grandchild = await make(child);
      t.equal(await draw(grandchild), 200);
      t.equal(await draw(grandchild), 429, 'a revoked key still bounds what it made');
      const madeBy = async () =>
        new Map((await owner.get('/keys')).json.data.map((row) => [row.id, row.made_count] as const));
      const counted = await madeBy();
      t.strictSame(
        [owner.keyId, maker.id, child.id, grandchild.id].map((id) => counted.get(id)),
        [3, undefined, 1, 0],
        'it counts those below a revoked key',
      );
      const withMade = await owner.del(`/keys/${child.id}?with_made=true`);
      t.equal(withMade.status, 204);
      for (const key of [child, grandchild]) await until(async () => (await draw(key)) === 401);
      t.equal((await madeBy()).get(owner.keyId), 1);
      t.equal(await draw(unrelated), 200);
      t.equal((await admin('DELETE', `/keys/${unrelated.id}?with_made=true`)).status, 204);
      t.equal((await owner.del(`/keys/${child.id}?with_made=perhaps`)).status, 400);
    },
  );

  t.test('can be replaced again and again, but no line of keys in use is longer than nine', async (t) => {
    for (const quota of [null, 5]) {
      const { owner, make, maker } = await bounded(quota);
      let last = maker;
      for (let times = 0; times < 12; times += 1) {
        const next = await make(last);
        t.equal((await owner.del(`/keys/${last.id}`)).status, 204);
        last = next;
      }
      if (quota !== null) for (let i = 0; i < quota; i += 1) t.equal(await draw(last), 200);
      t.equal(await draw(last), quota === null ? 200 : 429);
    }
    const { make, maker } = await bounded(null);
    let last = maker;
    for (let makers = 2; makers <= 8; makers += 1) last = await make(last);
    t.match(await last.post('/keys', { name: 'too many' }), {
      status: 409,
      json: { error: 'Limit reached', details: /^Your key is the last in a line of 9 keys/ },
    });
  });
});
