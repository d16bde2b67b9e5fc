/** Codes for tills from a CSV through a batch: each PDF is measured, read and compared with its row. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { newSender } from '../../batches/support.ts';
import { temporaryFolder } from '../../servers/temporary-folder.ts';
import { until } from '../../servers/until.ts';
import { startApp } from '../../support/app/app.ts';
import { readGray } from '../../support/pictures/decode.ts';
import { grayPages, joinPdfs, textOf } from '../../support/pictures/print.ts';

const run = promisify(execFile);
/** A multiple of `TOGETHER`. Real batches have tens of thousands of rows, but reading 10,000 takes minutes. */
const ROWS = Number(process.env.PACK_ROWS ?? 1000);
/** Number of PDFs that are joined for one run of Poppler. */
const TOGETHER = 250;
const DPI = 300;
const MM_PER_PT = 25.4 / 72;
/** Modules of symbols and quiet zones, for the URIs of this test. */
const SIDES = [37, 41, 45, 49];
/** Figures may differ by 1 %. */
const TOLERANCE = 0.01;

/** A GTIN-13 as 14 digits, with its check digit: GS1 General Specifications, 7.9. */
const gtinOf = (item: number): string => {
  const digits = `0952132${String(item).padStart(6, '0')}`;
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 3 : 1), 0);
  return digits + ((10 - (sum % 10)) % 10);
};

/** Every item, with a serial number, a lot, or both. */
const rows = Array.from({ length: ROWS }, (_, i) => {
  const lot = i % 3 === 0 ? '' : `L${i.toString(36).toUpperCase()}`;
  const serial = i % 3 === 1 ? '' : String(1_000_000 + i);
  const elements = [`(01)${gtinOf(i)}`, lot && `(10)${lot}`, serial && `(21)${serial}`].join('');
  const path = [lot && `/10/${lot}`, serial && `/21/${serial}`].join('');
  return { data: `https://brand.example/01/${gtinOf(i)}${path}`, elements };
});

const app = await startApp(t, { BATCH_STORE: await temporaryFolder(t) });
const { send, show, errorsOf, parts, entriesOf } = await newSender(app, { monthlyQuota: ROWS });

t.test('rows become PDFs of the right size that contain the data of their rows', async (t) => {
  const csv = `data\n${rows.map(({ data }) => data).join('\n')}\n`;
  const design = { print: { till: true, text: 'gs1' } };
  const sent = await send(csv, {
    query: '?formats=pdf',
    headers: { 'content-type': 'text/csv', design: JSON.stringify(design) },
  });
  t.equal(sent.status, 202, sent.text);
  const { id } = sent.json;
  await until(async () => (await show(id)).finished_at !== null, { pauseMs: 500, deadlineMs: 900_000 });
  t.match(await show(id), { state: 'done', made: ROWS }, JSON.stringify(await errorsOf(id)));
  t.equal((await parts(id)).length, 1);
  const pdfs = (await entriesOf(id)).filter(({ name }) => name.endsWith('.pdf'));
  t.equal(pdfs.length, ROWS);

  const faults: string[] = [];
  const check = (isRight: boolean, row: number, what: string): void => {
    if (!isRight) faults.push(`row ${row + 1}: ${what}`);
  };
  const folder = t.testdir({});
  for (let from = 0; from < ROWS; from += TOGETHER) {
    const joined = await joinPdfs(pdfs.slice(from, from + TOGETHER).map(({ bytes }) => bytes));
    const all = join(folder, 'all.pdf');
    await writeFile(all, joined);
    const info = await run('pdfinfo', ['-f', '1', '-l', String(TOGETHER), all]);
    const sizes = [...info.stdout.matchAll(/Page +\d+ size: +([\d.]+) x ([\d.]+) pts/g)];
    const texts = (await textOf(joined)).split('\f');
    const pages = await grayPages(joined, DPI);
    t.strictSame([sizes.length, texts.length - 1, pages.length], [TOGETHER, TOGETHER, TOGETHER]);
    for (const [i, page] of pages.entries()) {
      const { widthPx: width, heightPx: height } = page;
      const row = from + i;
      const [widthMm, heightMm] = sizes[i]!.slice(1).map((points) => Number(points) * MM_PER_PT) as [
        number,
        number,
      ];
      const moduleMm = SIDES.map((side) => widthMm / side).find((mm) => Math.abs(mm / 0.508 - 1) < TOLERANCE);
      check(moduleMm !== undefined, row, `${widthMm} mm wide`);
      check(heightMm > widthMm, row, 'no room for text');
      check(texts[i]!.replace(/\s/g, '') === rows[row]!.elements, row, `says ${texts[i]}`);
      const read = await readGray(page);
      check(read === rows[row]!.data, row, `reads ${read}`);
      check(Math.abs((width / DPI) * 25.4 - widthMm) < TOLERANCE * widthMm, row, `${width} dots wide`);
      check(Math.abs((height / DPI) * 25.4 - heightMm) < TOLERANCE * heightMm, row, `${height} dots high`);
    }
  }
  t.strictSame(faults.slice(0, 20), [], `${faults.length} faults`);
});
