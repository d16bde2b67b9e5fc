/** Files of rows that are given out again. */
import t from 'tap';
import { refusesAll } from '../../support/app/refusals.ts';
import { readZip } from '../../support/files/zip.ts';
import { newSender, sharedBatchApp } from '../support.ts';

const { app } = await sharedBatchApp();

const DESIGN = { design: JSON.stringify({ template: 'item {n} {serial:04}' }) };
const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ values: { n: `${i}` }, external_id: `own ${i + 1}` }));

t.test(
  'a range, rows and own ids give the same files and lines again, without numbers and units',
  async (t) => {
    const { get, post, put, make, entriesOf, manifestOf, used } = await newSender(app);
    await put('/counters/serial', { next: 100 });
    const batch = await make(numbered(12), { query: '?formats=png,svg', headers: DESIGN });
    t.match(batch, { state: 'done', made: 12 });
    const [entries, lines] = [await entriesOf(batch.id), await manifestOf(batch.id)];
    const before = { used: await used(), counter: (await get('/counters/serial')).json };
    const rowsOf = async (asked: object) => {
      const answer = await post(`/batches/${batch.id}/reprints`, asked);
      t.equal(answer.status, 200, answer.text.slice(0, 200));
      t.notOk('tessera-missing-codes' in answer.headers || 'tessera-edited-codes' in answer.headers);
      const files = await readZip(answer.bytes);
      const manifest = files.at(-1)!;
      t.equal(manifest.name, 'manifest.csv');
      for (const { name, bytes } of files.slice(0, -1))
        t.ok(entries.find((entry) => entry.name === name)!.bytes.equals(bytes), name);
      const text = manifest.bytes.toString();
      const expected = lines.filter(({ file }) => files.some(({ name }) => name === file));
      for (const { sha256 } of expected) t.match(text, sha256);
      t.equal(text.trimEnd().split('\r\n').length, files.length);
      return files.slice(0, -1).map(({ name }) => Number(name.slice(0, 7)));
    };
    t.strictSame(await rowsOf({ from: 3, to: 5 }), [3, 3, 4, 4, 5, 5]);
    t.strictSame(await rowsOf({ rows: [9, 2, 9] }), [2, 2, 9, 9]);
    t.strictSame(await rowsOf({ external_ids: ['own 12', 'own 1'] }), [1, 1, 12, 12]);
    t.strictSame({ used: await used(), counter: (await get('/counters/serial')).json }, before);

    const { data } = (await get(`/batches/${batch.id}/reprints?limit=2`)).json;
    t.match(data, [
      { rows: '1 12', codes: 2 },
      { rows: '2 9', codes: 2 },
    ]);
    const { statement } = (await get(`/batches/${batch.id}/report`)).json;
    t.match(statement, { reprints: [{ rows: '1 12' }, { rows: '2 9' }, { rows: '3-5', codes: 3 }] });
  },
);

t.test('the files stay as they were when a design has changed, and the answer says so', async (t) => {
  const { get, post, put, make, entriesOf } = await newSender(app);
  const batch = await make(Array.from({ length: 4 }, (_, i) => ({ data: `text ${i}` })));
  const { data: codes } = (await get(`/folders/${batch.folder_id}/codes`)).json;
  await put(`/codes/${codes[2]!.id}/design`, { dotsOptions: { color: '#204080' } });
  const answer = await post(`/batches/${batch.id}/reprints`, { from: 2, to: 4 });
  t.equal(answer.headers['tessera-edited-codes'], '1;indexes="3"');
  const entries = await entriesOf(batch.id);
  for (const { name, bytes } of (await readZip(answer.bytes)).slice(0, -1))
    t.ok(entries.find((entry) => entry.name === name)!.bytes.equals(bytes), name);
  const others = await post(`/batches/${batch.id}/reprints`, { rows: [1, 2] });
  t.notOk('tessera-edited-codes' in others.headers);
});

t.test('rows without files are named, and what asks for nothing is refused', async (t) => {
  const { post, make } = await newSender(app);
  const rows = [{ data: 'a' }, { data: 'x', image: 'https://127.0.0.1:9/none.png' }, { data: 'c' }];
  const batch = await make(rows);
  const answer = await post(`/batches/${batch.id}/reprints`, { from: 1, to: 3 });
  t.equal(answer.headers['tessera-missing-codes'], '1;indexes="2"');
  await refusesAll(t, (asked: object) => post(`/batches/${batch.id}/reprints`, asked), [
    [{}, 'body: must have from and to, or rows, or external_ids'],
    [{ from: 1 }, 'body: must have from and to, or rows, or external_ids'],
    [{ from: 1, to: 2, rows: [1] }, 'body: must have from and to, or rows, or external_ids'],
    [{ from: 2, to: 1 }, 'to: must be at least from, which is 2'],
    [{ from: 1, to: 4 }, 'to: must be at most 3, the last row of the batch'],
    [{ rows: [1, 7] }, 'rows[1]: must be at most 3, the last row of the batch'],
    [{ rows: [2] }, 'body: asks for rows of which none has files'],
    [{ external_ids: ['none'] }, 'external_ids[0]: is of no saved code of this batch'],
  ]);
  const stranger = await newSender(app);
  t.match(await stranger.post(`/batches/${batch.id}/reprints`, { rows: [1] }), { status: 404 });
  t.match(await stranger.get(`/batches/${batch.id}/reprints`), { status: 404 });
});
