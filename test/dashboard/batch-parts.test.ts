/** Pure functions of the batch screens: file types, row counts and state texts. */
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import t from 'tap';
import { createNotes } from '../../src/csv/notes.ts';
import { readCsvRecords } from '../../src/csv/records.ts';
import type { Batch } from '../../src/dashboard/api/shapes.ts';
import {
  folderNameOf,
  sentenceOf,
  shareOf,
  summaryOf,
  toAsked,
} from '../../src/dashboard/screens/batches/words.ts';
import { ENCODINGS, kindOf, mediaTypeOf, preselect } from '../../src/dashboard/screens/table/file/kind.ts';
import {
  beginningOf,
  countRows,
  endOfRows,
  withDelimiter,
  withoutRows,
} from '../../src/dashboard/screens/table/file/rows.ts';
import { formatDuration, formatSize, percent } from '../../src/dashboard/ui/format.ts';

const CSV = { format: 'csv', gzip: false } as const;
const NDJSON = { format: 'ndjson', gzip: false } as const;

/** A file that arrives in chunks of this many bytes. */
const inPieces = (text: string, bytes: number): Blob => {
  const whole = new TextEncoder().encode(text);
  const blob = new Blob([text]);
  blob.stream = () =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < whole.length; at += bytes) controller.enqueue(whole.slice(at, at + bytes));
        controller.close();
      },
    });
  return blob;
};

t.test('the rows of any CSV are counted, whatever the cells contain, wherever chunks end', async () => {
  const cell = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é') }),
    fc.constant('x'),
  );
  const rows = fc.array(fc.tuple(fc.constant('x'), cell), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      async (cells, bytes, record_delimiter) => {
        const text = stringify([['data', 'id'], ...cells], { record_delimiter, quoted: true });
        return (await countRows(inPieces(text, bytes), CSV)) === cells.length;
      },
    ),
  );
});

/** How a text is written in a file. */
const WRITTEN = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-8 with a BOM': (text: string) => Buffer.from(`\ufeff${text}`),
  'utf-16le with a BOM': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text: string) => Buffer.from(text, 'utf16le').swap16(),
} as const;

t.test(
  'the beginning of any CSV has all of its whole rows and no part of one, wherever it is cut',
  async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', '\u2222', '\u0a0d'),
    });
    const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 });
    const kinds = Object.keys(WRITTEN) as (keyof typeof WRITTEN)[];
    fc.assert(
      fc.property(
        rows,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom(...kinds),
        (cells, share, record_delimiter, kind) => {
          const write = WRITTEN[kind];
          const text = (some: typeof cells) => stringify(some, { record_delimiter, quoted: true });
          const whole = write(text(cells));
          const bytes = Math.floor(share * whole.length);
          const unit = kind.startsWith('utf-16') ? 2 : 1;
          // A row is whole with the first character of its line end.
          const rest = (record_delimiter.length - 1) * unit;
          const isWhole = (_: unknown, row: number) =>
            write(text(cells.slice(0, row + 1))).length - rest <= bytes;
          const encoding = kind === 'utf-16be' ? kind : undefined;
          const cut = whole.subarray(0, endOfRows(whole.subarray(0, bytes), encoding));
          const read = new TextDecoder(kind.split(' ')[0]!).decode(cut);
          const options = { record_delimiter: ['\r\n', '\n', '\r'], skip_empty_lines: true };
          return isDeepStrictEqual(parse(read, options), cells.filter(isWhole));
        },
      ),
    );
  },
);

t.test('a file is cut only where it is longer, and a packed one is unpacked', async (t) => {
  const text = 'data\none\ntwo\nthree';
  const cut = async (file: Blob, bytes: number, gzip = false) =>
    (await beginningOf(file, { gzip }, bytes)).read.text();
  t.equal(await cut(new Blob([text]), text.length), text, 'the last row needs no line end');
  t.equal(await cut(new Blob([text]), text.length - 1), 'data\none\ntwo\n');
  t.equal(await cut(new Blob([text]), 3), 'dat', 'one row that is longer is cut');
  t.equal(await cut(new Blob([gzipSync(text)]), text.length, true), text);
  const long = 'data\n'.repeat(100_000);
  t.match(await cut(new Blob([gzipSync(long)]), 1001, true), /^(data\n)+$/);
});

t.test('rows that repeat an earlier one are named before the batch is sent', async (t) => {
  const found = { compared_rows: 2000, duplicates: 3, refused_duplicates: 1 };
  t.equal(
    summaryOf(found, 2000),
    '3 of the 2,000 rows repeat an earlier one. 1 is refused, so the batch would fail.',
  );
  t.match(summaryOf(found, 2001), /^3 of the first 2,000 rows .* Only these were compared; the batch/);
  const none = { ...found, duplicates: 0, refused_duplicates: 0 };
  t.equal(summaryOf(none, 2000), 'None of the 2,000 rows repeats an earlier one.');
  for (const unknown of [null, 'unknown'] as const) t.match(summaryOf(none, unknown), 'Only these were');
});

t.test('neither empty lines nor the header count as rows, and a packed file is unpacked', async (t) => {
  t.equal(await countRows(new Blob(['data\n\nx\n  \ny']), CSV), 2);
  t.equal(await countRows(new Blob(['data,id\nx,\n,,\n;;\n"",\n\x1a']), CSV), 1);
  t.equal(await countRows(new Blob(['']), CSV), 0);
  t.equal(await countRows(new Blob(['{"data":"\\""}\n{"data":"x"}\n']), NDJSON), 2);
  t.equal(await countRows(new Blob([gzipSync('data\nx\ny\n')]), { ...CSV, gzip: true }), 2);
  await t.rejects(countRows(new Blob(['data\nx\n']), { ...CSV, gzip: true }));
});

/** The rows of a file as the service reads them, by their numbers. */
const rowsOf = async (file: Blob, encoding: string | null = null) => {
  const chunks = (async function* () {
    yield Buffer.from(await file.arrayBuffer());
  })();
  const bounds = { maxRowBytes: 1e6, maxEmptyRows: 1000, maxCells: 1e6 };
  const read = new Map<number, string>();
  const reading = { encoding, wanted: 'beginning', notes: createNotes() } as const;
  for await (const { fileRow, texts } of readCsvRecords(chunks, bounds, reading))
    read.set(fileRow, JSON.stringify(texts));
  return read;
};

t.test('any rows of any CSV are left out, and all others keep their text and number', async () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', '\u2222'),
    minLength: 1,
  });
  const rows = fc.array(fc.tuple(fc.constant('x'), cell), { minLength: 1, maxLength: 8 });
  const kinds = Object.keys(WRITTEN) as (keyof typeof WRITTEN)[];
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.array(fc.integer({ min: 2, max: 9 })),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom(...kinds),
      fc.boolean(),
      async (cells, left, record_delimiter, kind, declares) => {
        const text = stringify([['data', 'id'], ...cells], { record_delimiter, quoted: true });
        const file = new Blob([WRITTEN[kind](declares ? `sep=,${record_delimiter}${text}` : text)]);
        const encoding = kind === 'utf-16be' ? kind : null;
        const own = { ...CSV, ...(encoding !== null && { encoding }) };
        const wanted = await rowsOf(file, encoding);
        for (const row of left) wanted.delete(row);
        return isDeepStrictEqual(await rowsOf(await withoutRows(file, own, new Set(left)), encoding), wanted);
      },
    ),
  );
});

t.test('a packed file is unpacked when rows of it are left out', async (t) => {
  const file = new Blob([gzipSync('{"data":1}\n\n{"data":"\\""}\n{"data":3}')]);
  const left = await withoutRows(file, { ...NDJSON, gzip: true }, new Set([1, 4]));
  t.equal(await left.text(), '\n\n{"data":"\\""}\n');
  t.equal(await withoutRows(file, { ...NDJSON, gzip: true }, new Set()), file, 'otherwise it stays as it is');
});

t.test('a delimiter that a person chose wins over what the file says', async (t) => {
  for (const text of ['data|x,y\na|b,c\n', 'sep=,\r\ndata|x,y\na|b,c\n', '\ufeffdata|x,y\na|b,c\n'])
    t.strictSame(
      [...(await rowsOf(await withDelimiter(new Blob([text]), '|')))],
      [
        [1, '["data","x,y"]'],
        [2, '["a","b,c"]'],
      ],
    );
});

t.test('the type of a file is known from its name', async (t) => {
  t.strictSame(kindOf('Cups.CSV'), CSV);
  t.strictSame(kindOf('cups.tsv'), CSV);
  t.strictSame(kindOf('cups.jsonl.gz'), { format: 'ndjson', gzip: true });
  t.equal(kindOf('cups.gz'), null);
  t.strictSame(kindOf('cups.xlsx'), { format: 'xlsx', gzip: false });
  t.equal(kindOf('cups.ods'), null);
  t.match(folderNameOf('cups.v2.ndjson.gz'), /^cups\.v2 \d{4}-\d\d-\d\d$/);
  t.ok(folderNameOf(`${'x'.repeat(300)}.csv`).length <= 200);
});

t.test(
  'the encoding that people of a language use is chosen first, if the row can be read in it',
  async (t) => {
    const readings = ['windows-1252', 'windows-1251', 'windows-1250'].map((encoding) => ({
      encoding,
      text: 'x',
    }));
    t.equal(preselect(readings, ['ru-RU', 'en']), 'windows-1251');
    t.equal(preselect(readings, ['ja', 'cs']), 'windows-1250');
    t.equal(preselect(readings, ['de-CH']), 'windows-1252');
    t.equal(preselect(readings.slice(1), ['en']), 'windows-1251');
    for (const name of ENCODINGS) t.equal(new TextDecoder(name).encoding, name);
    const chosen = { format: 'csv', gzip: false, encoding: 'koi8-r' } as const;
    t.equal(mediaTypeOf(chosen), 'text/csv; charset=koi8-r');
  },
);

t.test('percentages, sizes and durations are rounded, and only all rows are 100 %', async (t) => {
  t.equal(percent(0.9999), '99%');
  t.equal(percent(1), '100%');
  t.equal(percent(0.001), '< 1%');
  t.equal(percent(0), '0%');
  t.equal(formatSize(999), '999 bytes');
  t.equal(formatSize(34_210_000), '34.2 MB');
  t.equal(formatSize(2_000_000_000), '2 GB');
  t.equal(formatDuration(0.2), '1 s');
  t.equal(formatDuration(89), '89 s');
  t.equal(formatDuration(4800), '1 h 20 min');
});

const batch = (changes: Partial<Batch>): Batch => ({
  ...{ id: '', state: 'running', reason: null, folder_id: null, folder_name: null, formats: ['png'] },
  ...{
    on_error: 'skip',
    rows: 200,
    encoding: null,
    errors: 0,
    made: 0,
    failed: 0,
    refunded: 0,
    grades: [0, 0, 0, 0, 0],
  },
  ...{ empty_rows: 0, first_empty_rows: [], duplicates: 0 },
  ...{ position: null, remaining_s: null, created_at: '', started_at: null, finished_at: null },
  expires_at: '',
  ...changes,
});

t.test('a sentence describes the state of a batch', async (t) => {
  t.match(sentenceOf(batch({ state: 'validating' })), /All 200 rows are checked first/);
  t.equal(sentenceOf(batch({ state: 'queued', position: 0 })), 'It is next.');
  t.equal(sentenceOf(batch({ state: 'queued', position: 1 })), 'Waiting for 1 other batch.');
  t.equal(sentenceOf(batch({ remaining_s: 395 })), 'About 7 min left.');
  const times = { started_at: '2026-01-01T00:00:00Z', finished_at: '2026-01-01T00:00:30Z' };
  t.equal(sentenceOf(batch({ state: 'done', made: 200, ...times })), 'All 200 codes were made in 30 s.');
  t.equal(
    sentenceOf(batch({ state: 'done', made: 199, failed: 1, ...times })),
    '199 codes made in 30 s, 1 row failed.',
  );
  t.equal(sentenceOf(batch({ state: 'failed', reason: 'Why.' })), 'Why.');
  t.equal(shareOf(batch({ state: 'validating' })), null);
  t.equal(shareOf(batch({ made: 99, failed: 1 })), 0.5);
});

t.test('rows to print again are read as people write them', async (t) => {
  const rowsOf = (rows: string) => toAsked({ way: 'rows', rows, ids: 'x' });
  t.strictSame(rowsOf(' 300-420 '), { from: 300, to: 420 });
  t.strictSame(rowsOf('300 – 420'), { from: 300, to: 420 });
  t.strictSame(rowsOf('12, 15;31\n40'), { rows: [12, 15, 31, 40] });
  for (const wrong of ['', ' , ', 'two', '1-2, 5', '1.5']) t.equal(rowsOf(wrong), null, wrong);
  t.strictSame(toAsked({ way: 'ids', rows: '1', ids: 'A, 17\n\n A-18 \n' }), {
    external_ids: ['A, 17', 'A-18'],
  });
  t.equal(toAsked({ way: 'ids', rows: '1', ids: ' \n' }), null);
});
