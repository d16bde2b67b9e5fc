/** The parts of `tessera bulk` that read its file, name the pictures and sum up. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import t from 'tap';
import { createNames, readRows } from '../../src/cli/bulk/input.ts';
import { columnsFor, readNdjson, readTable } from '../../src/cli/bulk/rows.ts';
import { addColumn, sourceOf } from '../../src/cli/bulk/source.ts';
import { conclude, toText } from '../../src/cli/commands/bulk.ts';
import { commandError } from '../../src/cli/terminal.ts';
import { readLines } from '../../src/csv/lines.ts';
import { createNotes, isEmptyRow } from '../../src/csv/notes.ts';
import { readCsvRecords } from '../../src/csv/records.ts';
import { ok } from '../../src/result.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { casesOf } from '../support/cases.ts';
import { xlsxOf } from '../support/files/xlsx.ts';
import { terminalOf } from './support.ts';

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** The bytes of a text in chunks of the given length, as files are read. */
async function* pieces(text: string | Buffer, length = 65_536): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text as string);
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length);
}

const readPlaced = (chunks: AsyncIterable<Buffer>, others: 'batch' | 'kept' = 'batch') =>
  readTable(
    readCsvRecords(
      chunks,
      { maxRowBytes: 100_000, maxEmptyRows: 100, maxCells: 10_000 },
      { encoding: null, wanted: 'rows', notes: createNotes() },
    ),
    others,
  );

/** Without the places of the rows, which have tests of their own. */
async function* readCsv(...args: Parameters<typeof readPlaced>) {
  for await (const { fileRow: _, ...written } of readPlaced(...args)) yield written;
}

async function* readLinesOf(chunks: AsyncIterable<Buffer>) {
  for await (const { fileRow: _, ...written } of readNdjson(chunks, 'kept')) yield written;
}

const csv = async (text: string | Buffer, length?: number) =>
  (await collect(readCsv(pieces(text, length)))).map(({ cells: _, externalId: __, ...written }) => written);

t.test('written CSV reads back unchanged, whatever its cells contain', async (t) => {
  // U+0000 is no text, and an escape may begin ISO-2022-JP.
  const cell = fc
    .string({ unit: 'binary', maxLength: 20 })
    .filter((text) => !['\0', '\u001a', '\u001b'].some((character) => text.includes(character)));
  const dialect = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t'),
    record_delimiter: fc.constantFrom('\n', '\r\n'),
    bom: fc.boolean(),
    quoted: fc.constant(true),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }),
      dialect,
      fc.integer({ min: 1, max: 40 }),
      async (rows, style, length) => {
        const read = await csv(stringify([['data', 'file'], ...rows], style), length);
        t.strictSame(
          read.map(({ item, file }) => [item.data, file]),
          rows.filter((cells) => !isEmptyRow(cells)),
        );
      },
    ),
    { numRuns: 200 },
  );
});

t.test('cells are parsed by the type of their option', async (t) => {
  const [read] = await csv(
    [
      'data;dynamic;width;margin;shape;dotsOptions.color;dotsOptions.roundSize;imageOptions.imageSize;' +
        'dotsOptions.gradient;backgroundOptions.gradient.colorStops;File Name',
      '00123;TRUE;600; 4 ;circle;#fff;no;0.5;"{""type"":""radial"",""colorStops"":[]}";[];a b',
    ].join('\n'),
  );
  t.strictSame(read, {
    item: {
      data: '00123',
      dynamic: true,
      width: 600,
      margin: 4,
      shape: 'circle',
      dotsOptions: { color: '#fff', roundSize: false, gradient: { type: 'radial', colorStops: [] } },
      imageOptions: { imageSize: 0.5 },
      backgroundOptions: { gradient: { colorStops: [] } },
    },
    file: 'a b',
    fault: null,
  });
  const [empty] = await csv('data,width,dynamic,file\n,,,a\n');
  t.strictSame(
    empty,
    { item: { data: '' }, file: 'a', fault: null },
    'empty cells set no option, but an empty data cell counts',
  );
  const faulty = await csv(
    'data,width,dynamic,dotsOptions.gradient\na,1O,,\na,,maybe,\na,,constructor,\na,,,{\na,"1,5",,\n',
  );
  t.strictSame(
    faulty.map(({ fault }) => fault),
    [
      'width: must be a number',
      'dynamic: must be true or false',
      'dynamic: must be true or false',
      'dotsOptions.gradient: must be JSON',
      'width: must be a number',
    ],
  );
});

t.test("columns are named after an item's options, inner ones with a dot", async (t) => {
  for (const name of ['data', 'dynamic', 'image', 'qrOptions.errorCorrectionLevel', 'cornersDotOptions.type'])
    t.ok(columnsFor('batch', {}, []).has(name), name);
});

t.test('a malformed table is refused', async (t) => {
  for (const [text, told] of [
    ['', /is empty/],
    [
      'data,shelf\nx,y\n',
      /^row 1 of the file: the header row has a column "shelf" that is not a field; name it with --column, or leave it out with --other-columns skip; docs\/design\.md lists the fields$/,
    ],
    ['data,colour,shelf\nx,y,z\n', /"colour" that is not a field \(did you mean "dotsOptions\.color"\?\);/],
    ['data,dotoptions.Color\nx,y\n', /did you mean "dotsOptions\.color"/],
    ['data,file,Fiel\nx,y,z\n', /"Fiel" that is not a field; /],
    ['width\n5\n', /no column "data"/],
    ['data,width,width\n', /"width" twice/],
    ['data,file,filename\n', /a column "filename"/],
    ['data,width\nx\n', /has 1 cell, and the header row has 2/],
    ['data\n"x\n', /Quote Not Closed/],
    [Buffer.from('data\n\xff\n', 'latin1'), /is not UTF-8/],
  ] as const)
    await t.rejects(csv(text), { message: told });
  const labels = collect(readPlaced(pieces('GTIN,Serial\n0,1\n'), 'kept'));
  const others = collect(readPlaced(pieces('place,count\nx,5\n'), 'kept'));
  await t.rejects(others, { message: /^row 1 of the file: the header row has no column "data"/ });
  await t.rejects(labels, { message: /columns of GS1 data, which need --gs1, but no column "data"/ });
});

t.test('a spreadsheet is read with chosen columns; the others are left out, or refused', async (t) => {
  const path = join(await temporaryFolder(t), 'cups.xlsx');
  await writeFile(
    path,
    xlsxOf([
      ['Where', 'Title', 'Width', 'Shelf'],
      ['https://example.com/', 'Menu', 'x', 'top'],
    ]),
  );
  const mapping = ['data=where', 'width='].reduce((all, option) => addColumn(option, all), {});
  const rowsOf = async (columns: Parameters<typeof sourceOf>[2], others: 'batch' | 'kept' = 'batch') => {
    let sha256 = '';
    const source = sourceOf(path, undefined, columns);
    const rows = await collect(readRows(source, (digest) => (sha256 = digest), others));
    t.equal(sha256.length, 64);
    return rows;
  };
  t.match(await rowsOf({ mapping, others: 'skipped' }), [
    { row: 1, name: 'Menu', item: ok('{"data":"https://example.com/"}') },
  ]);
  t.match(await rowsOf({ mapping, others: 'refused' }, 'kept'), [{ cells: { Shelf: 'top', Width: 'x' } }]);
  await t.rejects(rowsOf({ mapping, others: 'refused' }), {
    message:
      /cups\.xlsx: .* a column "Width" that is not a field \(did you mean "print\.width_mm"\?\); name it/,
  });
  await t.rejects(rowsOf(undefined), { message: /no column "data".*say with --column which one it is/ });
  await writeFile(path, 'data\nx\n');
  await t.rejects(rowsOf(undefined), { message: /cups\.xlsx is not an XLSX file/ });
  t.throws(() => addColumn('data', {}), { message: /write it as field=column/ });
  t.throws(() => sourceOf('a.ndjson', undefined, { mapping, others: 'refused' }), {
    message: /for CSV and XLSX/,
  });
});

t.test('columns that no item uses are kept for captions on request', async (t) => {
  const text = 'data,shelf,width,file\nx,A 1,300,y\n';
  await t.rejects(collect(readCsv(pieces(text))), { message: /column "shelf"/ });
  t.strictSame(await collect(readCsv(pieces(text), 'kept')), [
    {
      item: { data: 'x', width: 300 },
      file: 'y',
      externalId: null,
      cells: { data: 'x', shelf: 'A 1', width: '300', file: 'y' },
      fault: null,
    },
  ]);
  const line = '{"data":"x","shelf":7,"size":{"a":1}}\n';
  t.strictSame(await collect(readLinesOf(pieces(line))), [
    { item: { data: 'x' }, file: null, externalId: null, cells: { data: 'x', shelf: '7' }, fault: null },
  ]);
});

t.test('NDJSON is split only at line feeds', async (t) => {
  const items = [
    { data: 'a\u2028b\u2029c\u0085', file: 'x' },
    { data: 5, foo: null },
  ];
  const text = `\n${items.map((item) => JSON.stringify(item)).join('\r\n\n')}`;
  for (const length of [1, 2, 7, 1000]) {
    t.strictSame(await collect(readLinesOf(pieces(text, length))), [
      {
        item: { data: items[0]!.data },
        file: 'x',
        externalId: null,
        cells: { data: items[0]!.data },
        fault: null,
      },
      { item: { data: 5 }, file: null, externalId: null, cells: { data: '5' }, fault: null },
    ]);
  }
  const [faulty] = await collect(readNdjson(pieces('{"data":"x","file":5}\n'), 'batch'));
  t.equal(faulty!.fault, 'file: must be text');
  for (const [line, told] of [
    ['[1]', /line 2 is not a JSON object/],
    ['{', /line 2 is not JSON/],
    ['null', /not a JSON object/],
  ] as const) {
    await t.rejects(collect(readNdjson(pieces(`{}\n${line}\n{}`), 'batch')), { message: told });
  }
});

t.test(
  'lines end at line feeds wherever a chunk ends, and those that are too long are refused',
  async (t) => {
    const text = 'äb\n\ncd\nrest';
    for (const length of [1, 3, 100]) {
      t.strictSame(await collect(readLines(pieces(text, length), 4)), ['äb', 'cd', 'rest']);
      await t.rejects(collect(readLines(pieces(text, length), 3)), RangeError);
    }
  },
);

t.test('file names are unique, legal on every file system, and deterministic', async (t) => {
  const wanted = fc.option(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('a', 'A.png', 'a~2', 'con', '..', '/etc/passwd', ' ', '000002', '.png', 'é', 'e\u0301'),
    ),
    { nil: null },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(wanted, { maxLength: 30 }), async (all) => {
      const [first, second] = [createNames(), createNames()];
      const names = all.map((name, index) => first(index + 1, name));
      t.strictSame(
        all.map((name, index) => second(index + 1, name)),
        names,
      );
      t.equal(new Set(names.map((name) => name.normalize('NFC').toLowerCase())).size, names.length);
      for (const name of names) {
        const isSafe = /^(?![. ])(?!(con|prn|aux|nul|com\d|lpt\d)(\.|$))[^\p{Cc}/\\:*?"<>|]+$/iu.test(name);
        if (!isSafe || Buffer.byteLength(name) > 240 || !name.isWellFormed()) throw new Error(name);
      }
    }),
    { numRuns: 60 },
  );
  const nameOf = createNames();
  const asked = ['table 1', 'Table 1.PNG', null, 'table 1~2', '000003', 'a/b', ''];
  t.strictSame(
    asked.map((name, index) => nameOf(index + 1, name)),
    ['table 1', 'Table 1~2', '000003', 'table 1_2', '000003~5', 'a_b', '000007'],
  );
});

t.test('thousands of different names get no suffix', async (t) => {
  const nameOf = createNames();
  let marked = 0;
  for (let row = 1; row <= casesOf(20_000); row += 1)
    if (nameOf(row, `item ${row}`).includes('~')) marked += 1;
  t.equal(marked, 0);
});

t.test('the summary uses the singular for one code, row or unit', async (t) => {
  const firstFailed = [{ row: 2, fileRow: 4, error: 'no' }];
  const manifest = { path: 'm.csv', rows: 2, failed: 1, firstFailed, lowestGrade: 2, belowBest: 1 };
  const summary = { rows: 3, manifest, stopped: null };
  t.equal(
    toText(summary),
    '1 of 3 codes made; m.csv\n1 has a grade below 4, the lowest 2; see the column grade\n1 row failed:\n  row 4 of the file: no\n',
  );
  const tell = (more: object) => conclude({ ...summary, ...more }, {}, terminalOf().terminal);
  t.throws(() => tell({}), { message: '1 row failed' });
  const stopped = commandError('full');
  t.throws(() => tell({ stopped }), { message: /^full\n1 row failed and 1 row is not done; / });
  const allFailed = { ...manifest, rows: 2000, failed: 2000 };
  t.throws(
    () => tell({ stopped, rows: 2000, manifest: allFailed, advice: 'begin anew' }),
    { message: 'full\n2,000 rows failed; begin anew' },
    'not: 0 rows are not done',
  );
  const allMade = { ...manifest, rows: 3, failed: 0 };
  t.throws(() => tell({ stopped, manifest: allMade }), { message: 'full' });
});
