/**
 * Gateway processes on one Redis and one Postgres are killed between two chunks of a resumable upload, within a
 * chunk, and while the last call makes the batch, as docs/operations/failures.md describes.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readResults } from '../batches/kills/results.ts';
import { createAccount } from '../servers/account.ts';
import { type GatewayProcess, startGateway } from '../servers/gateway-process.ts';
import type { AnswerBody } from '../support/app/answer-body.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { startStores, until } from './stack.ts';

const ROWS = 900;
/** Spaces pad the rows to two stored pieces and three chunks, while the codes stay small. */
const BODY = Buffer.from(
  Array.from(
    { length: ROWS },
    (_, index) =>
      `{"data":"https://example.com/${index}","dynamic":true,"external_id":"row ${index}"${' '.repeat(9000)}}\n`,
  ).join(''),
);
/** Not a multiple of the length of a row. */
const CHUNK_BYTES = 3_000_000;

const stores = await startStores(t);
const { sql } = stores;
const folder = await mkdtemp(join(tmpdir(), 'tessera-uploads-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const start = () =>
  startGateway(t, {
    ...stores.env,
    BATCH_STORE: join(folder, 'batches'),
    RATE_LIMIT_PER_SECOND: '0',
    LOG_LEVEL: 'warn',
  });
const gateways = await Promise.all([start(), start()]);

const kill = async ({ process, ended }: GatewayProcess): Promise<void> => {
  process.kill('SIGKILL');
  await ended;
};

const ask = (place: number, path: string, token: string, init: RequestInit = {}): Promise<Response> =>
  fetch(gateways[place]!.url + path, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });

/** An upload with its own account. */
const beginUpload = async () => {
  const units = { monthlyQuota: ROWS + 10 };
  const { id: accountId, key } = await createAccount(gateways[0]!.url, ADMIN_TOKEN, 'uploads', units);
  const begun = await ask(0, '/api/v1/batches?folder_name=Cups', key, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', 'upload-complete': '?0' },
  });
  const path = `/api/v1/${begun.headers.get('location')}`;
  return {
    accountId,
    key,
    append: (place: number, offset: number, bytes: RequestInit['body'], last = false) =>
      ask(place, path, key, {
        method: 'PATCH',
        headers: {
          'content-type': 'application/partial-upload',
          'upload-offset': String(offset),
          'upload-complete': last ? '?1' : '?0',
        },
        body: bytes,
        duplex: 'half',
      } as RequestInit),
    offset: async (place: number): Promise<number> =>
      Number((await ask(place, path, key, { method: 'HEAD' })).headers.get('upload-offset')),
  };
};

type Upload = Awaited<ReturnType<typeof beginUpload>>;

const chunkAt = (offset: number): Buffer => BODY.subarray(offset, offset + CHUNK_BYTES);

/** Sends the chunks from `offset` on. */
const sendChunks = async (t: Test, upload: Upload, offset = 0): Promise<void> => {
  for (let at = offset; at < BODY.length; at += CHUNK_BYTES)
    t.equal((await upload.append(1, at, chunkAt(at))).status, 204);
};

/** Sends half of a chunk; the rest never arrives. */
const halfOf = (chunk: Buffer) => {
  let isSent = false;
  const stream = new ReadableStream({
    pull(controller) {
      if (isSent) return new Promise<void>(() => {});
      controller.enqueue(chunk.subarray(0, chunk.length / 2));
      isSent = true;
      return undefined;
    },
  });
  return { stream, isSent: () => isSent };
};

/** Repeats the last call until it returns the batch, as a caller does. Returns the id of the batch. */
const complete = async (t: Test, upload: Upload): Promise<string> => {
  let id = '';
  await until(t, 'the batch is made', async () => {
    const answer = await upload.append(1, BODY.length, null, true);
    const body = (await answer.json()) as AnswerBody;
    if (answer.status !== 202 && answer.status !== 409)
      throw new Error(`${answer.status} ${JSON.stringify(body)}`);
    // Lets the lease expire of the batch that the killed gateway was receiving.
    await sql`update batches set leased_until = now() - interval '1 second' where state = 'receiving'
      and account_id = ${upload.accountId} and ${answer.status === 409}`;
    id = body.id;
    return answer.status === 202;
  });
  return id;
};

/** Completes the upload, and expects one batch that has every row once. */
const expectBatch = async (t: Test, upload: Upload): Promise<void> => {
  const { accountId, key } = upload;
  const id = await complete(t, upload);
  const again = await upload.append(0, BODY.length, null, true);
  t.match([again.status, await again.json()], [202, { id }], 'the same answer can be requested again');
  const json = async (path: string) => (await (await ask(0, path, key)).json()) as AnswerBody;
  const show = () => json(`/api/v1/batches/${id}`);
  await until(t, 'it ends', async () => (await show()).finished_at !== null);
  t.match(await show(), { state: 'done', rows: ROWS, made: ROWS, failed: 0, refunded: 0 });
  const read = { folder, sampled: 300, formats: ['png'] };
  const { faults, manifest } = await readResults((path) => ask(0, path, key), id, read);
  t.strictSame(faults, []);
  t.strictSame(
    manifest.map((line) => [line.row, line.external_id, line.content]),
    Array.from({ length: ROWS }, (_, i) => [String(i + 1), `row ${i}`, `https://example.com/${i}`]),
  );
  const [counts] = await sql`
    select (select count(*)::int from batches where account_id = ${accountId}) as batches,
      (select count(*)::int from codes where account_id = ${accountId}) as codes`;
  t.match(counts, { batches: 1, codes: ROWS });
  t.equal((await json('/api/v1/usage')).usage_count, ROWS);
};

t.test('after gateways are killed between and within chunks, acknowledged chunks are stored', async (t) => {
  const upload = await beginUpload();
  t.equal((await upload.append(0, 0, chunkAt(0))).status, 204);
  await kill(gateways[0]!);
  t.equal(await upload.offset(1), CHUNK_BYTES, 'the other gateway knows the offset');
  gateways[0] = await start();

  const half = halfOf(chunkAt(CHUNK_BYTES));
  const broken = upload.append(1, CHUNK_BYTES, half.stream).catch(() => 'broken off');
  await until(t, 'half of the chunk is sent', half.isSent);
  await kill(gateways[1]!);
  t.equal(await broken, 'broken off');
  t.equal(await upload.offset(0), CHUNK_BYTES, 'a chunk is stored whole or not at all');
  gateways[1] = await start();
  await sendChunks(t, upload, CHUNK_BYTES);
  await expectBatch(t, upload);
});

interface Batch {
  readonly state: string;
  readonly rows: number;
}

/** States of the batch at which the gateway is killed. */
const MOMENTS = {
  'half of its rows are stored': ({ rows }: Batch) => rows > 0,
  'all of its rows are received': ({ state }: Batch) => state !== 'receiving',
};

for (const [moment, isNow] of Object.entries(MOMENTS)) {
  t.test(`a batch has every row once if a gateway dies during the last call, when ${moment}`, async (t) => {
    const upload = await beginUpload();
    await sendChunks(t, upload);
    const lost = upload.append(0, BODY.length, null, true).then(
      ({ status }) => status,
      () => 'broken off',
    );
    await until(t, moment, async () => {
      const [batch] = await sql<
        Batch[]
      >`select state, rows from batches where account_id = ${upload.accountId}`;
      return batch !== undefined && isNow(batch);
    });
    await kill(gateways[0]!);
    t.comment(`the call ended as ${await lost}`);
    gateways[0] = await start();
    await expectBatch(t, upload);
  });
}
