/** Files for print, checked with the programs that print shops use. */

import { randomBytes } from 'node:crypto';
import { Resvg } from '@resvg/resvg-js';
import t from 'tap';
import type { Inks } from '../../workers/protocol.ts';
import { casesOf, someOf } from '../support/cases.ts';
import { printDots } from '../support/pictures/one-bit.ts';
import {
  bitmapsIn,
  checkPdf,
  ghostscript,
  ghostscripts,
  inkCovers,
  type Print,
  poppler,
  printOf,
} from '../support/pictures/print.ts';
import { readGrayTwice } from '../support/pictures/readers.ts';
import { DESIGNS, file, TEXT, textIn } from './codes.ts';

const FORMATS = ['svg', 'pdf', 'eps'] as const;
type Vector = readonly [format: (typeof FORMATS)[number], bytes: Uint8Array];

/** Renders each file with all programs for its format. */
const renders = async (files: readonly Vector[], dpi: number): Promise<(readonly [string, Print])[][]> => {
  const forGhostscript = files.filter(([format]) => format !== 'svg').map(([, bytes]) => bytes);
  const smooth = (await ghostscripts(forGhostscript, dpi)).values();
  return Promise.all(
    files.map(async ([format, bytes]) => {
      if (format === 'svg') {
        const svg = new TextDecoder().decode(bytes);
        return [['resvg', await printOf(new Resvg(svg, { dpi }).render().asPng())]] as const;
      }
      const print = ['Ghostscript', smooth.next().value!] as const;
      return format === 'pdf' ? [print, ['Poppler', await poppler(bytes, dpi)] as const] : [print];
    }) as Promise<(readonly [string, Print])[]>[],
  );
};

t.test('codes of every kind in every format are readable in every renderer', async (t) => {
  const kinds = Object.entries(DESIGNS).flatMap(([name, { options, logo = null }]) =>
    FORMATS.map((format) => ({ name, format, bytes: file(format, options, { logo }) })),
  );
  const vectors = kinds.map(({ format, bytes }): Vector => [format, bytes]);
  for (const dpi of someOf([300, 600])) {
    for (const [i, prints] of (await renders(vectors, dpi)).entries()) {
      const { name, format } = kinds[i]!;
      for (const [judge, print] of prints)
        t.equal(await textIn(print), TEXT, `${name}, ${format}, ${judge}, ${dpi} dpi`);
    }
  }
  for (const { name, format, bytes } of kinds) {
    if (format !== 'pdf') continue;
    await t.resolves(checkPdf(bytes), name);
    // A translucent bitmap consists of a picture and a mask.
    t.equal((await bitmapsIn(bytes)).length, name === 'bitmap' ? 2 : 0, `${name}: bitmaps`);
  }
});

/** Returns where the black of a row begins and ends, in pixels: one that is partly covered is grey. */
const darkEnds = ({ width, rgb }: Print, row: number): readonly [number, number] => {
  const light = Array.from({ length: width }, (_, x) => rgb[(row * width + x) * 3]! / 255);
  const [first, last] = [light.findIndex((value) => value < 1), light.findLastIndex((value) => value < 1)];
  return [first + light[first]!, last + 1 - light[last]!];
};

t.test('modules have their size in millimetres to within a dot', async (t) => {
  const modules = 29; // version 3
  const cases = [0.33, 0.42, 1].flatMap((moduleMm) =>
    FORMATS.map((format) => ({ moduleMm, format, bleedMm: format === 'pdf' ? 3 : 0 })),
  );
  const files = cases.map(({ format, ...sizes }): Vector => [format, file(format, {}, sizes)]);
  for (const dpi of someOf([300, 600])) {
    const dots = (mm: number): number => (mm * dpi) / 25.4;
    for (const [i, prints] of (await renders(files, dpi)).entries()) {
      const { moduleMm, format, bleedMm } = cases[i]!;
      for (const [judge, print] of prints) {
        const [left, right] = darkEnds(print, Math.round(dots(bleedMm + 4.5 * moduleMm)));
        const what = `${moduleMm} mm, ${format}, ${judge}, ${dpi} dpi`;
        t.ok(
          Math.abs(right - left - dots(modules * moduleMm)) <= 1,
          `${what}: ${(right - left).toFixed(2)} dots`,
        );
        t.ok(Math.abs(left - dots(bleedMm + 4 * moduleMm)) <= 1, `${what}: quiet zone`);
      }
    }
  }
});

t.test('black is K only, and colours are converted to CMYK on request', async (t) => {
  const inks: Inks = { color: 'cmyk', paper: '#ffffff' };
  const files = (['pdf', 'eps'] as const).flatMap((format) => [
    file(format, {}),
    file(format, { dotsOptions: { color: '#00ffff' } }, { inks }),
  ]);
  const covers = await inkCovers(files);
  for (const [i, format] of ['pdf', 'eps'].entries()) {
    const [[c, m, y, k], [cyan, magenta, yellow, black]] = [covers[2 * i]!, covers[2 * i + 1]!];
    t.strictSame([c, m, y], [0, 0, 0], `${format}: no other ink`);
    t.ok(k! > 0.2);
    t.strictSame([magenta, yellow, black], [0, 0, 0], `${format}: cyan is cyan`);
    t.ok(cyan! > 0.2);
  }
});

t.test('black is solid on printers with only black dots, and both readers read it', async (t) => {
  const files = (['rgb', 'cmyk'] as const).flatMap((color) =>
    (['pdf', 'eps'] as const).map((format) => file(format, {}, { inks: { color, paper: '#ffffff' } })),
  );
  const dotsOf = (modules: number): number => Math.round((modules * 0.42 * 203) / 25.4);
  for (const page of await printDots(files, 'pngmono', 203)) {
    const row = dotsOf(4.5) * page.widthPx;
    const finder = page.data.subarray(row + dotsOf(4.5), row + dotsOf(10.5));
    t.ok(finder.length > 15 && finder.every((dot) => dot === 0), 'a finder is solid');
    t.strictSame(await readGrayTwice(page), { zxing: TEXT, zbar: TEXT });
  }
});

t.test('translucent parts of an EPS are blended with the requested paper colour', async (t) => {
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
  for (let i = 0; i < casesOf(40); i += 1) {
    const text = randomBytes(42).toString('base64url');
    for (const format of FORMATS) {
      const { length } = file(format, { qrOptions: { typeNumber: 5, errorCorrectionLevel: 'M' } }, { text });
      sizes[format] = Math.max(sizes[format]!, length);
    }
  }
  for (const [format, bytes] of Object.entries(sizes)) t.ok(bytes <= 3000, `${format}: ${bytes} bytes`);
});

t.test('the same task always gives the same bytes', async (t) => {
  const { options } = DESIGNS.translucent!;
  for (const format of FORMATS) t.strictSame(file(format, options), file(format, options), format);
});
