/** The PDFs of a batch as one, a page for each row. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import t from 'tap';
import { createPdfPages } from '../../../src/batches/work/pdf-pages.ts';
import { readGray } from '../../support/pictures/decode.ts';
import { checkPdf, grayPages, textOf } from '../../support/pictures/print.ts';
import { newSender, sharedBatchApp } from '../support.ts';

const { app } = await sharedBatchApp();

const square = sharp({ create: { width: 200, height: 200, channels: 3, background: '#c00' } });
const noise = await square.png({ compressionLevel: 0 }).toBuffer();
const logo = `data:image/png;base64,${noise.toString('base64')}`;

const GRADIENT = {
  type: 'linear',
  colorStops: [
    { offset: 0, color: '#0a2a66' },
    { offset: 1, color: '#000000' },
  ],
};
const DPI = 150;

const pagesIn = (pdf: Buffer): number => [...pdf.toString('latin1').matchAll(/^\/Type \/Page$/gm)].length;

t.test('a part is one PDF with a page for each row, in row order, and the same each time', async (t) => {
  const { make, get } = await newSender(app);
  const rows = Array.from({ length: 30 }, (_, i) => ({
    data: `page ${i + 1}`,
    ...(i % 3 === 1 ? { dotsOptions: { gradient: GRADIENT } } : {}),
    print: { width_mm: 30 + (i % 2) * 10, bleed_mm: 2 },
  }));
  rows[4] = { ...rows[4]!, image: 'https://127.0.0.1:9/none.png' } as never;
  const batch = await make(rows, { query: '?formats=svg,pdf' });
  t.match(batch, { state: 'done', made: 29 });
  const answer = await get(`/batches/${batch.id}/parts/1?output=pages`);
  t.match(answer, { status: 200, headers: { 'content-type': 'application/pdf', 'tessera-pages': '29' } });
  t.match(answer.headers['content-disposition'], /\.pdf"/);
  t.equal(pagesIn(answer.bytes), 29);
  await checkPdf(answer.bytes);
  const prints = await grayPages(answer.bytes, DPI);
  const expected = rows.map(({ data }) => data).filter((_, i) => i !== 4);
  t.strictSame(await Promise.all(prints.map(readGray)), expected);
  const wide = prints.map(({ widthPx }) => Math.round((widthPx / DPI) * 25.4));
  t.strictSame(wide.slice(0, 2), [34, 44], 'each page has the size of its file');
  const again = await get(`/batches/${batch.id}/parts/1?output=pages`);
  t.ok(again.bytes.equals(answer.bytes));
  const known = await get(`/batches/${batch.id}/parts/1?output=pages`, {
    'if-none-match': String(answer.headers.etag),
  });
  t.equal(known.status, 304);
});

t.test('what pages have in common is in the document once', async (t) => {
  const { make, get, entriesOf } = await newSender(app);
  const rows = Array.from({ length: 60 }, (_, i) => ({ data: `text ${i}`, image: logo }));
  const batch = await make(rows, { query: '?formats=pdf' });
  const files = (await entriesOf(batch.id)).slice(0, -1);
  const { bytes } = await get(`/batches/${batch.id}/parts/1?output=pages`);
  await checkPdf(bytes);
  t.equal([...bytes.toString('latin1').matchAll(/^\/Subtype \/Image$/gm)].length, 1);
  const sum = files.reduce((total, file) => total + file.bytes.length, 0);
  t.ok(bytes.length < 0.8 * sum, `${bytes.length} of ${sum} bytes`);
});

t.test('a proof says what the job is, and is measured in millimetres', async (t) => {
  const { make, get, entriesOf } = await newSender(app);
  const rows = Array.from({ length: 12 }, (_, i) => ({ data: `code ${i + 1}`, external_id: `own ${i + 1}` }));
  const design = JSON.stringify({ print: { width_mm: 25, bleed_mm: 3, color: 'cmyk', dpi: 600 } });
  const batch = await make(rows, { query: '?formats=pdf&folder_name=Cups%201', headers: { design } });
  const answer = await get(`/batches/${batch.id}/parts/1?output=pages&proof=true`);
  t.match(answer, { status: 200, headers: { 'tessera-pages': '13' } });
  t.equal(pagesIn(answer.bytes), 13);
  await checkPdf(answer.bytes);
  const text = (await textOf(answer.bytes)).replace(/\s+/g, ' ');
  const manifest = (await entriesOf(batch.id)).at(-1)!.bytes;
  for (const said of [
    'Proof: Cups 1',
    `Batch ${batch.id}`,
    'Part 1 of 1',
    'Rows 1 to 12 of 12: 12 codes',
    'First: row 1 (row 1 of the file): own 1, code 1',
    'Last: row 12 (row 12 of the file): own 12, code 12',
    '25.00 x 25.00 mm, with bleed 31.00 x 31.00 mm',
    'Colours: cmyk. Resolution: 600 dpi.',
  ])
    t.ok(text.includes(said), said);
  t.ok(text.replaceAll(' ', '').includes(createHash('sha256').update(manifest).digest('hex')));
  const [proof] = await grayPages(answer.bytes, 300);
  const { data, widthPx } = proof!;
  const row = Math.round((190 / 25.4) * 300);
  const dark = [row - 1, row, row + 1].map(
    (y) => data.subarray(y * widthPx, (y + 1) * widthPx).filter((value) => value < 200).length,
  );
  t.ok(Math.abs((Math.max(...dark) / 300) * 25.4 - 100) < 0.3, 'the line is 100 mm long');
});

t.test('a reprint can be one PDF of its rows', async (t) => {
  const { make, post } = await newSender(app);
  const rows = Array.from({ length: 9 }, (_, i) => ({ data: `label ${i + 1}` }));
  const batch = await make(rows, { query: '?formats=pdf,svg' });
  const answer = await post(`/batches/${batch.id}/reprints`, { rows: [7, 2], output: 'pages' });
  t.match(answer, { status: 200, headers: { 'content-type': 'application/pdf' } });
  await checkPdf(answer.bytes);
  const read = await Promise.all((await grayPages(answer.bytes, DPI)).map(readGray));
  t.strictSame(read, ['label 2', 'label 7']);
});

t.test('what cannot be pages is refused', async (t) => {
  const { make, get, post } = await newSender(app);
  const batch = await make([{ data: 'a' }], { query: '?formats=svg' });
  const pages = await get(`/batches/${batch.id}/parts/1?output=pages`);
  t.match(pages, {
    status: 400,
    json: { details: /^output: pages are made of PDFs, and this batch has svg/ },
  });
  const proof = await get(`/batches/${batch.id}/parts/1?proof=true`);
  t.match(proof, { status: 400, json: { details: 'proof: needs output=pages' } });
  const reprint = await post(`/batches/${batch.id}/reprints`, { rows: [1], output: 'pages' });
  t.match(reprint, { status: 400, json: { details: /^output: pages are made of PDFs/ } });
});

t.test('a file that is not as it was written ends the document', async (t) => {
  for (const text of ['', '%PDF-1.4', 'startxref\n7\n%%EOF\n'])
    t.throws(() => createPdfPages('x').add(Buffer.from(text)), { message: /not as it was written/ });
});
