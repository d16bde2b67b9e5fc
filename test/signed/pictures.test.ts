/** Signed pictures over HTTP: their content, their cost, and which addresses are refused. */
import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { signPath } from '../../src/signed/address.ts';
import { sendBytes } from '../hostile/wire.ts';
import { until, WITHIN_A_SECOND } from '../servers/until.ts';
import { pictureOf, startApp, type TestApp } from '../support/app/app.ts';
import { clientOf, newClient, RANDOM_ID } from '../support/app/client.ts';
import { refusesAll } from '../support/app/refusals.ts';
import { realDatabaseUrl } from '../support/database/database.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { svgUri } from '../support/pictures/svg-uri.ts';

const DATABASE_URL = await realDatabaseUrl();
const first = await startApp(t, { DATABASE_URL });
const second = await startApp(t, { DATABASE_URL, RATE_LIMIT_PER_SECOND: '60' });
const { call } = first;

const newSecret = async ({ post }: Pick<Awaited<ReturnType<typeof newClient>>, 'post'>) => {
  const { status, json } = await post('/signing-secrets');
  if (status !== 201) throw new Error(`no secret was made: ${status}`);
  return { id: json.id, secret: json.secret };
};
const signer = async (wanted?: Parameters<typeof newClient>[1]) => {
  const owner = await newClient(first, wanted);
  const secret = await newSecret(owner);
  const sign = (parameters: object, format: 'png' | 'svg' = 'png') => signPath(secret, parameters, format);
  return { ...owner, secret, sign };
};
const show = (url: string, { call: ask }: Pick<TestApp, 'call'> = first) => ask({ url });

const DESIGNS = [
  { data: 'https://example.com/' },
  { data: 'Café 日本 \u0000', width: 500, height: 400, margin: 7 },
  {
    data: 'styled',
    shape: 'circle',
    dotsOptions: { type: 'rounded', gradient: { colorStops: [{ offset: 0, color: 'navy' }] } },
    cornersSquareOptions: { type: 'dot', color: 'rgb(10 20 30)' },
    backgroundOptions: { color: '#ffe', round: 0.2 },
    qrOptions: { errorCorrectionLevel: 'H', segments: 'optimal' },
  },
];

t.test('a signed picture has the same bytes as that of a single call', async (t) => {
  const { post, sign } = await signer();
  for (const design of DESIGNS) {
    const shown = await show(sign(design));
    t.equal(shown.status, 200, shown.text.slice(0, 200));
    t.equal(shown.headers['content-type'], 'image/png');
    const single = await post('/qr', design);
    t.ok(shown.bytes.equals(pictureOf(single)), design.data);
    t.equal(shown.headers['tessera-grade'], single.headers['tessera-grade']);
    const svg = await show(sign(design, 'svg'));
    t.equal(svg.headers['content-type'], 'image/svg+xml');
    const file = await post('/qr/file', design, { accept: 'image/svg+xml' });
    t.ok(svg.bytes.equals(file.bytes), `${design.data} as SVG`);
  }
});

t.test('the signing call returns an address that shows the picture', async (t) => {
  const { post, secret, used } = await signer();
  const body = { data: 'signed by the service', width: 200, dotsOptions: { color: 'navy' }, format: 'svg' };
  const { status, json } = await post('/signed-urls', body);
  t.equal(status, 200);
  t.equal(json.secret_id, secret.id);
  t.equal(json.expires_at, null);
  const { format: _, ...parameters } = body;
  t.equal(json.url, `http://qr.test${signPath(secret, parameters, 'svg')}`);
  t.equal(await used(), 0, 'signing costs nothing');
  t.equal((await show(new URL(json.url).pathname)).status, 200);
});

t.test('the signing call validates parameters as strictly as the picture itself', async (t) => {
  const { post } = await signer();
  const cases: [object, RegExp][] = [
    [{}, /^data: is required/],
    [{ data: '' }, /^data: /],
    [{ data: 'a', content: 'b' }, /^content: is not a known field/],
    [{ data: 'a', image: 'https://example.com/logo.png' }, /^image: is not a known field/],
    [{ data: 'a', width: 49 }, /^width: /],
    [{ data: 'a', dotsOptions: { color: 'nocolor' } }, /^dotsOptions\.color: /],
    [{ data: 'a', format: 'pdf' }, /^format: /],
    [{ data: 'a', expires: 1 }, /^expires: must be in the future/],
    [{ data: 'a', expires: 1.5 }, /^expires: /],
    [{ data: '\ud800' }, /^data: /],
    [{ data: 'é'.repeat(2000) }, /^data: /],
    [{ code: RANDOM_ID }, /^code: is not one of your codes/],
    [{ data: 'a', secret_id: RANDOM_ID }, /^secret_id: /],
  ];
  await refusesAll(t, (body) => post('/signed-urls', body), cases);
  const withoutSecret = await newClient(first);
  const answer = await withoutSecret.post('/signed-urls', { data: 'a' });
  t.match(answer, { status: 404, json: { details: /make one with POST/ } });
  const weak = await newClient(first, { scopes: ['generate', 'render'] });
  t.equal((await weak.post('/signed-urls', { data: 'a' })).status, 403);
});

t.test('signed but invalid parameters are a 400 that names the field', async (t) => {
  const { sign, used } = await signer();
  for (const [parameters, words] of [
    [{ data: 'a', width: 1 }, /width: must be at least 50/],
    [{ data: 'a', foo: 1 }, /foo: is not a known field/],
    [
      { data: 'x'.repeat(4000), qrOptions: { errorCorrectionLevel: 'H' } },
      /^Invalid path parameters: .*data: /,
    ],
    [{ width: 100 }, /data: is required, or else code/],
    [[], /parameters: must be a JSON object/],
    [JSON.parse('{"data":"a","__proto__":{"width":100}}'), /__proto__: is not a known field/],
  ] as const) {
    const answer = await show(sign(parameters));
    t.equal(answer.status, 400);
    t.match(answer.text, words);
    t.equal(answer.headers['cache-control'], 'no-store');
  }
  t.equal(await used(), 0);
});

t.test('a picture costs one unit, however often two gateways show it', async (t) => {
  const { sign, used } = await signer();
  const url = sign({ data: 'once' });
  for (const gateway of [first, second, first, second]) t.equal((await show(url, gateway)).status, 200);
  t.equal(await used(), 1);
  t.equal((await show(sign({ data: 'once' }, 'svg'))).status, 200);
  t.equal(await used(), 2, 'another format costs another unit');
  const expires = Math.floor(Date.now() / 1000) + 1000;
  t.equal((await show(sign({ data: 'once', expires }))).status, 200);
  t.equal(await used(), 2, 'another address of the same picture costs nothing');
});

t.test('a hundred simultaneous first visits on two gateways cost one unit', async (t) => {
  const { sign, used } = await signer();
  const url = sign({ data: 'a rush' });
  const visits = Array.from({ length: 100 }, (_, i) => show(url, i % 2 === 0 ? first : second));
  for (const { status } of await Promise.all(visits)) t.equal(status, 200);
  t.equal(await used(), 1);
});

t.test('without units, paid pictures are shown and others are not', async (t) => {
  const { sign, used } = await signer({ monthlyQuota: 1 });
  t.equal((await show(sign({ data: 'paid' }))).status, 200);
  const refused = await show(sign({ data: 'not paid' }));
  t.match(refused, { status: 429, text: /^Quota exhausted: No units are left this month to pay/ });
  t.notOk('ratelimit' in refused.headers, 'visitors do not learn how many units an account has');
  t.equal(refused.headers['cache-control'], 'no-store');
  for (const gateway of [first, second]) t.equal((await show(sign({ data: 'paid' }), gateway)).status, 200);
  t.equal(await used(), 1);
});

t.test('a saved code is shown by its id until it is deleted', async (t) => {
  const { bulk, del, get, sign, used } = await signer();
  const item = { data: 'https://example.com/', dynamic: true, dotsOptions: { color: 'navy' } };
  const { codes, results } = await bulk([item]);
  const { id } = codes[0]!;
  const shown = await show(sign({ code: id }));
  t.equal(shown.status, 200);
  t.equal(`data:image/png;base64,${shown.bytes.toString('base64')}`, results[0]!.data);
  t.equal(shown.headers['cache-control'], 'public, max-age=86400');
  t.equal(await used(), 2, 'one unit for the code, and one for showing it this month');
  const wide = await show(sign({ code: id, width: 600 }));
  const drawn = await get(`/codes/${id}/image?width=600`);
  t.ok(wide.bytes.equals(drawn.bytes));

  const stranger = await signer();
  t.equal((await show(stranger.sign({ code: id }))).status, 404, 'the same answer as for an unknown code');
  t.equal((await del(`/codes/${id}`)).status, 204);
  t.equal((await show(sign({ code: id }))).status, 404);
});

t.test('parameters override a preset, and a changed preset gives another picture', async (t) => {
  const { del, patch, post, sign, used } = await signer();
  const image = svgUri(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>',
  );
  const options = { ...DESIGNS[2]!, image };
  const { data: _, ...saved } = options;
  const { id } = (await post('/presets', { name: 'Haus', options: saved })).json;
  const own = { data: 'signed', dotsOptions: { color: 'red' } };
  const headers = { 'tessera-preset': id };
  const file = { ...headers, accept: 'image/svg+xml' };
  for (const preset of [id, 'Haus']) {
    const shown = await show(sign({ ...own, preset }));
    const single = await post('/qr', own, headers);
    t.ok(shown.bytes.equals(pictureOf(single)), preset);
    t.equal(shown.headers['cache-control'], 'public, max-age=86400');
    const drawn = await show(sign({ ...own, preset }, 'svg'));
    const made = await post('/qr/file', own, file);
    t.ok(drawn.bytes.equals(made.bytes), 'the logo keeps its paths');
  }
  const before = await used();
  const url = sign({ ...own, preset: id });
  const { etag } = (await show(url)).headers;
  await patch(`/presets/${id}`, { options: { width: 120, height: 120 } });
  const changed = await show(url);
  t.equal(changed.bytes.readUInt32BE(16), 120);
  t.not(changed.headers.etag, etag);
  t.equal(await used(), before + 1, 'the changed picture costs a unit');
  await del(`/presets/${id}`);
  t.equal((await show(url)).status, 404);
  const sign400 = (wrong: object) => post('/signed-urls', wrong);
  t.match((await sign400({ data: 'a', preset: id })).json.details, /^preset: must be/);
  t.match((await sign400({ code: id, preset: id })).json.details, /^preset: must not be sent together/);
});

t.test('browsers and shared caches may cache a picture until its address expires', async (t) => {
  const { sign, used } = await signer();
  const url = sign({ data: 'kept' });
  const { headers } = await show(url);
  t.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  t.equal(headers['access-control-allow-origin'], '*');
  t.equal(headers['cross-origin-resource-policy'], 'cross-origin');
  t.match(headers.etag, /^"[\w-]{27}"$/);
  const again = await call({ url, headers: { 'if-none-match': String(headers.etag) } });
  t.match(again, { status: 304, text: '' });
  t.equal(again.headers.etag, headers.etag);

  const expires = Math.floor(Date.now() / 1000) + 500;
  const soon = await show(sign({ data: 'kept', expires }));
  const [, maxAgeS] = /^public, max-age=(\d+), immutable$/.exec(String(soon.headers['cache-control']))!;
  t.ok(Number(maxAgeS) <= 500 && Number(maxAgeS) > 400, `${maxAgeS} s`);

  const head = await call({ method: 'HEAD', url: sign({ data: 'never drawn' }) });
  t.match(head, { status: 200, headers: { etag: /^"/ } });
  const any = { 'if-none-match': '*' };
  t.equal((await call({ url: sign({ data: 'never drawn either' }), headers: any })).status, 304);
  t.equal(await used(), 1, 'a HEAD and a 304 cost nothing');
});

t.test('all invalid addresses get the same answer', async (t) => {
  const { sign, secret, used } = await signer();
  const other = await signer();
  const url = sign({ data: 'a' });
  const [, , signature, picture] = url.split('/') as [string, string, string, string];
  const shown = await show(url);
  t.equal(shown.status, 200);
  const past = Math.floor(Date.now() / 1000) - 1;
  const wrong = [
    sign({ data: 'a', expires: past }),
    sign({ data: 'a', expires: 0 }),
    signPath({ ...secret, secret: other.secret.secret }, { data: 'a' }, 'png'),
    signPath({ ...secret, id: other.secret.id }, { data: 'a' }, 'png'),
    signPath({ ...secret, id: '00000000-0000-4000-8000-000000000000' }, { data: 'a' }, 'png'),
    `/i/${signature}/${picture.replace('.png', '.svg')}`,
    `/i/${signature.toLowerCase()}/${picture}`,
    `/i/x/${picture}`,
    `/i/${signature}/a.png`,
    `${url}?width=2000`,
    url.replace('.png', '%2Epng'),
    url.replace(picture[40]!, `%${picture.charCodeAt(40).toString(16)}`),
    `/i/${signature}/${'a'.repeat(7000)}.png`,
    `/i/${signature}/%E4%B8%AD%F0%9F%98%80.png`,
    `/i/${signature}/${picture}%00`,
    `/i/${signature}/%2500`,
    `/i/${signature}/..%2f..%2fetc`,
    `/i/${signature}/__proto__`,
  ];
  const answers = await Promise.all(wrong.map((address) => show(address)));
  const headers = { 'cache-control': 'no-store', 'access-control-allow-origin': '*' };
  for (const [index, answer] of answers.entries())
    t.match(answer, { status: 403, text: answers[0]!.text, headers }, wrong[index]!.slice(0, 200));
  const elsewhere = [`${signature}/${'a'.repeat(10_000)}.png`, `${signature}/%ff`, '', 'a', 'a/b/c'];
  for (const path of elsewhere) t.equal((await show(`/i/${path}`)).status, 404, path.slice(0, 80));
  t.equal(await used(), 1);
});

// Node's `fetch` and `inject` drop an empty query, so it is sent over a socket.
t.test('an address with an empty query is refused', async (t) => {
  const { sign } = await signer();
  const url = sign({ data: 'a' });
  await first.app.gateway.listen({ host: '127.0.0.1', port: 0 });
  const to = first.app.gateway.server.address() as AddressInfo;
  const ask = (path: string) =>
    sendBytes(
      { host: to.address, port: to.port },
      Buffer.from(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      true,
    );
  t.equal((await ask(url)).status, 200);
  for (const tail of ['?', '??', '?=', '#', ';']) t.equal((await ask(url + tail)).status, 403, tail);
});

t.test('an account can have two secrets at a time, so that one can replace the other', async (t) => {
  const owner = await signer();
  const { del, get, post, secret: old, sign } = owner;
  const before = sign({ data: 'rotated' });
  const fresh = await newSecret(owner);
  t.match(fresh.secret, /^tss_[0-9a-f]{64}$/);
  t.equal((await post('/signing-secrets')).status, 409);
  const { json, text } = await get('/signing-secrets');
  t.strictSame(fieldsOf(json.data, 'id'), [fresh.id, old.id]);
  t.notMatch(text, /tss_/, 'no secret is shown twice');
  const body = { data: 'rotated' };
  const signed = await post('/signed-urls', body);
  t.equal(signed.json.secret_id, fresh.id, 'the newest secret signs');
  const after = signPath(fresh, body, 'png');
  for (const gateway of [first, second]) {
    for (const url of [before, after]) t.equal((await show(url, gateway)).status, 200);
  }
  const remove = () => del(`/signing-secrets/${old.id}`);
  t.equal((await remove()).status, 204);
  t.equal((await remove()).status, 404);
  // Each gateway is notified of a deletion within a second.
  for (const gateway of [first, second]) {
    let status = 0;
    await until(async () => {
      status = (await show(before, gateway)).status;
      return status !== 200;
    }, WITHIN_A_SECOND);
    t.equal(status, 403);
  }
  for (const gateway of [first, second]) t.equal((await show(after, gateway)).status, 200);
});

t.test('a secret has the bounds of the key that made it, and ends with that key', async (t) => {
  const owner = await signer();
  const { del, get, patch, post, used } = owner;
  const newKey = async () => {
    const { json } = await post('/keys', { name: 'maker', monthly_quota: 2 });
    return { ...clientOf(first, json.key), id: json.id };
  };
  const maker = await newKey();
  const secret = await newSecret(maker);
  const url = (data: string) => signPath(secret, { data }, 'png');
  t.equal((await show(url('one'))).status, 200);
  t.equal((await maker.post('/qr', { data: 'x' })).status, 200);
  t.match(await show(url('two')), { status: 429, text: /^Quota exhausted: / });
  t.equal((await show(url('one'))).status, 200, 'what is paid is still shown');
  t.equal(await used(), 2);

  const sign = (by: Pick<typeof owner, 'post'>, body = {}) => by.post('/signed-urls', { data: 'a', ...body });
  const other = await newKey();
  const details = /^Your key cannot sign with this secret/;
  for (const body of [{}, { secret_id: secret.id }])
    t.match(await sign(other, body), { status: 404, json: { details } });
  t.equal((await sign(maker)).json.secret_id, secret.id);
  const byOwner = await sign(owner, { secret_id: secret.id });
  t.equal(byOwner.status, 200, 'a key without limits signs with all secrets');

  const listed = async () => (await get('/signing-secrets')).json.data;
  t.match((await listed())[0], { id: secret.id, key_id: maker.id, expires_at: null });
  const refused = (gateway: TestApp) =>
    until(async () => (await show(url('one'), gateway)).status === 403, WITHIN_A_SECOND);
  t.equal((await show(url('one'), second)).status, 200);
  await patch(`/keys/${maker.id}`, { expires_at: new Date(Date.now() + 3000).toISOString() });
  await until(async () => (await show(url('one'))).status === 403);
  await patch(`/keys/${maker.id}`, { expires_at: null });
  for (const gateway of [first, second])
    await until(async () => (await show(url('one'), gateway)).status === 200, WITHIN_A_SECOND);
  t.equal((await del(`/keys/${maker.id}`)).status, 204);
  for (const gateway of [first, second]) await refused(gateway);
  t.equal((await listed()).length, 1, 'the account can make another one');
});

t.test('the pictures of a secret count against the rate limit of the key that made it', async (t) => {
  const { post } = await signer();
  const { json: slow } = await post('/keys', { name: 'slow', rate_limit_per_second: 3 });
  const path = signPath(await newSecret(clientOf(first, slow.key)), { data: 'slow' }, 'png');
  const asked = await Promise.all(Array.from({ length: 12 }, () => show(path)));
  const refused = asked.filter(({ status }) => status === 429);
  t.ok(refused.length >= 6, `${refused.length} of 12 were refused`);
  t.match(refused[0]?.text, /This key may send 3 requests a second/);
});

t.test('the secrets of another account can be neither seen nor deleted', async (t) => {
  const { secret, sign } = await signer();
  const stranger = await signer();
  const list = await stranger.get('/signing-secrets');
  t.strictSame(fieldsOf(list.json.data, 'id'), [stranger.secret.id]);
  t.equal((await stranger.del(`/signing-secrets/${secret.id}`)).status, 404);
  t.equal((await stranger.post('/signed-urls', { data: 'a', secret_id: secret.id })).status, 400);
  t.equal((await show(sign({ data: 'a' }))).status, 200);
});

t.test('pictures have a rate limit separate from that of calls', async (t) => {
  const { key, sign } = await signer();
  const url = sign({ data: 'limited' });
  const asked = await Promise.all(Array.from({ length: 150 }, () => show(url, second)));
  const refused = asked.filter(({ status }) => status === 429);
  t.ok(refused.length >= 25, `${refused.length} of 150 were refused`);
  t.match(refused[0]?.text, /signed pictures of this account/);
  t.ok(Number(refused[0]?.headers['retry-after']) >= 1);
  t.equal((await second.call({ url: '/api/v1/signing-secrets', key })).status, 200);
});

t.test('a signed picture is use of the key that made the secret, as an image call', async (t) => {
  const { get, keyId, sign } = await signer();
  const shown = await show(sign({ data: 'counted' }));
  t.equal(shown.status, 200, shown.text.slice(0, 200));
  const byKey = await get('/usage/history?group=key');
  t.match(byKey.json.data, [{ key: { id: keyId, name: 'test' }, units: 1 }]);
  const byKind = await get('/usage/history?group=kind');
  t.match(byKind.json.data, [{ kind: 'image', units: 1 }]);
});

t.test('an address made by hand with HMAC-SHA256 shows its picture', async (t) => {
  const { secret } = await signer();
  const p = `${secret.id}.${Buffer.from(JSON.stringify({ data: 'Hi' })).toString('base64url')}.png`;
  const url = `/i/${createHmac('sha256', secret.secret).update(p).digest('base64url')}/${p}`;
  t.equal((await show(url)).status, 200);
});

// Last, because afterwards the tests' IP address has no guesses left, and a secret that is not cached is one.
t.test('a client that guesses secrets is rate-limited, but not for known secrets', async (t) => {
  const { sign } = await signer();
  t.equal((await show(sign({ data: 'known' }))).status, 200);
  const guess = (n: number) => {
    const id = `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`;
    return show(signPath({ id, secret: 'x'.repeat(40) }, { data: 'a' }, 'png'));
  };
  const statuses = [];
  for (let n = 0; n < 60; n += 1) statuses.push((await guess(n)).status);
  t.ok(statuses.slice(0, 15).every((status) => status === 403));
  t.ok(statuses.includes(429));
  // A machine that stands still for a second makes the gateway forget what it knows, so it is told again.
  let n = 60;
  await until(async () => {
    const guessed: number[] = [];
    for (const end = n + 30; n < end; n += 1) guessed.push((await guess(n)).status);
    const known = await show(sign({ data: 'known' }));
    return guessed.includes(429) && known.status === 200;
  });
});
