/** Spot colours and plates of files for print, separated by Ghostscript as a press does it. */
import t from 'tap';
import { toDesign } from '../../src/generate/request/design.ts';
import type { PrintQuery } from '../../src/generate/request/print.ts';
import { okOrThrow } from '../../src/result.ts';
import type { Inks } from '../../workers/protocol.ts';
import { checkPdf, type GrayPage, separate } from '../support/pictures/print.ts';
import { drawPrinted } from '../support/pictures/printed.ts';
import { file, TEXT, textIn } from './codes.ts';

const FORMATS = ['pdf', 'eps'] as const;
const DPI = 300;
const BLUE = 'PANTONE 286 C';
const CMYK = { color: 'cmyk', paper: '#ffffff' } as const;
const SPOTTED = {
  dotsOptions: { type: 'rounded', color: '#1a4b8c' },
  cornersSquareOptions: { color: '#000000' },
  backgroundOptions: { color: '#ffe000' },
} as const;
const PLATES = { dieline: { name: 'CutContour', radiusMm: 2 }, white: 'White', varnish: 'Gloss' };

/** Separates a code in both formats. */
const plates = (inks: Inks, options: object, bleedMm = 0) =>
  Promise.all(
    FORMATS.map(async (format) => {
      const bytes = file(format, options, { inks, bleedMm });
      if (format === 'pdf') await checkPdf(bytes);
      return { format, of: await separate(bytes, DPI) };
    }),
  );

/** The share of a plate that prints at all. */
const cover = ({ data }: GrayPage): number => data.filter((tone) => tone < 255).length / data.length;

/** Decodes the code that a plate prints. */
const decoded = ({ widthPx, heightPx, data }: GrayPage) =>
  textIn({
    width: widthPx,
    height: heightPx,
    rgb: Uint8Array.from({ length: 3 * data.length }, (_, i) => data[Math.floor(i / 3)]!),
  });

/** Whether a plate prints in the middle of its page. */
const printsAt = ({ widthPx, heightPx, data }: GrayPage, across: number, down: number): boolean =>
  data[Math.floor(heightPx * down) * widthPx + Math.floor(widthPx * across)]! < 255;

t.test('a spot colour is on a plate of its own, in full, and on no other', async (t) => {
  for (const color of ['rgb', 'cmyk'] as const) {
    const inks: Inks = { ...CMYK, color, spots: [{ name: BLUE, color: '#1a4b8c' }] };
    for (const { format, of } of await plates(inks, { dotsOptions: SPOTTED.dotsOptions })) {
      const what = `${format}, ${color}`;
      t.equal(await decoded(of.get(BLUE)!), TEXT, what);
      t.equal(
        of.get(BLUE)!.data.reduce((least, tone) => Math.min(least, tone)),
        0,
        `${what}: full`,
      );
      t.equal(cover(of.get('Cyan')!), 0, `${what}: none of it is cyan`);
      t.equal(cover(of.get('Black')!), 0, `${what}: none of it is black`);
    }
  }
});

t.test('a caption and a frame print with inks of their own', async (t) => {
  const query: PrintQuery = {
    module_mm: 0.508,
    color: 'cmyk',
    caption: 'Menu',
    caption_color: '#c00000',
    frame: 'line',
    frame_color: '#00a040',
    spots: 'c00000=Warm Red,00a040=Green',
  };
  for (const format of FORMATS) {
    const asked = { format, query, text: TEXT, design: toDesign({}) };
    const { bytes } = okOrThrow(drawPrinted(asked), ({ message }) => new Error(message));
    const of = await separate(bytes, DPI);
    t.equal(await decoded(of.get('Black')!), TEXT, `${format}: the code is black`);
    t.ok(cover(of.get('Warm Red')!) > 0.001, `${format}: the caption is red`);
    t.ok(cover(of.get('Green')!) > 0.01, `${format}: the frame is green`);
    for (const ink of ['Cyan', 'Magenta', 'Yellow'])
      t.equal(cover(of.get(ink)!), 0, `${format}: nothing is ${ink}`);
  }
});

t.test(
  'without overprint a code is left out of its background, with it the background goes on',
  async (t) => {
    const spots = [{ name: BLUE, color: '#1a4b8c' }];
    for (const { format, of } of await plates({ ...CMYK, spots }, SPOTTED))
      t.ok(cover(of.get('Yellow')!) < 0.9, `${format}: left out`);
    for (const { format, of } of await plates({ ...CMYK, spots, overprint: true }, SPOTTED)) {
      t.equal(cover(of.get('Yellow')!), 1, `${format}: printed over`);
      t.ok(cover(of.get('Black')!) > 0.01, `${format}: corners are black`);
      t.ok(cover(of.get(BLUE)!) > 0.1, `${format}: dots are blue`);
    }
  },
);

t.test('a dieline, a white and a varnish are plates that change no other', async (t) => {
  const bare = await plates(CMYK, {}, 3);
  for (const [i, { format, of }] of (await plates({ ...CMYK, plates: PLATES }, {}, 3)).entries()) {
    const [cut, white, gloss] = [of.get('CutContour')!, of.get('White')!, of.get('Gloss')!];
    t.same(of.get('Black')!.data, bare[i]!.of.get('Black')!.data, `${format}: the code stays`);
    t.equal(cover(white), 1, `${format}: white is everywhere`);
    t.ok(cover(cut) > 0 && cover(cut) < 0.05, `${format}: a line`);
    t.notOk(printsAt(cut, 0.5, 0.5), `${format}: the line is not in the code`);
    t.notOk(printsAt(gloss, 0.5, 0.5), `${format}: no varnish on the code`);
    t.ok(printsAt(gloss, 0.02, 0.5), `${format}: varnish on the bleed`);
  }
});

t.test('the line for the cut runs along the trim box, with round corners', async (t) => {
  const bleedMm = 3;
  for (const { format, of } of await plates({ ...CMYK, plates: { dieline: PLATES.dieline } }, {}, bleedMm)) {
    const cut = of.get('CutContour')!;
    const edgePx = (bleedMm * DPI) / 25.4;
    const row = Math.floor(cut.heightPx / 2) * cut.widthPx;
    const first = cut.data.subarray(row, row + cut.widthPx).findIndex((tone) => tone < 255);
    t.ok(Math.abs(first - edgePx) <= 2, `${format}: at ${first} of ${edgePx}`);
    t.notOk(
      printsAt(cut, (edgePx + 1) / cut.widthPx, (edgePx + 1) / cut.heightPx),
      `${format}: a round corner`,
    );
  }
});
