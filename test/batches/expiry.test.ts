/** How batches and uploads expire, and what happens to those that cannot be removed. */
import t from 'tap';
import { createUploads, removeLeftovers } from '../../src/batches/uploads.ts';
import { StoreFault } from '../../src/storage/store.ts';
import { newSender, plainRows, startBatchApp } from './support.ts';

// Only the tests start the removal.
const { app, sql } = await startBatchApp(t, { BATCH_WORKERS: '0' });

/** A store that fails to remove these, and records what it was asked to remove. */
const createStore = (broken: readonly string[]) => {
  const asked: string[] = [];
  const removeAll = async (folder: string): Promise<void> => {
    asked.push(folder.replace('uploads/', ''));
    if (broken.includes(asked.at(-1)!)) throw new StoreFault('removal is refused');
  };
  return { store: { removeAll } as unknown as Parameters<typeof createUploads>[0]['store'], asked };
};

const createTidy = (broken: readonly string[]) => {
  const { store, asked } = createStore(broken);
  const warned: object[] = [];
  const log = { warn: (fields: object) => void warned.push(fields) };
  const parts = { sql, store, log, uploads: createUploads({ sql, store, log }) };
  return { run: () => removeLeftovers(parts as Parameters<typeof removeLeftovers>[0]), asked, warned };
};

const { id: accountId, begin, show } = await newSender(app);

/** Creates batches with this ending, whose results expired this many minutes ago. */
const makeExpired = async (ending: string, reason: string | null, minutes: readonly number[]) => {
  const ids: string[] = [];
  for (const ago of minutes) {
    const id = await begin(plainRows(1));
    await sql`
      update batches set state = ${ending}, ending = ${ending}, reason = ${reason}, finished_at = now(),
        expires_at = now() - ${ago} * interval '1 minute' where id = ${id}`;
    ids.push(id);
  }
  return ids;
};

t.test('a batch that cannot be removed is retried later, and does not delay other ones', async (t) => {
  const [first, second, third] = await makeExpired('done', null, [3, 2, 1]);
  const { run, asked, warned } = createTidy([first!]);
  await run();
  t.strictSame(asked, [first, second, third]);
  t.match(warned, [{ batch: first, err: StoreFault }]);
  t.strictSame(await Promise.all([first!, second!, third!].map(async (id) => (await show(id)).state)), [
    'done',
    'expired',
    'expired',
  ]);
  await run();
  t.equal(asked.length, 3, 'it is not retried yet');
  const restsS = async () => {
    const [row] = await sql<[{ restsS: number }]>`
      select extract(epoch from leased_until - now())::float8 as rests_s from batches where id = ${first!}`;
    return row.restsS;
  };
  t.ok(Math.abs((await restsS()) - 180) < 60, 'the pause is as long as the time since it expired');
  await sql`
    update batches set leased_until = now(), expires_at = now() - interval '10 days' where id = ${first!}`;
  await run();
  t.strictSame(asked.slice(3), [first], 'it is retried');
  t.ok(Math.abs((await restsS()) - 3600) < 60, 'the pause is at most an hour');
  await sql`delete from batches where id = ${first!}`;
});

t.test('while a store removes nothing, only a few batches are tried in each round, in turn', async (t) => {
  const ids = await makeExpired('done', null, [5, 4, 3, 2, 1]);
  const { run, asked } = createTidy(ids);
  await run();
  t.strictSame(asked, ids.slice(0, 3));
  await run();
  t.strictSame(asked, ids);
  await sql`delete from batches where id = any(${ids}::uuid[])`;
});

t.test('uploads and batches that were not received do not delay each other either', async (t) => {
  const lost = await makeExpired('done', null, [0, 0]);
  await sql`
    update batches set state = 'receiving', ending = null, finished_at = null, leased_until = now() - interval '1 minute'
    where id = any(${lost}::uuid[])`;
  const uploads = await sql<{ id: string }[]>`
    insert into batch_uploads (account_id, terms, expires_at)
    select ${accountId}::uuid, '{}', now() - n * interval '1 minute' from generate_series(1, 2) n returning id`;
  const { run, asked } = createTidy([lost[0]!, lost[1]!, uploads[1]!.id]);
  await run();
  t.strictSame([...asked].sort(), [...lost, ...uploads.map(({ id }) => id)].sort());
  t.equal((await sql`select from batch_uploads where account_id = ${accountId}`).length, 1);
  await run();
  t.equal(asked.length, 4, 'they are not retried yet');
  await sql`delete from batches where id = any(${lost}::uuid[])`;
});

t.test('an expired batch reports that it expired and how it had ended', async (t) => {
  const cases = [
    ['done', null, 'Its results have expired.'],
    ['cancelled', 'It was cancelled.', 'It was cancelled. Its results have expired.'],
    ['failed', 'It failed.', 'It failed. Its results have expired.'],
    ['expired', 'It was not done in its time.', 'It was not done in its time.'],
  ] as const;
  for (const [ending, reason, expected] of cases) {
    const [id] = await makeExpired(ending, reason, [1]);
    await createTidy([]).run();
    t.match(await show(id!), { state: 'expired', reason: expected });
  }
});

t.test('uploads that start at the same time cannot exceed the limit of their account', async (t) => {
  const { patch, post } = await newSender(app);
  const headers = { 'content-type': 'text/csv', 'upload-complete': '?0' };
  const beginUpload = () => post('/batches', undefined, headers);
  const begun = [];
  for (let n = 0; n < 16; n += 1) begun.push(await beginUpload());
  const last = await Promise.all(Array.from({ length: 8 }, beginUpload));
  t.strictSame(last.map(({ status }) => status).sort(), [201, 201, 201, 201, 409, 409, 409, 409]);

  const paths = begun.flatMap(({ headers }) => (headers.location ? [`/${headers.location}`] : []));
  const sized = (path: string, bytes: number) =>
    sql`update batch_uploads set bytes = ${bytes} where id = ${path.split('/').at(-1)!}`;
  await sized(paths[0]!, 1_999_999_990);
  await sized(paths[1]!, 1_999_999_990);
  const chunk = { 'content-type': 'application/partial-upload', 'upload-offset': '0' };
  const append = (path: string) => patch(path, 'x'.repeat(15), chunk);
  const statuses = (await Promise.all([append(paths[2]!), append(paths[3]!)])).map(({ status }) => status);
  t.strictSame(statuses.sort(), [204, 409], 'together they cannot exceed its bytes either');
});
