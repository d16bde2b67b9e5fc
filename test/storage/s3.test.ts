/** The S3 store with a server that is slow, silent, broken or refuses. */
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { openStore } from '../../src/storage/open.ts';
import { createS3Store } from '../../src/storage/s3.ts';
import { serve } from '../servers/listen.ts';
import { BUCKET, CREDENTIALS, startS3 } from '../servers/s3.ts';
import { until } from '../servers/until.ts';

Object.assign(process.env, CREDENTIALS);

const PATIENCE = { idleMs: 10_000, requestMs: 30_000 };
const IMPATIENCE = { idleMs: 200, requestMs: 2000 };
const RANGE = { start: 0, end: 10 };

/** Starts a minimal server and a store on it. */
const storeOn = async (t: Test, answer: RequestListener, patience = PATIENCE) =>
  createS3Store({ bucket: BUCKET, prefix: 'p', endpoint: await serve(t, answer), region: null }, patience);

const readAll = async (chunks: AsyncIterable<Buffer>): Promise<string> => {
  let text = '';
  for await (const chunk of chunks) text += chunk.toString();
  return text;
};

t.test('requests to a silent server time out, every time', async (t) => {
  let asked = 0;
  const store = await storeOn(
    t,
    () => {
      asked += 1;
    },
    IMPATIENCE,
  );
  await t.rejects(store.put('a', Buffer.from('x')), { name: 'StoreFault' });
  t.equal(asked, 3, 'three attempts');
  await t.rejects(readAll(store.read('a', RANGE)), { name: 'StoreFault' });
  await t.rejects(store.removeAll('a'), { name: 'StoreFault' });
});

t.test('a mark is never replaced, but written if conditional requests are not supported', async (t) => {
  for (const [code, status, wanted] of [
    ['PreconditionFailed', 412, ['*']],
    ['NotImplemented', 501, ['*', undefined]],
  ] as const) {
    const asked: unknown[] = [];
    const store = await storeOn(t, (request, response) => {
      const condition = request.headers['if-none-match'];
      if (asked.at(-1) !== condition || asked.length === 0) asked.push(condition);
      request.resume().once('end', () => {
        if (condition !== undefined) response.statusCode = status;
        response.setHeader('content-type', 'application/xml');
        response.end(condition === undefined ? '' : `<Error><Code>${code}</Code></Error>`);
      });
    });
    await store.writeMark('mine');
    t.strictSame(asked, wanted, code);
  }
});

t.test('a request to a server that sends a byte now and then times out too', async (t) => {
  const store = await storeOn(
    t,
    async (_, response) => {
      response.writeHead(206, { 'content-length': 10 });
      while (!response.destroyed) {
        response.write('');
        response.socket?.write('x');
        await sleep(150);
      }
    },
    IMPATIENCE,
  );
  await t.rejects(readAll(store.read('a', { start: 0, end: 1000 })), { name: 'StoreFault' });
});

t.test('a truncated answer is requested again', async (t) => {
  let asked = 0;
  const store = await storeOn(t, (request, response) => {
    asked += 1;
    t.equal(request.headers.range, 'bytes=0-9');
    response.writeHead(206, { 'content-length': 10 });
    if (asked === 3) response.end('0123456789');
    else response.write('01234', () => response.destroy());
  });
  t.equal(await readAll(store.read('a', RANGE)), '0123456789');
  t.equal(asked, 3);
});

t.test('a request is retried when the server is busy', async (t) => {
  let asked = 0;
  const store = await storeOn(t, (request, response) => {
    asked += 1;
    request.resume();
    request.on('end', () => response.writeHead(asked < 3 ? 503 : 200).end());
  });
  await store.put('a', Buffer.from('x'));
  t.equal(asked, 3);
});

t.test('the number of concurrent requests of a store is limited', async (t) => {
  let open = 0;
  let most = 0;
  const store = await storeOn(t, (request, response) => {
    open += 1;
    most = Math.max(most, open);
    request.resume().on('end', async () => {
      await sleep(20);
      open -= 1;
      response.end();
    });
  });
  await Promise.all(Array.from({ length: 100 }, (_, i) => store.put(`k/${i}`, Buffer.from('x'))));
  t.ok(most > 1 && most <= 16, `${most} concurrent requests`);
});

t.test('objects that could not be removed are reported as a fault', async (t) => {
  const listed =
    '<ListBucketResult><Contents><Key>p/a/1</Key></Contents><IsTruncated>false</IsTruncated></ListBucketResult>';
  const refused =
    '<DeleteResult><Error><Key>p/a/1</Key><Code>AccessDenied</Code><Message>Access Denied</Message></Error></DeleteResult>';
  let md5: unknown;
  const store = await storeOn(t, (request, response) => {
    if (request.method === 'POST') md5 = request.headers['content-md5'];
    request.resume().on('end', () => response.end(request.method === 'POST' ? refused : listed));
  });
  await t.rejects(store.removeAll('a'), {
    name: 'StoreFault',
    message: /has not removed p\/a\/1: Access Denied/,
  });
  t.match(md5, /^[\w+/]{22}==$/, 'some other servers require it');
});

t.test('all pages of a list are removed', async (t) => {
  const all = Array.from({ length: 1010 }, (_, i) => `p/a/${i}`);
  const left = new Set(all);
  const store = await storeOn(t, async (request, response) => {
    const body = await text(request);
    if (request.method === 'POST') {
      for (const [, key] of body.matchAll(/<Key>([^<]*)<\/Key>/g)) left.delete(key!);
      return void response.end('<DeleteResult></DeleteResult>');
    }
    const { searchParams } = new URL(request.url!, 'http://s3');
    const from = Number(searchParams.get('continuation-token') ?? 0);
    const keys = all.slice(from, from + Number(searchParams.get('max-keys')));
    const end = from + keys.length;
    const listed = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
    const next = `<IsTruncated>true</IsTruncated><NextContinuationToken>${end}</NextContinuationToken>`;
    response.end(`<ListBucketResult>${listed}${end < all.length ? next : ''}</ListBucketResult>`);
  });
  await store.removeAll('a');
  t.strictSame([...left], []);
});

t.test('a missing or forbidden bucket is reported without signed data', async (t) => {
  const { endpoint } = await startS3(t);
  const warnings: { err: Error }[] = [];
  const log = { warn: (fields: object) => void warnings.push(fields as { err: Error }) };
  await openStore({ bucket: 'not-there', prefix: '', endpoint, region: null }, log);
  await until(() => warnings.length === 1);
  t.match(warnings[0]!.err.message, /^S3: NoSuchBucket: .* \(HTTP 404\)$/);
  process.env.AWS_ACCESS_KEY_ID = 'wrong';
  t.teardown(() => Object.assign(process.env, CREDENTIALS));
  await openStore({ bucket: BUCKET, prefix: '', endpoint, region: null }, log);
  await until(() => warnings.length === 2);
  const { err } = warnings[1]!;
  t.match(err.message, /^S3: InvalidAccessKeyId: .* \(HTTP 403\)$/);
  t.strictSame({ ...err }, { code: 'STORE_UNAVAILABLE', name: 'StoreFault' });
});
