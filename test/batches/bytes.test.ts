/** Small files that become large: rows are parsed in threads, and the bytes of a batch and an account are bounded. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { Worker } from 'node:worker_threads';
import t from 'tap';
import { readRowLines } from '../../src/batches/receive/lines.ts';
import { createNotes } from '../../src/csv/notes.ts';
import { XLSX_TYPE } from '../../src/http/bodies/row-types.ts';
import { until } from '../servers/until.ts';
import { textRow, workbookOf, xlsxOf, zipOf } from '../support/files/xlsx.ts';
import { ndjson, newSender, SLOW_FORMATS, slowRows, startBatchApp } from './support.ts';

/** The lowest value that may be configured. */
const [ofBatch, ofAccount] = [1_000_000, 1_000_000];
const { app, store } = await startBatchApp(t, {
  BATCH_BYTES_MAX: String(ofBatch),
  BATCHES_BYTES_MAX: String(ofAccount),
});

/** A spreadsheet whose rows have a number, and a text that they all share. */
const sharing = (column: string, text: string, rows: number): Buffer =>
  zipOf(
    workbookOf(textRow(['name', column]) + '<row><c><v>1</v></c><c t="s"><v>0</v></c></row>'.repeat(rows), {
      strings: `<si><t>${text}</t></si>`,
    }),
  );

/** The files in the store. A folder may be removed while it is listed. */
const filesIn = async (): Promise<readonly string[]> => {
  let entries: Dirent[] = [];
  await until(async () => {
    entries = await readdir(store, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.length > 0;
  });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

const reading = (format: 'csv' | 'xlsx') => ({ format, encoding: null, notes: createNotes() });

t.test('XLSX is parsed in a thread, which ends with the file or when the reader stops', async (t) => {
  const threads: Worker[] = [];
  const note = (thread: Worker) => threads.push(thread);
  process.on('worker', note);
  t.teardown(() => process.off('worker', note));
  const file = xlsxOf([['data', 'name'], ...Array.from({ length: 2000 }, (_, i) => [`a${i}`, 'x'])]);
  const lines = [];
  for await (const line of readRowLines(one(file), reading('xlsx'))) lines.push(line);
  t.equal(lines.length, 2000);
  t.strictSame(lines.at(-1), { text: '{"data":"a1999","name":"x"}', fileRow: 2001 });
  for await (const line of readRowLines(one(file), reading('xlsx'))) {
    t.equal(line.text, '{"data":"a0","name":"x"}');
    break;
  }
  t.equal(threads.length, 2);
  for (const { threadId } of threads) t.equal(threadId, -1, 'the thread has ended');
});

t.test('a file that unpacks to more than 200 times its size is refused', async (t) => {
  const file = sharing('data', 'a'.repeat(4000), 17_500);
  t.ok(file.length < 10_000);
  const read = async () => {
    let length = 0;
    for await (const line of readRowLines(one(file), reading('xlsx'))) length += line.text.length;
    return length;
  };
  await t.rejects(read(), { code: 'body_too_large', message: /more than 200 times its size/ });
});

t.test('a value longer than its field is not stored, in any kind of table', async (t) => {
  const lineOf = async (bytes: Buffer, format: 'csv' | 'xlsx') => {
    for await (const line of readRowLines(one(bytes), reading(format))) return line.text;
    return null;
  };
  const fault = (field: string, max: number) =>
    JSON.stringify(['cell fault', field, `must have at most ${max} characters`, null]);
  const csv = (column: string, length: number) => Buffer.from(`name,${column}\n1,${'x'.repeat(length)}\n`);
  t.equal(await lineOf(sharing('data', 'x'.repeat(5000), 1), 'xlsx'), fault('data', 4296));
  t.equal(await lineOf(csv('data', 5000), 'csv'), fault('data', 4296));
  t.match(await lineOf(csv('id', 201).subarray(), 'csv').catch((error: Error) => error), /no column "data"/);
  const both = Buffer.from(`data,dotsOptions,file\n1,${'x'.repeat(40_000)},${'y'.repeat(40_000)}\n`);
  t.equal(await lineOf(both, 'csv'), fault('dotsOptions', 32_767));
});

t.test('a preview shows rows with empty cells in full, and refuses tables that are too wide', async (t) => {
  const { preview } = await newSender(app);
  const rows = `${textRow(['data', 'a', 'b'])}<row><c r="C2"><v>7</v></c></row>`;
  t.match((await preview(zipOf(workbookOf(rows)), XLSX_TYPE)).json, { rows: [['', '', '7']], fault: null });
  const far = zipOf(workbookOf('<row><c r="XFD1" t="str"><v>data</v></c></row>'));
  t.match(await preview(far, XLSX_TYPE), { status: 400, json: { details: /more than 1000 columns/ } });
  const wide = await preview(`data${','.repeat(1000)}\n`, 'text/csv');
  t.match(wide, { status: 400, json: { details: /more than 1000 cells/ } });
});

t.test('a batch whose rows have too many bytes is refused, and leaves no files', async (t) => {
  const { send } = await newSender(app, { monthlyQuota: 100_000 });
  const refused = {
    status: 413,
    json: { details: `body: the rows of a batch must have at most ${ofBatch} bytes as they are stored` },
  };
  const long = { data: 'a'.repeat(4000) };
  t.match(await send(ndjson(Array.from({ length: 300 }, () => long))), refused);
  const spreadsheet = sharing('data', long.data, 300);
  t.match(await send(spreadsheet, { headers: { 'content-type': XLSX_TYPE } }), refused);
  // JSON needs six bytes for each control character.
  const csv = `data\n${`${'\u0001'.repeat(2000)}\n`.repeat(100)}`;
  t.ok(csv.length < ofBatch);
  t.match(await send(csv, { headers: { 'content-type': 'text/csv' } }), refused);
  t.strictSame(await filesIn(), ['installation'], 'only the mark of the store remains');
});

t.test('a batch is refused when the batches of its account would keep too many bytes', async (t) => {
  const { make, send } = await newSender(app, {});
  // Blank rows fail the batch, which therefore costs nothing. Its rows are kept.
  const rows = ndjson(Array.from({ length: 600 }, () => ({ data: ' '.repeat(1000) })));
  t.match(await make(rows), { state: 'failed', errors: 600 });
  const kept = await filesIn();
  t.match(await send(rows), {
    status: 409,
    json: { details: new RegExp(`keep more than ${ofAccount} bytes of rows and results`) },
  });
  await until(async () => (await filesIn()).length <= kept.length);
  t.match(
    await (await newSender(app, {})).send(rows),
    { status: 202 },
    'another account has a limit of its own',
  );
});

t.test('a running batch ends when its results would exceed the limit of its account', async (t) => {
  const { make, send, used } = await newSender(app);
  // Trailing spaces of a row are stored with it.
  const rows = ndjson(slowRows(400)).replaceAll('\n', `${' '.repeat(2000)}\n`);
  const batch = await make(rows, { query: `?${SLOW_FORMATS},eps` });
  t.match(batch, { state: 'failed', reason: new RegExp(`more than ${ofAccount} bytes`) });
  t.ok(batch.made > 0 && batch.made < 400, `${batch.made} were made`);
  t.equal(await used(), batch.made, 'rows that were not started cost nothing');
  t.match(
    await send(ndjson([{ data: 'x' }])),
    { status: 409, json: { details: new RegExp(`keep more than ${ofAccount} bytes`) } },
    'the account has reached its limit',
  );
});
