/** The pages of a document of sheets, read from the bytes of the PDF. */
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import t from 'tap';
import { openDocument } from '../../workers/sheets/document.ts';

const fontPath = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
const PT_PER_MM = 72 / 25.4;
const close = (found: readonly number[], expectedMm: readonly number[]): boolean =>
  found.length === expectedMm.length &&
  found.every((pt, i) => Math.abs(pt - expectedMm[i]! * PT_PER_MM) < 0.002);

/** Returns the content streams of the pages as text. */
const contentsOf = (pdf: Buffer): readonly string[] =>
  [...pdf.toString('latin1').matchAll(/FlateDecode\s*>>\s*stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(
    ([, bytes]) => inflateSync(Buffer.from(bytes!, 'latin1')).toString('latin1'),
  );

const draw = async (marks: Parameters<typeof openDocument>[0]['marks'], pages = 1) => {
  const document = openDocument({
    format: 'pdf',
    ...{ fontPath, title: 'Labels', widthMm: 60, heightMm: 40, outsetMm: 6, bleedMm: 2, marks },
    dpi: null,
    isForTill: false,
    label: { code: { xMm: 1, yMm: 1, widthMm: 20, heightMm: 20 }, caption: null },
  });
  const written: Uint8Array[] = [];
  for (let page = 0; page < pages; page += 1) {
    t.strictSame(document.drawPage({ labels: [], logos: new Map() }), { faults: [], warnings: [] });
    written.push(document.take());
  }
  return Buffer.concat([...written, await document.end()]);
};

t.test('a page has boxes for paper, trim and bleed, and crop marks in the right places', async (t) => {
  const marks = [
    { x1Mm: 10, y1Mm: 1, x2Mm: 10, y2Mm: 5 },
    { x1Mm: -5, y1Mm: 20, x2Mm: -2, y2Mm: 20 },
  ];
  const pdf = await draw(marks);
  const boxOf = (name: string): number[] =>
    (new RegExp(`/${name} \\[([^\\]]*)\\]`).exec(pdf.toString('latin1'))?.[1] ?? '')
      .trim()
      .split(' ')
      .map(Number);
  t.ok(close(boxOf('MediaBox'), [0, 0, 72, 52]));
  t.ok(close(boxOf('TrimBox'), [6, 6, 66, 46]));
  t.ok(close(boxOf('BleedBox'), [4, 4, 68, 48]));
  const [content] = contentsOf(pdf);
  t.match(content, /^0 G 0\.25 w$/m, 'thin lines in black ink');
  const lines = [...content!.matchAll(/^(\S+) (\S+) m (\S+) (\S+) l S$/gm)].map((line) =>
    line.slice(1).map(Number),
  );
  t.equal(lines.length, 2);
  for (const [i, { x1Mm, y1Mm, x2Mm, y2Mm }] of marks.entries())
    t.ok(close(lines[i]!, [x1Mm, y1Mm, x2Mm, y2Mm]));
  const [, right, down] = /^1 0 0 1 (\S+) (\S+) cm$/m.exec(content!) ?? [];
  t.ok(close([Number(right), Number(down)], [6, 6]), 'measured from the corner of the trimmed page');
});

t.test('a document has as many pages as were drawn, and no crop marks unless requested', async (t) => {
  const pdf = await draw([], 3);
  t.match(pdf.toString('latin1'), /\/Count 3\b/);
  for (const content of contentsOf(pdf)) t.notMatch(content, / l S/);
});
