/** Captions of the files of batches: columns, counters, links, and rows whose caption does not fit. */
import t from 'tap';
import { textOf } from '../../support/pictures/print.ts';
import { newSender, sharedBatchApp } from '../support.ts';

const { app } = await sharedBatchApp();
const { post, put, send, make, errorsOf, entriesOf, manifestOf, preview } = await newSender(app, {
  monthlyQuota: 10_000,
});

const CSV = { 'content-type': 'text/csv' };
const designed = (design: object) => ({ design: JSON.stringify(design) });
const printedAs = (print: object, more: object = {}) =>
  designed({ print: { width_mm: 30, round: 'down', ...print }, ...more });

/** Returns the words of each file, in the order of rows. */
const wordsOf = async (id: string): Promise<readonly string[]> => {
  const files = (await entriesOf(id)).filter(({ name }) => name.endsWith('.pdf'));
  return Promise.all(files.map(async ({ bytes }) => (await textOf(bytes)).trim().split(/\s+/).join(' ')));
};

t.test('a caption names columns, fields of the row and its short link', async (t) => {
  const rows =
    'data,name,external_id,room,dynamic\nhttps://example.com/1,Tür 1,A-1,Küche,true\nhttps://example.com/2,,,,\n';
  const print = {
    caption: '{name} {external_id} {room}\n{content}\n{slug} {short_url}',
    caption_side: 'beside',
  };
  const batch = await make(rows, { query: '?formats=pdf', headers: { ...CSV, ...printedAs(print) } });
  t.match(batch, { state: 'done', made: 2 });
  const [first, second] = await manifestOf(batch.id);
  // Beside a code, lines break.
  const printed = (await wordsOf(batch.id)).map((words) => words.replaceAll(' ', ''));
  t.strictSame(printed, [
    `Tür1A-1Küchehttps://example.com/1${first!.slug}${first!.short_url}`,
    'https://example.com/2',
  ]);
  t.strictSame([first!.warnings, second!.warnings], ['', '']);
});

t.test(
  'a caption names counters, with a width as templates have it, and each number is printed',
  async (t) => {
    await put('/counters/seat', { next: 8 });
    const rows = 'block\nA\nB\nC\n';
    const design = { template: 'https://example.com/{block}' };
    const batch = await make(rows, {
      query: '?formats=pdf,png',
      headers: { ...CSV, ...printedAs({ caption: '{block} {seat:04}, {seat}' }, design) },
    });
    t.match(batch, { state: 'done', made: 3 });
    t.strictSame(await wordsOf(batch.id), ['A 0008, 8', 'B 0009, 9', 'C 0010, 10']);
  },
);

t.test('rows of NDJSON have captions of their own, which may name their values', async (t) => {
  const rows = [
    { data: 'a', values: { room: 'Küche' }, print: { caption: 'in {room}', frame: 'line' } },
    { data: 'b', name: 'B' },
    { data: 'c', print: { caption: '' } },
  ];
  const batch = await make(rows, { query: '?formats=pdf', headers: printedAs({ caption: '{name}' }) });
  t.match(batch, { state: 'done', made: 3 });
  t.strictSame(await wordsOf(batch.id), ['in Küche', 'B', '']);
});

t.test('rows whose caption cannot be printed are errors by name, and nothing is made', async (t) => {
  const rows = [
    { data: 'a', name: 'Short', external_id: 'A' },
    { data: 'b', name: 'x'.repeat(80), external_id: 'B' },
    { data: 'c', name: '日本', external_id: 'C' },
    { data: 'd', values: { other: '1' }, external_id: 'D' },
    { data: 'e', print: { caption: '{other}' }, external_id: 'E' },
  ];
  const batch = await make(rows, { query: '?formats=pdf', headers: printedAs({ caption: '{name}' }) });
  t.match(batch, { state: 'failed', made: 0 });
  t.match(await errorsOf(batch.id), [
    { external_id: 'B', field: 'print.caption', message: /^"x+…" does not fit below this code .* mm wide/ },
    { external_id: 'C', field: 'print.caption', message: /cannot be printed, U\+65E5 日, U\+672C 本/ },
    { external_id: 'D', field: 'other', message: /a template or a caption must name it/ },
    { external_id: 'E', field: 'print.caption', message: /^\{other\} is not known; known are \{content\}/ },
  ]);
});

t.test('what captions may lose is in the manifest', async (t) => {
  const rows = [
    { data: 'a', name: 'Short' },
    { data: 'b', name: 'x'.repeat(80) },
    { data: 'c', name: '日本' },
  ];
  const batch = await make(rows, {
    query: '?formats=pdf,svg',
    headers: printedAs({ caption: '{name}', allow: 'cut,glyphs' }),
  });
  t.match(batch, { state: 'done', made: 3 });
  const manifest = await manifestOf(batch.id);
  t.strictSame(
    manifest.map(({ warnings }) => warnings),
    ['', '', 'caption-cut', 'caption-cut', 'caption-glyphs', 'caption-glyphs'],
  );
});

t.test('options whose caption no row could have are refused when the batch is sent', async (t) => {
  const sent = (print: object, rows = '{"data":"a"}\n') => send(rows, { headers: printedAs(print) });
  for (const [print, details] of [
    [{ caption: '{id}' }, /^Design\.print\.caption: names id; your own id of a row is external_id$/],
    [{ caption: '{width}' }, /^Design\.print\.caption: names width, which is an option of rows/],
    [{ caption: '{n:099}' }, /^Design\.print\.caption: the width in "\{n:099\}" must be 01 to 15$/],
    [{ caption: 'a\nb\nc\nd\ne' }, /^Design\.print\.caption: must have at most 4 lines$/],
    [{ caption: 'a', allow: 'codes' }, /^Design\.print\.allow: must be cut, glyphs/],
  ] as const)
    t.match(await sent(print), { status: 400, json: { details } }, JSON.stringify(print));
  const headers = { ...CSV, ...printedAs({ caption: '{room}' }) };
  const missing = await make('data\na\n', { headers });
  t.match(missing, { state: 'failed' });
  t.match(await errorsOf(missing.id), [{ message: /names "room", which is neither a column/ }]);
});

t.test('a profile gives the caption of all rows, with their columns', async (t) => {
  const options = { format: 'pdf', width_mm: 30, caption: '{room}', frame: 'rounded' };
  await post('/print-profiles', { name: 'Rooms', options });
  const batch = await make('data,room\na,Küche\n', { query: '?profile=Rooms', headers: CSV });
  t.match(batch, { state: 'done', made: 1 });
  t.strictSame(await wordsOf(batch.id), ['Küche']);
});

t.test('a preview tells the rows whose caption does not fit', async (t) => {
  const design = designed({ print: { width_mm: 20, caption: '{name}' } });
  const { text } = await preview(`data,name\na,Short\nb,${'x'.repeat(80)}\n`, 'text/csv', '', design);
  t.match(JSON.parse(text).faulty_rows, [{ file_row: 3, faults: [{ field: 'print.caption' }] }]);
});
