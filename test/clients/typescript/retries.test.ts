/** Which failures are retried, after which pause, and what all tries have in common. */
import fc from 'fast-check';
import t from 'tap';
import { createClient, TesseraError } from '../../../clients/typescript/src/index.ts';
import { secondsIn } from '../../../clients/typescript/src/refusal.ts';
import { pauseBefore } from '../../../clients/typescript/src/retries.ts';
import { freePort } from '../../servers/server-process.ts';

const PATIENCE = { retries: 8, maxPauseMs: 60_000, giveUpMs: 600_000 };

/** A service that gives the answers of a test one after the other. */
const serviceOf = (...answers: (() => Response | Promise<Response>)[]) => {
  const asked: Headers[] = [];
  const service: typeof fetch = async (_, init) => {
    asked.push(new Headers(init?.headers));
    init?.signal?.throwIfAborted();
    return answers[Math.min(asked.length, answers.length) - 1]!();
  };
  const client = createClient({ url: 'http://qr.test', key: 'k', fetch: service, maxPauseMs: 1000 });
  return { client, asked };
};

const json = (status: number, body: object, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers: { 'x-request-id': 'r', ...headers } });
const cut = (): never => {
  throw new TypeError('fetch failed');
};
const away = () => json(503, { error: 'Service unavailable', details: 'Try again.' });
const made = () => json(200, { data: 'x' });
const BODY = { body: { data: 'x' } };

t.test('a paid call is retried with the same Idempotency-Key, and the next call has a new one', async (t) => {
  const { client, asked } = serviceOf(cut, away, made);
  await client.createCode(BODY);
  await client.createCode(BODY);
  const keys = asked.map((headers) => headers.get('idempotency-key'));
  t.equal(keys.length, 4);
  t.match(keys[0], /^[0-9a-f-]{36}$/);
  t.strictSame(keys.slice(0, 3), [keys[0], keys[0], keys[0]]);
  t.not(keys[3], keys[0]);
});

t.test('answers of an edge are waited for, by seconds or a date, as are answers that were cut', async (t) => {
  const edge = (status: number, headers = {}) => new Response('<h1>No</h1>', { status, headers });
  const inASecond = new Date(Date.now() + 500).toUTCString();
  const cutJson = () =>
    new Response('{"data":"x', { status: 200, headers: { 'content-type': 'application/json' } });
  const failures = [
    () => edge(429, { 'retry-after': '0' }),
    () => edge(429, { 'retry-after': inASecond }),
    () => edge(502),
    () => edge(503),
    cutJson,
  ];
  const { client, asked } = serviceOf(...failures, made);
  await client.updateLink({ path: { slug: 'a' }, body: { destination: 'https://example.com/' } });
  t.equal(asked.length, 6);
  t.equal(new Set(asked.map((headers) => headers.get('idempotency-key'))).size, 1, 'all with one key');
  t.equal(secondsIn('Fri, 27 Nov 2026 21:00:30 GMT', Date.UTC(2026, 10, 27, 21, 0, 0)), 30);
  t.strictSame([secondsIn('7', 0), secondsIn('soon', 0), secondsIn(null, 0)], [7, null, null]);

  const once = serviceOf(() => edge(429), made);
  await once.client.createKey({ body: { name: 'A key' } });
  t.equal(once.asked.length, 2, 'a bare 429 was not passed on, so a call without a key is repeated, too');
  const page = serviceOf(() => new Response('<h1>Hello</h1>', { status: 200 }));
  await t.rejects(page.client.getUsage(), { code: 'unknown', status: 200 });
  t.equal(page.asked.length, 1, 'another server is not asked again');
});

t.test(
  'a file that was paid for is read at once, so one that was cut is drawn again for nothing',
  async (t) => {
    const half = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            controller.enqueue(Buffer.from('half'));
            controller.error(new TypeError('terminated'));
          },
        }),
      );
    const { client, asked } = serviceOf(half, () => new Response('whole'));
    const { data, response } = await client.createFile(BODY);
    t.equal(await new Response(data).text(), 'whole');
    t.equal(response.status, 200);
    t.equal(asked.length, 2);
  },
);

t.test('an error says whether the call was sent, and under which Idempotency-Key', async (t) => {
  const { client } = serviceOf(cut);
  const headers = { 'idempotency-key': 'mine' };
  await t.rejects(client.createCode({ ...BODY, headers }, { retries: 0 }), {
    code: 'unreachable',
    wasSent: true,
    idempotencyKey: 'mine',
  });
  await t.rejects(serviceOf(away).client.getUsage({}, { retries: 0 }), {
    code: 'unavailable',
    wasSent: true,
    idempotencyKey: null,
  });
  const nobody = createClient({ url: `http://127.0.0.1:${await freePort()}`, retries: 1 });
  const body = { name: 'A key' };
  await t.rejects(nobody.createKey({ body }), { code: 'unreachable', wasSent: false, idempotencyKey: null });
});

t.test('a call is given up when its time is over', async (t) => {
  const { client, asked } = serviceOf(cut);
  const patient = createClient({
    ...{ url: 'http://qr.test', giveUpMs: 100 },
    fetch: () => Promise.reject(new TypeError('fetch failed')),
  });
  await t.rejects(patient.getUsage(), { code: 'unreachable' });
  await t.rejects(client.getUsage({}, { retries: 1 }), { code: 'unreachable' });
  t.equal(asked.length, 2);
});

t.test('an Idempotency-Key of the caller is kept', async (t) => {
  const { client, asked } = serviceOf(cut, made);
  await client.createCode({ ...BODY, headers: { 'idempotency-key': 'mine' } });
  t.strictSame(
    asked.map((headers) => headers.get('idempotency-key')),
    ['mine', 'mine'],
  );
});

t.test('a call that is not repeatable is not retried when its outcome is unknown', async (t) => {
  const body = { name: 'A key' };
  for (const answer of [cut, away]) {
    const { client, asked } = serviceOf(answer, made);
    await t.rejects(client.createKey({ body }), TesseraError);
    t.equal(asked.length, 1);
    t.equal(
      asked[0]!.get('idempotency-key'),
      null,
      'it has no Idempotency-Key, which the service would refuse',
    );
  }
  const limited = () => json(429, { error: 'Rate limit exceeded', details: '' }, { 'retry-after': '0' });
  const { client, asked } = serviceOf(limited, made);
  await client.createKey({ body });
  t.equal(asked.length, 2, 'a call that was refused before it had any effect is retried');
});

t.test('a call with a stream is sent once, and fails with the error of the service', async (t) => {
  const limited = () => json(429, { error: 'Rate limit exceeded', details: 'Wait.' }, { 'retry-after': '0' });
  const { client, asked } = serviceOf(limited, made);
  const rows = (function* () {
    yield { data: 'a' };
  })();
  await t.rejects(client.makeBatch({ rows }).next(), { code: 'rate_limited' });
  t.equal(asked.length, 1);
});

t.test('a retried deletion counts as successful when the service answers 404', async (t) => {
  const gone = () => json(404, { error: 'Not found', details: 'There is no such key.' });
  const lost = () => new Response('<h1>Gateway timeout</h1>', { status: 504 });
  for (const answer of [cut, lost]) {
    const { client } = serviceOf(answer, gone);
    t.equal((await client.revokeKey({ path: { id: 'a' } })).response.status, 204);
  }
  const first = serviceOf(gone);
  await t.rejects(first.client.revokeKey({ path: { id: 'a' } }), { code: 'not_found' });
});

t.test('an error has the details of the service, and permanent errors are not retried', async (t) => {
  const faults = [{ field: 'a', message: 'is wrong' }];
  const refused = () => json(400, { error: 'Invalid request body', details: 'a: is wrong', faults });
  const { client, asked } = serviceOf(refused);
  await t.rejects(client.createCode(BODY), {
    name: 'TesseraError',
    code: 'invalid_body',
    status: 400,
    error: 'Invalid request body',
    details: 'a: is wrong',
    faults,
    requestId: 'r',
  });
  t.equal(asked.length, 1);
  const exhausted = () => json(429, { error: 'Quota exhausted', details: '' }, { 'retry-after': '1' });
  const poor = serviceOf(exhausted);
  await t.rejects(poor.client.createCode(BODY), { code: 'quota_exhausted', retryAfterS: 1 });
  t.equal(poor.asked.length, 1);
  const text = () => new Response('Invalid query parameters: width: must be at least 50\n', { status: 400 });
  await t.rejects(serviceOf(text).client.renderCode({ query: { content: '1' } }), {
    code: 'invalid_query',
    details: 'width: must be at least 50',
  });
  const proxy = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  await t.rejects(serviceOf(proxy).client.getUsage({}, { retries: 1 }), { code: 'unknown', status: 502 });
});

t.test('a try ends after its timeout, and a call ends when its caller aborts', async (t) => {
  const never: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  const client = createClient({ url: 'http://qr.test', fetch: never });
  await t.rejects(client.getUsage({}, { timeoutMs: 5, retries: 1 }), { code: 'timeout', status: 0 });
  const reason = new Error('enough');
  const controller = new AbortController();
  const call = client.getUsage({}, { signal: controller.signal });
  controller.abort(reason);
  await t.rejects(call, reason);
  await t.rejects(client.getUsage({}, { signal: AbortSignal.abort(reason) }), reason);
  const waiting = new AbortController();
  const { client: retrying } = serviceOf(away);
  const paused = retrying.getUsage({}, { signal: waiting.signal, retries: 100 });
  setTimeout(() => waiting.abort(reason), 20);
  await t.rejects(paused, reason, 'also during a pause');
});

t.test('all pages are read, each only when it is needed', async (t) => {
  const page = (ids: string[], next: string | null) => () =>
    json(200, { data: ids.map((id) => ({ id })), next_cursor: next });
  const pages = [page(['a', 'b'], 'n'), page([], 'm'), page(['c'], null)];
  const { client, asked } = serviceOf(...pages);
  const ids: string[] = [];
  for await (const { id } of client.each.listFolders({ query: { limit: 2 } })) {
    ids.push(id);
    t.equal(asked.length, ids.length === 3 ? 3 : 1);
  }
  t.strictSame(ids, ['a', 'b', 'c']);
});

t.test('pauses double, stay within their bounds, and are never shorter than the service asks', async () => {
  const failures = fc.constantFrom(
    'unreachable',
    'timeout',
    'rate_limited',
    'overloaded',
  ) as fc.Arbitrary<'timeout'>;
  fc.assert(
    fc.property(
      failures,
      fc.nat(12),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.option(fc.nat(100)),
      (code, before, random, retryAfterS) => {
        const failure = new TesseraError(code, { retryAfterS });
        const tries = before + 1;
        const pauseMs = pauseBefore(failure, { tries, spentMs: 0, isRepeatable: true, random }, PATIENCE);
        if (tries > PATIENCE.retries || (retryAfterS ?? 0) > 60) return pauseMs === null;
        const askedMs = (retryAfterS ?? 0) * 1000;
        const backoffMs = Math.min(250 * 2 ** before, 8000);
        const leastMs = askedMs > 0 ? askedMs : backoffMs / 2;
        return pauseMs !== null && pauseMs >= leastMs && pauseMs <= Math.min(askedMs + backoffMs, 60_000);
      },
    ),
  );
});
