/** The files of batches in all formats, for screens and for print. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import t from 'tap';
import { type FileFormat, FORMATS as KNOWN, namesOf } from '../../workers/lists.ts';
import { newSender, sharedBatchApp } from './support.ts';

const FORMATS = namesOf(KNOWN);

const square = sharp({ create: { width: 48, height: 48, channels: 3, background: '#c00' } });
const logo = `data:image/png;base64,${(await square.png().toBuffer()).toString('base64')}`;
const { app } = await sharedBatchApp();
const { post, make, errorsOf, entriesOf, manifestOf } = await newSender(app, { monthlyQuota: 10_000 });

/** The file that a call for a single file answers with. */
const fileOf = async (format: FileFormat, data: string, options: object = {}, print: object = {}) => {
  const query = new URLSearchParams(
    Object.fromEntries(Object.entries(print).map(([name, value]) => [name, String(value)])),
  );
  const accept = KNOWN[format].mediaType;
  const answer = await post(`/qr/file?${query}`, { data, ...options }, { accept });
  if (answer.status !== 200) throw new Error(answer.text);
  return { bytes: answer.bytes, grade: String(answer.headers['tessera-grade']) };
};

t.test('each file equals that of a call for a single file, and the manifest has its SHA-256', async (t) => {
  const design = { width: 200, height: 200, dotsOptions: { color: '#003366' } };
  const print = { module_mm: 0.508, color: 'cmyk', bleed_mm: 2 };
  const rows = [
    { data: 'plain' },
    { data: 'https://example.com/a', dynamic: true },
    { data: 'own design', width: 300, dotsOptions: { type: 'rounded' }, image: logo },
    { data: 'own size', print: { width_mm: 31.75, dpi: 200, quiet_zone: 2 } },
    { data: 'small', print: { module_mm: 0.127, dpi: 600 } },
  ];
  /** What each row requests, written as a call for a single file. */
  const asked = [
    { options: design, print },
    { options: design, print },
    {
      options: { ...design, width: 300, image: logo, dotsOptions: { color: '#003366', type: 'rounded' } },
      print,
    },
    {
      options: design,
      print: { color: 'cmyk', bleed_mm: 2, width_mm: 31.75, dpi: 200, quiet_zone: 2 },
    },
    { options: design, print: { ...print, module_mm: 0.127, dpi: 600 } },
  ];
  const batch = await make(rows, {
    query: `?formats=${FORMATS.join(',')}`,
    headers: { design: JSON.stringify({ ...design, print }) },
  });
  t.strictSame(await errorsOf(batch.id), []);
  t.match(batch, { state: 'done', made: 5, formats: [...FORMATS] });
  const entries = await entriesOf(batch.id);
  t.equal(entries.length, 5 * FORMATS.length + 1);
  const manifest = await manifestOf(batch.id);
  for (const [index, line] of manifest.entries()) {
    const { bytes } = entries.find(({ name }) => name === line.file)!;
    const format = FORMATS[index % FORMATS.length]!;
    const { options, print: own } = asked[Number(line.row) - 1]!;
    const file = await fileOf(format, line.short_url || line.content!, options, own);
    t.ok(bytes.equals(file.bytes), `${line.file}`);
    t.ok(line.file!.endsWith(`.${format}`));
    t.equal(line.sha256, createHash('sha256').update(bytes).digest('hex'));
    t.equal(line.grade, file.grade, 'the grade is that of the single file');
  }
  t.ok(manifest.at(-1)!.grade! < '4', 'the grade takes the size of modules in millimetres into account');
  const lowest = [1, 2, 3, 4, 5].map((row) =>
    Math.min(...manifest.filter((line) => Number(line.row) === row).map(({ grade }) => Number(grade))),
  );
  t.strictSame(
    batch.grades,
    [0, 1, 2, 3, 4].map((grade) => lowest.filter((each) => each === grade).length),
    'a code has the lowest grade of its files',
  );
});

t.test('a batch with one format and no print sizes is in pixels', async (t) => {
  for (const format of FORMATS) {
    const batch = await make([{ data: 'a' }, { data: 'b', width: 120 }], { query: `?formats=${format}` });
    t.match(batch, { state: 'done', made: 2 });
    const [first, second] = await entriesOf(batch.id);
    t.ok(first!.bytes.equals((await fileOf(format, 'a')).bytes), format);
    t.ok(second!.bytes.equals((await fileOf(format, 'b', { width: 120 })).bytes), format);
  }
});

t.test('sizes can be columns of a CSV', async (t) => {
  const csv = 'data,print.width_mm,print.color\nleft,30,cmyk\nright,,\n';
  const batch = await make(csv, {
    query: '?formats=pdf',
    headers: { 'content-type': 'text/csv', design: '{"print":{"module_mm":1}}' },
  });
  t.match(batch, { state: 'done', made: 2 });
  const [left, right] = await entriesOf(batch.id);
  t.ok(left!.bytes.equals((await fileOf('pdf', 'left', {}, { width_mm: 30, color: 'cmyk' })).bytes));
  t.ok(right!.bytes.equals((await fileOf('pdf', 'right', {}, { module_mm: 1 })).bytes));
});

t.test('impossible sizes are errors of their rows, and nothing is charged', async (t) => {
  const sender = await newSender(app);
  const batch = await sender.make(
    [
      { data: 'good' },
      { data: 'no whole dots', print: { module_mm: 0.5 } },
      { data: 'both', print: { module_mm: 0.508, width_mm: 30 } },
      { data: 'too large', print: { module_mm: 50 } },
      { data: 'a link', dynamic: true, print: { dpi: 10 } },
      { data: 'https://example.com/', dynamic: true, print: { width_mm: 30.1 } },
      {
        data: 'https://example.com/',
        dynamic: true,
        qrOptions: { segments: 'optimal' },
        print: { width_mm: 30.1 },
      },
      { data: 'paper', print: { paper: 'transparent' } },
      { data: 'unknown', print: { size: 1 } },
    ],
    { query: '?formats=png,pdf' },
  );
  t.match(batch, { state: 'failed', made: 0, errors: 8 });
  const errors = await sender.errorsOf(batch.id);
  t.strictSame(
    errors.map(({ row, field }) => [row, field]),
    [
      [2, 'print.module_mm'],
      [3, 'print.width_mm'],
      [4, 'print.module_mm'],
      [5, 'print.dpi'],
      [6, 'print.width_mm'],
      [7, 'print.width_mm'],
      [8, 'print.paper'],
      [9, 'print.size'],
    ],
  );
  t.match(errors[0]!.message, /whole dots; send 0\.4/);
  t.equal(await sender.used(), 0);
  const vectors = await sender.make([{ data: 'any size', print: { module_mm: 0.5 } }], {
    query: '?formats=pdf',
  });
  t.match(vectors, { state: 'done', made: 1 });
  const both = { headers: { design: '{"print":{"module_mm":1,"width_mm":30}}' } };
  const refused = await sender.send('{"data":"a"}', both);
  t.match(refused, { status: 400, text: /Design\.print\.width_mm/ });
});
