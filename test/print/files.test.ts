/** Files for print, judged by the programs that printers use. */

import { randomBytes } from 'node:crypto';
import { Resvg } from '@resvg/resvg-js';
import t from 'tap';
import type { Inks } from '../../workers/protocol.ts';
import { someOf } from '../support/cases.ts';
import {
  bitmapsIn,
  checkPdf,
  ghostscript,
  inkCover,
  type Print,
  poppler,
  printOf,
} from '../support/pictures/print.ts';
import { DESIGNS, type Format, file, TEXT, textIn } from './codes.ts';

const renders = async (format: Format, bytes: Uint8Array, dpi: number): Promise<[string, Print][]> => {
  if (format === 'svg') {
    const svg = new TextDecoder().decode(bytes);
    return [['resvg', await printOf(new Resvg(svg, { dpi }).render().asPng())]];
  }
  const smooth = await ghostscript(bytes, dpi);
  return format === 'pdf'
    ? [
        ['Ghostscript', smooth],
        ['Poppler', await poppler(bytes, dpi)],
      ]
    : [['Ghostscript', smooth]];
};

const FORMATS = ['svg', 'pdf', 'eps'] as const;

for (const [name, { options, logo = null }] of Object.entries(DESIGNS)) {
  t.test(`every judge reads a ${name} code in every format`, async (t) => {
    for (const format of FORMATS) {
      const bytes = file(format, options, { logo });
      for (const dpi of someOf([300, 600])) {
        for (const [judge, print] of await renders(format, bytes, dpi)) {
          t.equal(await textIn(print), TEXT, `${format}, ${judge}, ${dpi} dpi`);
        }
      }
    }
    const pdf = file('pdf', options, { logo });
    await t.resolves(checkPdf(pdf));
    // A translucent bitmap is a picture and its mask.
    t.equal((await bitmapsIn(pdf)).length, name === 'bitmap' ? 2 : 0, 'bitmaps');
  });
}

/** The columns of the first and the last dark pixel in a row. */
const darkEnds = ({ width, rgb }: Print, row: number): readonly [number, number] => {
  const dark = Array.from({ length: width }, (_, x) => rgb[(row * width + x) * 3]! < 128);
  return [dark.indexOf(true), dark.lastIndexOf(true) + 1];
};

t.test('modules have their millimetres, within a dot', async (t) => {
  const modules = 29; // version 3
  for (const moduleMm of [0.33, 0.42, 1]) {
    for (const format of FORMATS) {
      const bytes = file(format, {}, { moduleMm, bleedMm: format === 'pdf' ? 3 : 0 });
      for (const dpi of someOf([300, 600])) {
        for (const [judge, print] of await renders(format, bytes, dpi)) {
          const dots = (mm: number): number => (mm * dpi) / 25.4;
          const bleed = format === 'pdf' ? 3 : 0;
          const [left, right] = darkEnds(print, Math.round(dots(bleed + 4.5 * moduleMm)));
          const what = `${moduleMm} mm, ${format}, ${judge}, ${dpi} dpi`;
          t.ok(Math.abs(right - left - dots(modules * moduleMm)) <= 1, `${what}: ${right - left} dots`);
          t.ok(Math.abs(left - dots(bleed + 4 * moduleMm)) <= 1, `${what}: quiet zone`);
        }
      }
    }
  }
});

t.test('black is K alone, and CMYK is asked for', async (t) => {
  for (const format of ['pdf', 'eps'] as const) {
    const [c, m, y, k] = await inkCover(file(format, {}));
    t.strictSame([c, m, y], [0, 0, 0], `${format}: no other ink`);
    t.ok(k! > 0.2);
    const cmyk: Inks = { color: 'cmyk', paper: '#ffffff' };
    const [cyan, magenta, yellow, black] = await inkCover(
      file(format, { dotsOptions: { color: '#00ffff' } }, { inks: cmyk }),
    );
    t.strictSame([magenta, yellow, black], [0, 0, 0], `${format}: cyan is cyan`);
    t.ok(cyan! > 0.2);
  }
});

t.test('translucent parts of an EPS lie on the paper that is asked for', async (t) => {
  const inks: Inks = { color: 'rgb', paper: '#00ff00' };
  const options = { backgroundOptions: { color: '#ff000080' } };
  const { rgb } = await ghostscript(file('eps', options, { inks }), 100);
  t.ok(
    Math.abs(rgb[0]! - 128) < 3 && Math.abs(rgb[1]! - 127) < 3 && rgb[2] === 0,
    String(rgb.subarray(0, 3)),
  );
});

t.test('a plain code of version 5 is at most 3 kB in every format', async (t) => {
  const sizes: Record<string, number> = { svg: 0, pdf: 0, eps: 0 };
  for (let i = 0; i < 40; i += 1) {
    const text = randomBytes(42).toString('base64url');
    for (const format of FORMATS) {
      const { length } = file(format, { qrOptions: { typeNumber: 5, errorCorrectionLevel: 'M' } }, { text });
      sizes[format] = Math.max(sizes[format]!, length);
    }
  }
  for (const [format, bytes] of Object.entries(sizes)) t.ok(bytes <= 3000, `${format}: ${bytes} bytes`);
});

t.test('the same task gives the same bytes', async (t) => {
  const { options } = DESIGNS.translucent!;
  for (const format of FORMATS) t.strictSame(file(format, options), file(format, options), format);
});
