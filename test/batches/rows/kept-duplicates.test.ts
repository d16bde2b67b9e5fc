/** Rows that repeat a row of another kept batch are found before a batch is paid. */
import t from 'tap';
import { until } from '../../servers/until.ts';
import { newSender, SLOW_FORMATS, sharedBatchApp, slowRows } from '../support.ts';

const { app, sql } = await sharedBatchApp();

const GS1 = JSON.stringify({ qrOptions: { gs1: 'digital-link' } });
const ACROSS = '?duplicates_in=kept-batches';

const sender = async () => {
  const made = await newSender(app, { monthlyQuota: 5000 });
  return {
    ...made,
    makeCsv: (body: string, query = '', design = '{}') =>
      made.make(body, { query, headers: { 'content-type': 'text/csv', design } }),
    async duplicatesOf(id: string) {
      const { text } = await made.get(`/batches/${id}/duplicates`);
      return (text.match(/.+/g) ?? []).map((line) => JSON.parse(line));
    },
  };
};

const texts = (from: number, count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({ data: `text ${from + i}`, external_id: `own ${from + i}` }));

t.test('the same content in another batch is listed, or refused with both rows named', async (t) => {
  const { make, duplicatesOf, errorsOf, get, used } = await sender();
  const first = await make(texts(0, 1200));
  const rows = [...texts(5000, 600), ...texts(1100, 2), ...texts(3, 1)];
  t.match(await make(rows, { query: '?duplicates=refuse' }), { state: 'done', duplicates: 0 }, 'by choice');
  const other = await sender();
  t.match(
    await other.make(rows, { query: `${ACROSS}&duplicates=refuse` }),
    { state: 'done' },
    'own rows only',
  );

  const report = await make(texts(0, 1), { query: ACROSS });
  t.match(report, { state: 'done', duplicates: 1 }, 'contents are reported');
  const { statement } = (await get(`/batches/${report.id}/report`)).json;
  t.match(statement, { settings: { duplicates_in: 'kept-batches' }, counts: { duplicates: 1 } });
  const before = await used();
  const refused = await make([...texts(9000, 600), ...texts(1100, 2), ...texts(8, 1)], {
    query: `${ACROSS}&duplicates=refuse`,
  });
  t.match(refused, { state: 'failed', duplicates: 3, errors: 3, made: 0 });
  t.equal(await used(), before);
  t.match(await duplicatesOf(refused.id), [
    { row: 601, file_row: 601, external_id: 'own 1100', first_row: 1101, first_batch: first.id },
    { row: 602, file_row: 602, external_id: 'own 1101', first_row: 1102, first_batch: first.id },
    { row: 603, file_row: 603, external_id: 'own 8', first_row: 9, first_file_row: 9, kind: 'content' },
  ]);
  const [error] = await errorsOf(refused.id);
  t.match(error, { row: 601, field: 'data', external_id: 'own 1100' });
  t.equal(error!.message, `repeats row 1101 of the file of batch ${first.id}: the same content`);
});

t.test('GS1 keys are errors in every form, and unique values where the column is the same', async (t) => {
  const { makeCsv, errorsOf } = await sender();
  await makeCsv('gtin,serial\n9521321000018,A1\n9521321000018,A2\n', '', GS1);
  const again = await makeCsv('gtin,serial\n09521321000018,A2\n9521321000018,A3\n', ACROSS, GS1);
  t.match(again, { state: 'failed', errors: 1, duplicates: 1 });
  t.match(await errorsOf(again.id), [{ row: 1, message: /^repeats row 3 of the file of batch .*GS1 key/ }]);

  await makeCsv('data,name\nhttps://example.com/a,one\n', '?unique=name');
  const csv = 'data,name\nhttps://example.com/b,one\n';
  t.match(await makeCsv(csv, `${ACROSS}&unique=data`), { state: 'done', duplicates: 0 }, 'another column');
  const same = await makeCsv(csv.replace('/b', '/c'), `${ACROSS}&unique=name`);
  t.match(same, { state: 'failed', errors: 1 });
  t.match(await errorsOf(same.id), [{ row: 1, field: 'name', message: /must be unique/ }]);
});

t.test('rows that were not made do not count, and expired batches neither', async (t) => {
  const { begin, make, makeCsv, cancel, show, ended, duplicatesOf } = await sender();
  const failing = [{ data: 'kept' }, { data: 'lost', image: 'https://127.0.0.1:9/none.png' }];
  t.match(await make(failing), { made: 1, failed: 1 });
  const after = await make([{ data: 'lost' }, { data: 'kept' }], { query: ACROSS });
  t.match(after, { state: 'done', duplicates: 1 });
  t.match(await duplicatesOf(after.id), [{ row: 2, first_row: 1 }]);

  const slow = slowRows(300).map((row) => ({ ...row, dynamic: false }));
  const id = await begin(slow, { query: `?${SLOW_FORMATS}` });
  await until(async () => (await show(id)).made > 0, { pauseMs: 20 });
  await cancel(id);
  const { made } = await ended(id);
  t.ok(made < 300);
  const contents = Array.from({ length: 300 }, (_, i) => `https://example.com/${i}`);
  const again = await makeCsv(`data\n${contents.join('\n')}\n`, ACROSS);
  t.match(again, { state: 'done', duplicates: made }, 'as many as the cancelled batch has made');

  await sql`update batches set expires_at = now() where id = ${after.id}`;
  await until(async () => (await sql`select from batch_keys where batch_id = ${after.id}`).length === 0, {
    pauseMs: 50,
  });
  t.match(await make([{ data: 'lost' }], { query: ACROSS }), { state: 'done', duplicates: 0 });
});

t.test('a row that repeats a row of its own batch is counted once', async (t) => {
  const { make, duplicatesOf } = await sender();
  await make([{ data: 'a' }, { data: 'b' }]);
  const batch = await make([{ data: 'a' }, { data: 'a' }, { data: 'b' }], { query: ACROSS });
  t.match(batch, { state: 'done', duplicates: 3 });
  const found = await duplicatesOf(batch.id);
  t.match(found, [
    { row: 1, first_row: 1 },
    { row: 2, first_row: 1 },
    { row: 3, first_row: 2 },
  ]);
  t.strictSame(
    found.map((each) => 'first_batch' in each),
    [true, false, true],
  );
});

t.test('of batches that are sent at once, the later ones see the earlier ones', async (t) => {
  const { begin, ended } = await sender();
  const query = `${ACROSS}&duplicates=refuse`;
  const ids = await Promise.all([1, 2, 3].map(() => begin(texts(0, 50), { query })));
  const states = await Promise.all(ids.map(async (id) => (await ended(id)).state));
  t.strictSame(states.sort(), ['done', 'failed', 'failed']);
});
