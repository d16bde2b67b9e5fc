/** Limits that hold for an account as a whole, whatever number of keys and sessions it has. */
import t from 'tap';
import { startApp, type TestApp } from '../support/app.ts';
import { realDatabaseUrl } from '../support/database.ts';
import { signIn, withCookie } from '../support/session.ts';

const gateway = await startApp(t, { KEYS_PER_ACCOUNT_MAX: '6' });
const { account, admin, call } = gateway;

/** Makes a key with a key, by header. */
const mintBy =
  ({ call }: Pick<TestApp, 'call'>, key: string) =>
  (body: object) =>
    call({ method: 'POST', url: '/api/v1/keys', key, body: { name: 'minted', ...body } });

t.test('a key makes no key that may do more than it', async (t) => {
  const { id, key } = await account({ scopes: ['manage', 'render'] });

  const refuses = async (mint: ReturnType<typeof mintBy>) => {
    const { status, json } = await mint({ scopes: ['render', 'generate'] });
    t.equal(status, 403);
    t.match(json, { error: 'API key lacks a scope', details: /^scopes: .*"generate"/ });
    t.notMatch(json.details, /"render"/);
    const granted = await mint({ scopes: ['render'] });
    t.strictSame([granted.status, granted.json.scopes], [201, ['render']]);
    const byDefault = await mint({});
    t.strictSame([...byDefault.json.scopes].sort(), ['manage', 'render'], 'by default what it has itself');
    for (const made of [granted, byDefault]) await admin('DELETE', `/keys/${made.json.id}`);
  };

  t.test('by its header', async () => refuses(mintBy(gateway, key)));

  t.test('nor by a session of the dashboard', async () => {
    const browser = withCookie(gateway, await signIn(gateway, key));
    await refuses((body) => browser('POST', '/api/v1/keys', { name: 'minted', ...body }));
  });

  t.test('one that has all scopes makes such keys, as the operator does', async (t) => {
    const whole = await admin('POST', `/accounts/${id}/keys`, { name: 'whole' });
    t.equal(whole.json.scopes.length, 3);
    const { json } = await mintBy(gateway, whole.json.key)({});
    t.strictSame(json.scopes, ['generate', 'render', 'manage']);
  });

  t.test('within its own rate limit', async (t) => {
    const slow = await admin('POST', `/accounts/${id}/keys`, { name: 'slow', rateLimitPerSecond: 5 });
    const mint = mintBy(gateway, slow.json.key);
    const refused = await mint({ rateLimitPerSecond: 6 });
    t.equal(refused.status, 400);
    t.match(refused.json.details, /^rateLimitPerSecond: must be at most 5/);
    const made = await mint({});
    t.strictSame([made.status, made.json.rate_limit_per_second], [201, 5], 'also by default');
    const revoke = await admin('DELETE', `/keys/${made.json.id}`);
    t.equal(revoke.status, 204);
    t.equal((await mint({ rateLimitPerSecond: 4 })).json.rate_limit_per_second, 4);
  });
});

t.test('a rate limit of a key is a whole number from 1, and shown in the lists of keys', async (t) => {
  const { id, key } = await account();
  const mint = mintBy(gateway, key);
  for (const rateLimitPerSecond of [0, -1, 1.5, '5', null, 1e12]) {
    t.equal((await mint({ rateLimitPerSecond })).status, 400, String(rateLimitPerSecond));
  }
  await mint({ rateLimitPerSecond: 9 });
  const lists = [await call({ url: '/api/v1/keys', key }), await admin('GET', `/accounts/${id}/keys`)];
  for (const { json } of lists) {
    t.strictSame(
      json.data.map((row: { rate_limit_per_second: unknown }) => row.rate_limit_per_second),
      [9, null],
    );
  }
});

t.test('a key with a rate limit of its own has it also where accounts have none', async (t) => {
  const { key } = await account();
  const slow = (await mintBy(gateway, key)({ rateLimitPerSecond: 3 })).json.key;
  const ask = (with_: string) => call({ url: '/api/v1/usage', key: with_ });
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask(slow)));
  const refused = answers.filter(({ status }) => status === 429);
  t.ok(refused.length > 0);
  t.match(refused[0]!.json.details, /^This key may send 3 requests a second/);
  const free = await Promise.all(Array.from({ length: 60 }, () => ask(key)));
  t.ok(free.every(({ status }) => status === 200));
});

t.test('over two gateways', async (t) => {
  const env = { DATABASE_URL: await realDatabaseUrl(), KEYS_PER_ACCOUNT_MAX: '6' };
  const gateways = [await startApp(t, env), await startApp(t, env)];
  const { id, key } = await gateways[0]!.account();
  for (const { call } of gateways) t.equal((await call({ url: '/api/v1/usage', key })).status, 200);

  t.test(
    'an account has so many keys in force and no more, also when they are asked for at once',
    async (t) => {
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, i) =>
          i % 3 === 0
            ? gateways[i % 2]!.admin('POST', `/accounts/${id}/keys`, { name: 'x' })
            : mintBy(gateways[i % 2]!, key)({}),
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
      await gateways[0]!.admin('DELETE', `/keys/${made.id}`);
      t.equal((await mintBy(gateways[1]!, key)({})).status, 201, 'one that was revoked makes room');
      t.equal((await gateways[0]!.account()).key.length, 42, 'another account has its own');
    },
  );

  t.test('a key has so many sessions and no more, also when people sign in at once', async (t) => {
    const signedIn = await Promise.all(Array.from({ length: 40 }, (_, i) => signIn(gateways[i % 2]!, key)));
    const states = [];
    for (const [i, cookie] of signedIn.entries()) {
      const browser = withCookie(gateways[i % 2]!, cookie);
      states.push((await browser('GET', '/dashboard/session')).status);
    }
    t.equal(states.filter((status) => status === 200).length, 20);
  });
});
