/** Captions of labels in many scripts: inside of their areas, found in the PDF, and in dots of label printers. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import PDFDocument from 'pdfkit';
import t from 'tap';
import { toDesign } from '../../src/generate/request/design.ts';
import { knownFaceOf } from '../../workers/shaping/chain.ts';
import { createCaptions } from '../../workers/sheets/captions.ts';
import { openDocument } from '../../workers/sheets/document.ts';
import { createLetters } from '../../workers/sheets/printer/letters.ts';
import { openFont } from '../../workers/vector/pdf-objects.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { anyScript, SCRIPT_TEXTS } from '../support/shaping/scripts.ts';

const run = promisify(execFile);
const folder = await temporaryFolder(t);
const fontPath = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf');
const font = openFont(new PDFDocument({ font: null as unknown as string }), fontPath);
const PT_PER_MM = 72 / 25.4;
const AREA = { xMm: 2, yMm: 22, widthMm: 36, heightMm: 8, sizePt: 9, leastPt: 3.5, linesMax: 2 } as const;
const AT = { xMm: 5, yMm: 7 };
const texts = Object.values(SCRIPT_TEXTS);

t.test(
  'letters of every script are in the PDF of a sheet, in the order in which they are read',
  async (t) => {
    const document = openDocument({
      format: 'pdf',
      ...{ fontPath, title: 'Labels', widthMm: 210, heightMm: 297, outsetMm: 0, bleedMm: 0, marks: [] },
      ...{ dpi: null, isForTill: false },
      label: {
        code: { xMm: 10, yMm: 1, widthMm: 20, heightMm: 20 },
        caption: { ...AREA, linesMax: 2, align: 'center' },
      },
    });
    const labels = texts.map((caption, place) => ({
      ...{ xMm: 50 * (place % 4), yMm: 35 * Math.floor(place / 4), background: null },
      ...{ text: `https://a.example/${place}`, design: toDesign({}), logo: null, missing: '', caption },
    }));
    // The last page has two captions, whose letters are in one font.
    const pages = [...labels.map((label) => [label]), labels.filter(({ caption }) => /[ก-ฮ]/.test(caption))];
    const written: Uint8Array[] = [];
    for (const page of pages) {
      t.strictSame(
        document.check({ labels: page, logos: new Map() }).losses,
        page.map(() => null),
      );
      t.strictSame(document.drawPage({ labels: page, logos: new Map() }).faults, []);
      written.push(document.take());
    }
    const path = join(folder, 'sheet.pdf');
    writeFileSync(path, Buffer.concat([...written, await document.end()]));
    const { stdout } = await run('pdftotext', [path, '-']);
    const told = stdout.replace(/[\u202a-\u202e]/g, '').split('\f');
    for (const [page, shown] of pages.entries())
      for (const { caption } of shown) t.ok(told[page]!.includes(caption.normalize('NFC')), caption);
  },
);

t.test('nothing of a caption in any script is drawn outside of its area', async (t) => {
  let shaped = 0;
  const [left, top] = [(AREA.xMm + AT.xMm) * PT_PER_MM, (AREA.yMm + AT.yMm) * PT_PER_MM];
  const [right, bottom] = [left + AREA.widthMm * PT_PER_MM, top + AREA.heightMm * PT_PER_MM];
  fc.assert(
    fc.property(anyScript, fc.constantFrom('left' as const, 'center' as const), (caption, align) => {
      const captions = createCaptions(font, { ...AREA, align });
      const loss = captions.findLoss(caption);
      const { lines, sizePt } = captions.place({ caption, ...AT });
      if (sizePt < AREA.leastPt) throw new Error('too small to be read');
      if (loss === null && lines.length === 0 && /\p{L}/u.test(caption))
        throw new Error('it is lost silently');
      for (const { xPt, yPt, shaped: set } of lines) {
        for (const { font: key, glyph, x, y } of set?.glyphs ?? []) {
          shaped += 1;
          const box = knownFaceOf(key).outlineOf(glyph).box!;
          const isInside =
            xPt + (x + box.left) * sizePt >= left - 0.01 &&
            xPt + (x + box.right) * sizePt <= right + 0.01 &&
            yPt - (y + box.top) * sizePt >= top - 0.01 &&
            yPt - (y + box.bottom) * sizePt <= bottom + 0.01;
          if (!isInside) throw new Error(`${xPt} ${yPt} ${x} ${y}`);
        }
      }
    }),
    { numRuns: 400 },
  );
  t.ok(shaped > 100, `${shaped} glyphs`);
});

t.test('label printers get the letters as dots, the same each time', async (t) => {
  const captions = createCaptions(font, { ...AREA, align: 'center' });
  const page = { widthDots: 600, heightDots: 400 };
  for (const caption of texts) {
    const [once, twice] = [1, 2].map(() =>
      createLetters(font, page, 203)(captions.place({ caption, ...AT })),
    );
    t.ok(once !== null && once!.bitmap.bits.some((byte) => byte !== 0), caption);
    t.strictSame(once, twice);
  }
  const lost = captions.findLoss('日 Tag');
  t.strictSame(lost, { isCut: false, missing: ['日'] });
});
