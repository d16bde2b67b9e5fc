import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import t from 'tap';
import type { Api } from '../../src/cli/api.ts';
import { createMaker, toCalls } from '../../src/cli/bulk/calls.ts';
import { columnsFor } from '../../src/cli/bulk/input/columns.ts';
import { type Row, readRows } from '../../src/cli/bulk/input/input.ts';
import { readNdjson } from '../../src/cli/bulk/input/ndjson.ts';
import { addColumn, sourceOf } from '../../src/cli/bulk/input/source.ts';
import { readTable } from '../../src/cli/bulk/input/table.ts';
import { openJournal, readJournal, resume } from '../../src/cli/bulk/journal.ts';
import { createNames } from '../../src/cli/bulk/names.ts';
import { conclude, toText } from '../../src/cli/commands/bulk.ts';
import { commandError } from '../../src/cli/fault.ts';
import { createPace, readRetryAfterMs } from '../../src/cli/pace.ts';
import { createPatient, hasStatus } from '../../src/cli/patient.ts';
import { readLines } from '../../src/csv/lines.ts';
import { createNotes, isEmptyRow } from '../../src/csv/notes.ts';
import { readCsvRecords } from '../../src/csv/records.ts';
import { FAILURES } from '../../src/generate/refusals.ts';
import { BUSY } from '../../src/logo/outcome.ts';
import { ok } from '../../src/result.ts';
import type { TestScope } from '../servers/server-process.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { casesOf, someOf } from '../support/cases.ts';
import { xlsxOf } from '../support/files/xlsx.ts';
import {
  bulkOf,
  fakeGateway,
  fakePicture,
  made,
  type Received,
  type Reply,
  run,
  terminalOf,
} from './support.ts';

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

const readPlaced = (chunks: AsyncIterable<Buffer>, others?: 'refused' | 'kept') =>
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
  for await (const { fileRow: _, uniqueText: __, ...written } of readPlaced(...args)) yield written;
}

async function* readLinesOf(...args: Parameters<typeof readNdjson>) {
  for await (const { fileRow: _, uniqueText: __, ...written } of readNdjson(...args)) yield written;
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
    t.ok(columnsFor('refused', {}, null, null).has(name), name);
});

t.test('a malformed table is refused', async (t) => {
  for (const [text, told] of [
    ['', /is empty/],
    [
      'data,shelf\nx,y\n',
      /^row 1 of the file: the header row has a column "shelf" that is no field; name it with --column, or leave it out with --other-columns skip; docs\/design\.md lists the fields$/,
    ],
    ['data,colour,shelf\nx,y,z\n', /"colour" that is no field \(did you mean "dotsOptions\.color"\?\);/],
    ['data,dotoptions.Color\nx,y\n', /did you mean "dotsOptions\.color"/],
    ['data,file,Fiel\nx,y,z\n', /"Fiel" that is no field; /],
    ['width\n5\n', /no column "data"/],
    ['place,count\nx,5\n', /^row 1 of the file: the header row has no column "data"/],
    ['GTIN,Serial\n0,1\n', /columns of GS1 data, which need --remote and .*, but no column "data"/],
    ['data,width,width\n', /"width" twice/],
    ['data,slug\nx,\ny,menu\n', /row 3 of the file, column slug: only a batch .* add --remote/],
    ['data,Alias\nx,menu\n', /row 2 of the file, column slug/],
    ['data,file,filename\n', /a column "filename"/],
    ['data,width\nx\n', /has 1 cell, and the header row has 2/],
    ['data\n"x\n', /Quote Not Closed/],
    [Buffer.from('data\n\xff\n', 'latin1'), /is not UTF-8/],
  ] as const)
    await t.rejects(csv(text), { message: told });
  t.equal((await csv('data,slug\nx,\n')).length, 1, 'an empty slug sets none');
});

t.test('a spreadsheet is read with chosen columns; the others are left out, or refused', async (t) => {
  const path = join(await temporaryFolder(t), 'cups.xlsx');
  await writeFile(
    path,
    xlsxOf([
      ['Web page', 'Title', 'Width', 'Shelf'],
      ['https://example.com/', 'Menu', 'x', 'top'],
    ]),
  );
  const mapping = ['data=web page', 'width='].reduce((all, option) => addColumn(option, all), {});
  const rowsOf = async (columns: Parameters<typeof sourceOf>[2], others?: 'kept') => {
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
    message: /cups\.xlsx: .* a column "Width" that is no field; name it/,
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
  t.strictSame(await collect(readLinesOf(pieces(line), 'kept')), [
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
      { item: items[1], file: null, externalId: null, cells: { data: '5' }, fault: null },
    ]);
  }
  const [faulty] = await collect(readNdjson(pieces('{"data":"x","file":5}\n')));
  t.equal(faulty!.fault, 'file: must be text');
  for (const [line, told] of [
    ['[1]', /line 2 is not a JSON object/],
    ['{', /line 2 is not JSON/],
    ['null', /not a JSON object/],
  ] as const) {
    await t.rejects(collect(readNdjson(pieces(`{}\n${line}\n{}`))), { message: told });
  }
});

t.test('lines carry the offset of their end, and lines that are too long are refused', async (t) => {
  const text = 'äb\n\ncd\nrest';
  for (const length of [1, 3, 100]) {
    const ended = [
      { text: 'äb', endByte: 4 },
      { text: 'cd', endByte: 8 },
    ];
    t.strictSame(await collect(readLines(pieces(text, length), 4, 'drop')), ended);
    t.strictSame(await collect(readLines(pieces(text, length), 4, 'take')), [
      ...ended,
      { text: 'rest', endByte: 12 },
    ]);
    await t.rejects(collect(readLines(pieces(text, length), 3, 'take')), RangeError);
  }
});

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

const rowOf = (row: number, json = `{"data":"${row}"}`): Row => ({
  row,
  fileRow: row + 1,
  uniqueText: null,
  name: String(row),
  externalId: null,
  content: String(row),
  item: { ok: true, value: json },
  cells: {},
});

t.test('calls hold a hundred rows, or fewer large ones', async (t) => {
  async function* rows(sizes: readonly number[]): AsyncGenerator<Row> {
    for (const [index, size] of sizes.entries()) yield rowOf(index + 1, 'x'.repeat(size));
  }
  const MB = 1024 * 1024;
  for (const [sizes, wanted] of [
    [[], []],
    [new Array(200).fill(1), [100, 100]],
    [new Array(201).fill(1), [100, 100, 1]],
    [
      [1, 6 * MB, 3 * MB, 4 * MB, 9 * MB, 1],
      [2, 2, 1, 1],
    ],
  ] as const) {
    const calls = await collect(toCalls(rows(sizes)));
    t.strictSame(
      calls.map(({ index, rows: made }) => [index, made.length]),
      wanted.map((length, index) => [index, length]),
    );
  }
});

t.test('a journal cut at any byte continues after its last complete entry', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'whole');
  await writeFile(path, '');
  const journal = await openJournal(path, 0);
  const rows = [
    { row: 1, content: 'ä\n', error: 'no' },
    { row: 2, content: '', files: [{ format: 'png', file: '2.png', sha256: 'x' }] },
  ];
  const { begin, end } = journal;
  await Promise.all([begin(0), begin(1), end(1, rows), end(0, rows.slice(1))]);
  await journal.close();
  const whole = await readFile(path);
  const entries = await collect(readJournal(path));
  t.equal(entries.length, 4);

  const anywhere = someOf(Array.from({ length: whole.length + 1 }, (_, cut) => cut));
  const aroundEnds = entries.flatMap(({ endByte }) => [endByte - 1, endByte, endByte + 1]);
  for (const cut of new Set([...anywhere, ...aroundEnds])) {
    const cutPath = join(folder, 'cut');
    await writeFile(cutPath, whole.subarray(0, cut));
    const kept = entries.filter(({ endByte }) => endByte <= cut);
    const resumed = await resume(cutPath);
    t.equal(resumed.journalBytes, kept.at(-1)?.endByte ?? 0);
    const again = await openJournal(cutPath, resumed.journalBytes);
    await again.end(7, []);
    await again.close();
    const read = (await collect(readJournal(cutPath))).map(({ entry }) => entry);
    t.strictSame(read, [...kept.map(({ entry }) => entry), { done: 7, rows: [] }]);
  }
  const resumed = await resume(path);
  t.strictSame([resumed.rowsDone, resumed.rowsFailed], [3, 1]);
  t.strictSame([0, 1, 2].map(resumed.isDone), [true, true, false]);

  await writeFile(path, `${whole.subarray(0, 30)}\n${whole}`);
  await t.rejects(resume(path), { message: /is damaged before byte 31/ });
});

t.test('after as many calls as a second allows, the next one waits for the next second', async (t) => {
  const stop = new AbortController();
  const pace = createPace(stop.signal);
  pace.note(new Headers({ ratelimit: '"burst";r=1;t=1, "monthly";r=0;t=99' }));
  await pace.turn();
  pace.note(new Headers({ ratelimit: '"key";r=0;t=1, "burst";r=3;t=1, "monthly";r=5;t=99' }));
  let came = false;
  const turn = pace.turn().then(() => {
    came = true;
  });
  await sleep(500);
  t.notOk(came);
  await turn;
  pace.hold(60_000);
  const late = pace.turn();
  stop.abort();
  await t.rejects(late);
});

t.test('Retry-After is a number of seconds or a date', async (t) => {
  const of = (value: string) => readRetryAfterMs(new Headers({ 'retry-after': value }));
  t.equal(of('3'), 3000);
  t.equal(of('Fri, 01 Jan 1999 00:00:00 GMT'), 0);
  t.ok(of(new Date(Date.now() + 60_000).toUTCString())! > 50_000);
  t.equal(of('soon'), null);
  t.equal(readRetryAfterMs(new Headers()), null);
});

t.test('rows that failed because of the service are retried under another key', async (t) => {
  const { crashed: _, ...passing } = FAILURES;
  const faults = [...Object.values(passing), `image: ${BUSY.fault.message}`];
  for (const fault of faults) {
    const keys: string[] = [];
    const make = createMaker({
      runId: 'run',
      folderName: 'F',
      files: { faultOf: () => null, make: async () => ok({ files: [] }), close: async () => {} },
      store: { flush: async () => {} },
      sender: {
        mayHaveMade: () => true,
        async send(_, key) {
          keys.push(key);
          const error = keys.length < 3 ? fault : 'too bad';
          return { kind: 'made', results: [{ error, grade: null, warnings: '' }], remaining: 1 };
        },
      },
    });
    const { rows } = await make({ index: 0, rows: [rowOf(1)] });
    t.strictSame(rows, [{ row: 1, fileRow: 2, content: '1', error: 'too bad' }]);
    t.equal(new Set(keys).size, 3, 'the stored answer to the first call would repeat the failure');
  }
});

/** A run in a folder of its own, against a fake gateway. */
const bulk = async (
  t: TestScope,
  input: string,
  reply: (received: Received, index: number) => Reply | Promise<Reply>,
) => {
  const gateway = await fakeGateway(t, (received, index) =>
    received.url.startsWith('/api/v1/links/')
      ? { status: 200, body: { short_url: `https://q.test/l/${received.url.slice(14)}` } }
      : reply(received, index),
  );
  const env = { TESSERA_URL: gateway.url, TESSERA_KEY: 'tsr_key' };
  const { file, out, manifest } = await bulkOf(t, env, input);
  return {
    ...{ out, file, gateway, manifest },
    async go(args: readonly string[] = [], signal?: AbortSignal) {
      const ran = await run(['bulk', file, '--out', out, '--json', ...args], env, signal);
      return { ...ran, summary: ran.out === '' ? null : JSON.parse(ran.out) };
    },
  };
};

/** An answer of a gateway that reports an error. */
const refusal = (status: number, error: string, details = ''): Reply => ({
  ...{ status, body: { error, details } },
  headers: { 'retry-after': '0' },
});

const numbered = (count: number): string =>
  `data\n${Array.from({ length: count }, (_, index) => `code ${index + 1}\n`).join('')}`;

t.test('a run makes a picture and a manifest line for each row', async (t) => {
  const input = 'data,dynamic,file\n=1+1,,x\n@home,,x\n"http://a.test/,",true,\n\ue000\u00fc,,\n';
  const { go, gateway, manifest, out } = await bulk(t, input, ({ body }) => ({
    status: 200,
    body: {
      results: body.items.map((item) => ({
        success: true,
        data: fakePicture(item.data),
        ...(item.dynamic ? { slug: 'abcd1234' } : {}),
      })),
      meta: { remaining: 5 },
    },
  }));
  const { code, err, summary } = await go(['--folder', 'My "folder"']);
  t.equal(code, 0, err);
  t.match(summary, { rows: 4, made: 4, failed: 0, not_done: 0, remaining: 5, stopped: null });
  t.match(gateway.received[0], {
    url: '/api/v1/qr/bulk',
    authorization: 'Bearer tsr_key',
    idempotencyKey: /^tessera-bulk-[\w-]{36}-0-0-[0-9a-f]{32}$/,
    body: { folderName: 'My "folder"', items: [{ data: '=1+1' }, {}, { dynamic: true }, {}] },
  });
  const lines = await manifest();
  t.strictSame(
    lines.map(({ row, content, slug, short_url, file }) => [row, content, slug, short_url, file]),
    [
      ['1', "'=1+1", '', '', 'x.png'],
      ['2', "'@home", '', '', 'x~2.png'],
      ['3', 'http://a.test/,', 'abcd1234', 'https://q.test/l/abcd1234', '000003.png'],
      ['4', '\ue000\u00fc', '', '', '000004.png'],
    ],
  );
  const files = ['.tessera', '000003.png', '000004.png', 'manifest.csv', 'x.png', 'x~2.png'];
  t.strictSame((await readdir(out)).sort(), files);
  t.equal(await readFile(join(out, 'x~2.png'), 'utf8'), 'picture of @home');
  t.match(lines[0]!.sha256, /^[0-9a-f]{64}$/);
});

t.test('the run retries failed calls under the same key', async (t) => {
  const trouble: Reply[] = [
    'hang-up',
    refusal(503, 'Service overloaded'),
    refusal(429, 'Rate limit exceeded'),
    refusal(409, 'Request still running'),
    { status: 502, body: '<html>' },
    refusal(500, 'Internal error'),
  ];
  const { go, gateway } = await bulk(t, numbered(3), (received, index) => trouble[index] ?? made(received));
  const { code, err } = await go();
  t.equal(code, 0, err);
  t.equal(gateway.received.length, 7);
  t.equal(new Set(gateway.received.map(({ idempotencyKey }) => idempotencyKey)).size, 1);
});

t.test('an unreachable gateway is reported at once, and only once per outage', async (t) => {
  const lost = [0, 1, 3];
  const here = await bulk(t, numbered(201), (received, index) =>
    lost.includes(index) ? 'hang-up' : made(received),
  );
  const far = await bulk(t, numbered(1), (_, index) =>
    index < 2 ? 'hang-up' : refusal(403, 'Pro plan required'),
  );
  const told = (err: string, { url }: { url: string }): number =>
    err.split(`${url} cannot be reached (UND_ERR_SOCKET); trying again for up to 5 minutes\n`).length - 1;
  t.equal(told((await here.go(['--concurrency', '1'])).err, here.gateway), 2);
  t.equal(told((await far.go(['--remote'])).err, far.gateway), 1);
  t.strictSame([here.gateway.received.length, far.gateway.received.length], [6, 3]);
});

t.test('a row that the gateway refuses does not fail its batch', async (t) => {
  const { go, gateway, manifest } = await bulk(t, numbered(5), (received) => {
    const texts = received.body.items.map((item) => item.data);
    for (const [bad, details] of [
      ['code 2', 'width: must be at least 50'],
      ['code 5', 'dotsOptions.color: must be: a colour'],
    ] as const) {
      const index = texts.indexOf(bad);
      if (index !== -1) {
        return { status: 400, body: { error: 'Invalid request body', details: `items.${index}.${details}` } };
      }
    }
    return made(received);
  });
  const { code, err, summary } = await go();
  t.equal(code, 1);
  t.match(err, '2 rows failed');
  t.match(summary, { made: 3, failed: 2, not_done: 0 });
  t.strictSame(
    gateway.received.map(({ body }) => body.items.length),
    [5, 4, 3],
  );
  t.strictSame(
    (await manifest()).map(({ error }) => error),
    ['', 'width: must be at least 50', '', '', 'dotsOptions.color: must be: a colour'],
  );
});

t.test('a run that the gateway stopped can be resumed', async (t) => {
  let stopped = true;
  const { go, gateway, manifest } = await bulk(t, numbered(201), (received, index) =>
    stopped && index >= 1 ? refusal(429, 'Quota exhausted', 'Buy credits.') : made(received),
  );
  const first = await go(['--concurrency', '1']);
  t.equal(first.code, 1);
  t.match(
    first.err,
    /tessera: Quota exhausted: Buy credits\.\n101 rows are not done; run the same command again/,
  );
  t.match(first.summary, { made: 100, not_done: 101, stopped: 'Quota exhausted: Buy credits.' });
  t.equal((await manifest()).length, 100, 'the codes already paid for are reported');
  stopped = false;
  const second = await go();
  t.equal(second.code, 0, second.err);
  t.match(second.err, 'Continuing: 100 rows were done before.');
  t.strictSame(
    (await manifest()).map(({ row }) => row),
    Array.from({ length: 201 }, (_, index) => String(index + 1)),
  );
  const [, refused, again] = gateway.received;
  t.equal(refused!.idempotencyKey, again!.idempotencyKey);
  const before = gateway.received.length;
  t.equal((await go()).code, 0, 'running it again changes nothing');
  t.equal(gateway.received.length, before);
});

t.test('an error that no retry can cure stops a run at once', async (t) => {
  for (const [reply, told, calls = 1] of [
    [refusal(401, 'Missing or invalid API key'), /does not know this key; give --key or TESSERA_KEY\n/],
    [refusal(403, 'Pro plan required', 'Upgrade.'), /Pro plan required: Upgrade\./],
    [refusal(400, 'Invalid request body', 'folderName: no'), /folderName: no/],
    [refusal(422, 'Idempotency-Key reused'), /Idempotency-Key reused/],
    [{ status: 200, body: '<html>' }, /does not answer as a Tessera gateway/],
    [
      { status: 200, body: { results: [{ success: true, data: 'data:text/html,x' }], meta: {} } },
      /something other than a PNG/,
    ],
    // This one may succeed.
    [refusal(500, 'Internal error'), /Internal error/, 5],
  ] as const) {
    const { go, gateway } = await bulk(t, numbered(1), () => reply);
    const { code, err } = await go();
    t.equal(code, 1);
    t.match(err, told);
    t.equal(gateway.received.length, calls);
  }
});

t.test('a batch that was sent but not recorded as done is sent again with the same bytes', async (t) => {
  const { go, gateway, out, manifest } = await bulk(t, numbered(101), made);
  t.equal((await go()).code, 0);
  const path = join(out, '.tessera/journal.ndjson');
  const begun = (await readFile(path, 'utf8')).split('\n').filter((line) => line.includes('"begun"'));
  await writeFile(path, `${begun.join('\n')}\n{"done":0,"rows":[{"row":1,`);
  const calls = gateway.received.length;
  t.equal((await go()).code, 0);
  const byKey = (list: readonly Received[]) =>
    Object.fromEntries(list.map(({ idempotencyKey, body }) => [idempotencyKey, body]));
  t.strictSame(byKey(gateway.received.slice(calls)), byKey(gateway.received.slice(0, calls)));
  t.equal((await manifest()).length, 101);
});

t.test('a call that was first sent a day ago is sent again only with --pay-again', async (t) => {
  const { go, out } = await bulk(t, numbered(2), made);
  t.equal((await go()).code, 0);
  const begun = (call: number, hoursAgo: number): string =>
    `${JSON.stringify({ begun: call, at: new Date(Date.now() - hoursAgo * 3_600_000).toISOString() })}\n`;
  await writeFile(join(out, '.tessera/journal.ndjson'), begun(0, 25) + begun(1, 2) + begun(0, 1));
  const { code, err } = await go();
  t.equal(code, 1);
  t.match(err, /1 call was sent more than 23 hours ago[\s\S]*--pay-again/);
  t.equal((await go(['--pay-again'])).code, 0);
});

t.test('a journal of a different run is refused', async (t) => {
  const { go, file, out } = await bulk(t, numbered(2), made);
  t.equal((await go(['--folder', 'A'])).code, 0);
  t.match((await go(['--folder', 'B'])).err, /was begun with --folder "A"/);
  t.match((await go(['--url', 'http://localhost:1'])).err, /was begun with --url http:\/\/127/);
  t.match((await go(['--key', 'tsr_another_key'])).err, /begun with the key tsr_key…/);
  await appendFile(file, 'code 3\n');
  const changed = await go();
  t.equal(changed.code, 1);
  t.match(changed.err, /codes\.csv has changed since the run in .* began with it/);

  await mkdir(`${out}2`);
  await writeFile(join(`${out}2`, 'holiday.jpg'), '');
  t.match((await go(['--out', `${out}2`])).err, /is not empty and has no earlier run/);
  t.strictSame(await readdir(`${out}2`), ['.tessera', 'holiday.jpg']);
});

t.test('a run that made nothing starts over with other options', async (t) => {
  const refused = refusal(401, 'Missing or invalid API key');
  const answer = (received: Received): Reply =>
    received.authorization === 'Bearer tsr_right_key' ? made(received) : refused;
  for (const remote of [[], ['--remote']]) {
    const { go, out, manifest } = await bulk(t, numbered(101), answer);
    t.equal((await go(['--key', 'tsr_wrong_key', '--folder', 'A', ...remote])).code, 1);
    await writeFile(join(out, 'errors.ndjson'), 'old');
    const again = await go(['--key', 'tsr_right_key', '--folder', 'B', '--min-grade', '1']);
    t.equal(again.code, 0, again.err);
    t.notMatch(again.err, 'was begun with');
    t.equal((await manifest()).length, 101);
    t.notOk((await readdir(out)).includes('errors.ndjson'));
    t.match((await go(['--key', 'tsr_right_key', '--folder', 'C'])).err, 'was begun with --');
  }
  const { go } = await bulk(t, numbered(1), (_, index) => (index === 0 ? 'hang-up' : refused));
  t.equal((await go(['--folder', 'A'])).code, 1);
  t.match((await go(['--folder', 'B'])).err, /was begun with --folder "A"/, 'a code may have been made');
  t.equal((await go()).code, 1);
  t.match((await go(['--folder', 'B'])).err, 'was begun with --folder', 'a refusal does not prove this');
});

t.test('rows that repeat an earlier one are refused before anything is sent, or reported', async (t) => {
  const gs1 = (serial: string) => `(01)09521321000018(21)${serial},element-string`;
  const lines = ['data,qrOptions.gs1', gs1('A1'), gs1('A7'), gs1('A7'), 'x,', 'x,'];
  let calls = 0;
  const { go } = await bulk(t, lines.join('\n'), (received) => {
    calls += 1;
    return made(received);
  });
  const refused = await go();
  t.equal(refused.code, 1);
  t.match(refused.err, '1 row repeats an earlier row:\n  row 4 repeats row 3 of the file: the same GS1 key');
  t.equal(calls, 0, 'nothing was sent');
  const { code, summary } = await go(['--duplicates', 'report']);
  t.equal(code, 0);
  t.match(summary, {
    ...{ made: 5, duplicates: 2 },
    duplicate_rows: [
      { row: 3, file_row: 4, first_row: 2, first_file_row: 3, kind: 'gs1-key' },
      { row: 5, file_row: 6, first_row: 4, first_file_row: 5, kind: 'content' },
    ],
  });
});

t.test('--unique compares any column, also one that is no field', async (t) => {
  const lines = ['', 'data,lot', 'x,A', '', 'y,A'];
  const { go } = await bulk(t, lines.join('\n'), made);
  const skip = ['--other-columns', 'skip'];
  const refused = await go(['--unique', 'lot', ...skip]);
  t.match(refused.err, 'row 5 repeats row 3 of the file: the same value, which must be unique');
  t.match((await go(['--unique', 'name', ...skip])).err, 'row 3 of the file: name is required');
});

t.test('the summary uses the singular for one code, row or unit', async (t) => {
  const firstFailed = [{ row: 2, fileRow: 4, error: 'no' }];
  const manifest = { path: 'm.csv', rows: 2, failed: 1, firstFailed, lowestGrade: 2, belowBest: 1 };
  const summary = { rows: 3, manifest, remaining: 1, stopped: null };
  t.equal(
    toText(summary),
    '1 of 3 codes made; m.csv\n1 has a grade below 4, the lowest 2; see the column grade\n1 unit is left.\n1 row failed:\n  row 4 of the file: no\n',
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

t.test('two processes cannot work on the same run', async (t) => {
  let second: Promise<{ code: number; err: string }> | undefined;
  const tested = await bulk(t, numbered(2), async (received) => {
    second ??= tested.go();
    t.match(await second, { code: 1, err: /is in use by process/ });
    return made(received);
  });
  t.equal((await tested.go()).code, 0);
});

t.test('the manifest is in row order, whatever the order in which calls end', async (t) => {
  let others = 0;
  let release = () => {};
  const last = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { go, manifest } = await bulk(t, numbered(401), async (received) => {
    if (received.body.items[0]!.data === 'code 1') await last;
    else if (++others === 4) release();
    return made(received);
  });
  t.equal((await go(['--concurrency', '3'])).code, 0);
  t.strictSame(
    (await manifest()).map(({ row, content }) => `${row} ${content}`),
    Array.from({ length: 401 }, (_, index) => `${index + 1} code ${index + 1}`),
  );
});

t.test('after an interrupt, running calls finish and no other starts', async (t) => {
  const interrupt = new AbortController();
  const { go, gateway } = await bulk(t, numbered(301), (received) => {
    interrupt.abort();
    return made(received);
  });
  const { code, err, summary } = await go(['--concurrency', '2'], interrupt.signal);
  t.equal(code, 1);
  t.match(err, 'interrupted');
  t.equal(summary.made, gateway.received.length * 100);
  t.ok(gateway.received.length <= 2);
  t.equal((await go()).code, 0);
});

t.test('a client with retries repeats a request only after answers that may change', async (t) => {
  const statuses = [400, 401, 403, 404, 409, 422, 428, 429, 430, 499, 500, 502, 503, 599];
  for (const status of statuses) {
    for (const error of ['Quota exhausted', 'Rate limit exceeded']) {
      const answers = [{ status, headers: new Headers(), body: { error, details: '' } }];
      const send = async () => answers.shift() ?? { status: 200, headers: new Headers(), body: {} };
      const patient = createPatient({ url: '', send } as unknown as Api, new AbortController().signal, {
        write: () => {},
      });
      const outcome = await patient.ask({ method: 'GET', path: '/' }, hasStatus(200)).catch(() => null);
      const mayChange = status >= 500 || (status === 429 && error !== 'Quota exhausted');
      t.equal(outcome !== null, mayChange, `${status} ${error}`);
    }
  }
});
