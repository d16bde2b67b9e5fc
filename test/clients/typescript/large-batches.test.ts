/** Uploads in chunks, parts as they are made, and downloads that break, against a service that a test makes up. */
import { createHash } from 'node:crypto';
import t from 'tap';
import { createClient, TesseraError } from '../../../clients/typescript/src/index.ts';

const CHUNK = 4 * 1024 * 1024;
const BYTES = Buffer.alloc(2 * CHUNK + 5, 'tessera ');
const rows = {
  bytes: BYTES.length,
  read: async (from: number, to: number) => new Uint8Array(BYTES.subarray(from, to)),
};
const BATCH = { id: 'b', state: 'done' };

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

type Answer = (asked: Asked) => Response;

const clientOf = (answer: Answer) => {
  const asked: Asked[] = [];
  const service: typeof fetch = async (url, init) => {
    const body = new Uint8Array(await new Response(init?.body ?? null).arrayBuffer());
    const { pathname } = new URL(String(url));
    const path = pathname.replace('/api/v1/', '');
    asked.push({ method: init?.method ?? '', path, headers: new Headers(init?.headers), body });
    return answer(asked.at(-1)!);
  };
  return { client: createClient({ url: 'http://qr.test', key: 'k', fetch: service }), asked };
};

const refusal = (status: number, error: string) =>
  Response.json({ error, details: '' }, { status, headers: { 'retry-after': '0' } });
const noContent = (headers: Record<string, string>) => new Response(null, { status: 204, headers });

/** A service that stores chunks. @param oddly What it does to a request instead, if anything. */
const uploadsOf = (oddly: (asked: Asked, store: () => void) => Response | null = () => null) => {
  let stored = Buffer.alloc(0);
  const answer: Answer = (asked) => {
    const { method, path, headers, body } = asked;
    const store = () => {
      stored = Buffer.concat([stored, body]);
    };
    const odd = oddly(asked, store);
    if (odd !== null) return odd;
    const offset = () => ({ 'upload-offset': String(stored.length) });
    if (method === 'POST')
      return new Response(null, { status: 201, headers: { location: 'batch-uploads/u-1' } });
    if (path !== 'batch-uploads/u-1') return new Response(null, { status: 404 });
    if (method === 'HEAD') return noContent(offset());
    if (headers.get('upload-offset') !== String(stored.length)) return refusal(409, 'Upload offset mismatch');
    if (headers.get('upload-complete') === '?1') return Response.json(BATCH, { status: 202 });
    const digest = createHash('sha256').update(body).digest('base64');
    if (headers.get('content-digest') !== `sha-256=:${digest}:`) return refusal(400, 'Malformed body');
    store();
    return noContent(offset());
  };
  return { ...clientOf(answer), stored: () => stored };
};

const upload = { rows, contentType: 'text/csv', query: { folder_name: 'Cups' } } as const;

t.test('a file is sent in chunks with their SHA-256, and becomes a batch', async (t) => {
  const { client, asked, stored } = uploadsOf();
  const told: (string | number)[] = [];
  const batch = await client.uploadBatch(
    { ...upload, design: { width: 300 } },
    { onBegin: (id) => void told.push(id), onStored: (bytes) => told.push(bytes) },
  );
  t.match(batch, BATCH);
  t.ok(stored().equals(BYTES));
  t.strictSame(told, ['u-1', CHUNK, 2 * CHUNK, BYTES.length]);
  t.match(asked[0]!.headers.get('idempotency-key'), /^[0-9a-f-]{36}$/);
  t.equal(asked[0]!.headers.get('design'), '{"width":300}');
});

t.test('an upload continues where an earlier one stopped, or begins anew when it is gone', async (t) => {
  const { client, asked, stored } = uploadsOf();
  const stop = new AbortController();
  const reason = new Error('enough');
  const first = client.uploadBatch(upload, { signal: stop.signal, onStored: () => stop.abort(reason) });
  await t.rejects(first, reason);
  t.equal(stored().length, CHUNK);
  const before = asked.length;
  await client.uploadBatch(upload, { uploadId: 'u-1' });
  t.ok(stored().equals(BYTES));
  t.notOk(asked.slice(before).some(({ method }) => method === 'POST'));

  const anew = uploadsOf();
  await anew.client.uploadBatch(upload, { uploadId: 'u-0' });
  t.ok(anew.stored().equals(BYTES));
});

t.test('a chunk whose answer is lost is stored once, and a damaged one is sent again', async (t) => {
  let isLost = false;
  const losing = uploadsOf(({ method, body }, store) => {
    if (method !== 'PATCH' || body.length === 0 || isLost) return null;
    isLost = true;
    store();
    throw new TypeError('fetch failed');
  });
  await losing.client.uploadBatch(upload);
  t.ok(losing.stored().equals(BYTES));

  let damaged = 0;
  const damaging = (most: number) =>
    uploadsOf(({ method, body }) => {
      if (method !== 'PATCH' || body.length === 0 || damaged === most) return null;
      damaged += 1;
      return refusal(400, 'Malformed body');
    });
  const twice = damaging(2);
  await twice.client.uploadBatch(upload);
  t.ok(twice.stored().equals(BYTES));
  damaged = 0;
  await t.rejects(damaging(3).client.uploadBatch(upload), { code: 'malformed_body' });
});

t.test(
  'parts come in order once they have all rows, and the last ones when the batch has ended',
  async (t) => {
    const part = (n: number) => ({ n, codes: 1, bytes: 1, sha256: '' });
    const looks = [
      { state: 'queued', parts: [] },
      { state: 'running', parts: [part(2)] },
      { state: 'running', parts: [part(1), part(2)] },
      { state: 'finishing', parts: [part(1), part(2), part(3)] },
      { state: 'cancelled', parts: [part(1), part(2), part(3), part(5)] },
    ];
    let look = 0;
    const { client } = clientOf(({ path }) => {
      const { state, parts } = looks[Math.min(look, looks.length - 1)]!;
      if (path.endsWith('/parts')) return Response.json({ data: parts });
      look += 1;
      return Response.json({ id: 'b', state });
    });
    const states: string[] = [];
    const seen: [number, string][] = [];
    const following = client.followBatch('b', { onProgress: ({ state }) => states.push(state) });
    let next = await following.next();
    for (; !next.done; next = await following.next()) seen.push([next.value.part.n, next.value.batch.state]);
    t.strictSame(seen, [
      [1, 'running'],
      [2, 'running'],
      [3, 'cancelled'],
      [5, 'cancelled'],
    ]);
    t.equal(next.value.state, 'cancelled');
    t.strictSame(states, ['queued', 'running', 'running', 'finishing', 'cancelled']);
  },
);

/** A part whose connections break after `each` bytes. */
const partOf = (whole: Buffer, each: number) =>
  clientOf(({ headers }) => {
    const from = Number(/\d+/.exec(headers.get('range') ?? '0')?.[0]);
    if (from === whole.length) return refusal(416, 'Range not satisfiable');
    let isSent = false;
    const body = new ReadableStream({
      pull(controller) {
        if (isSent) controller.error(new TypeError('terminated'));
        else controller.enqueue(new Uint8Array(whole.subarray(from, from + each)));
        isSent = true;
      },
    });
    return new Response(body, { status: from === 0 ? 200 : 206 });
  });

t.test('a download resumes where it broke, or where an earlier one ended', async (t) => {
  const whole = Buffer.from('the bytes of a part');
  const read = async (client: ReturnType<typeof clientOf>['client'], from?: number) => {
    const chunks = [];
    const place = { id: 'b', n: 1, ...(from !== undefined && { from }) };
    for await (const chunk of client.downloadPart(place)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  const breaking = partOf(whole, 10);
  t.equal(await read(breaking.client), whole.toString());
  t.strictSame(
    breaking.asked.map(({ headers }) => headers.get('range')),
    [null, 'bytes=10-', 'bytes=19-'],
  );
  t.equal(await read(partOf(whole, 100).client, 4), 'bytes of a part');
  const gone = clientOf(() => refusal(404, 'Not found'));
  await t.rejects(read(gone.client), { code: 'not_found' });
  t.equal(gone.asked.length, 1);
  const deaf = clientOf(() => new Response(whole));
  t.equal(await read(deaf.client, 4), 'bytes of a part', 'also from a service that sends all of it');
});

t.test('a client says why and when it tries again', async (t) => {
  const answers = [refusal(503, 'Service unavailable'), Response.json({ usage_count: 1 })];
  const told: [string, boolean][] = [];
  const client = createClient({
    ...{ url: 'http://qr.test', fetch: async () => answers.shift()! },
    onRetry: (failure, pauseMs) => told.push([failure.code, failure instanceof TesseraError && pauseMs > 0]),
  });
  await client.getUsage();
  t.strictSame(told, [['unavailable', true]]);
});
