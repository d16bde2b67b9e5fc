/** Files for print, judged by the programs that printers use. */

import { randomBytes } from 'node:crypto';
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import t from 'tap';
import { toDesign } from '../../src/generate/request/design.ts';
import { isFault } from '../../workers/fault.ts';
import { layOutPrint } from '../../workers/print/layout.ts';
import type { Inks, Logo, RenderTask } from '../../workers/protocol.ts';
import { render } from '../../workers/render.ts';
import { startBrowser } from '../support/browser/browser.ts';
import { readPixels } from '../support/pictures/decode.ts';
import {
  bitmapsIn,
  checkPdf,
  ghostscript,
  inkCover,
  type Print,
  poppler,
  printOf,
} from '../support/pictures/print.ts';

const TEXT = 'https://example.com/print';
const MODULE_MM = 0.42;
const RGB: Inks = { color: 'rgb', paper: '#ffffff' };
type Options = Parameters<typeof toDesign>[0];
type Format = RenderTask['format'];

const stops = (...colors: readonly string[]) =>
  colors.map((color, i) => ({ offset: i / (colors.length - 1), color }));

const logoPng = await sharp({ create: { width: 90, height: 60, channels: 4, background: '#c00000c0' } })
  .png()
  .toBuffer();
const BITMAP: Logo = { png: new Uint8Array(logoPng), widthPx: 90, heightPx: 60 };
const VECTOR: Logo = {
  ...BITMAP,
  vector: {
    width: 1024,
    height: 683,
    figures: [
      { path: 'M0 0L1024 0L1024 683L0 683z', color: '#c00000', rule: 'nonzero' },
      {
        path: 'M100 300C300 100 700 100 900 300',
        color: '#ffffff',
        rule: 'nonzero',
        stroke: { width: 60, cap: 'round', join: 'miter', miterLimit: 4 },
      },
    ],
  },
};

const file = (
  format: Format,
  options: Options,
  { logo = null as Logo | null, inks = RGB, bleedMm = 0, text = TEXT, moduleMm = MODULE_MM } = {},
): Uint8Array => {
  const laid = layOutPrint(text, toDesign(options), { moduleMm, bleedMm }, 'vector');
  if (isFault(laid)) throw new Error(laid.message);
  const drawn = render({ text, design: laid.design, logo, format, print: { page: laid.page, inks } });
  if (!drawn.ok) throw new Error(drawn.fault.message);
  return drawn.value.bytes;
};

const textIn = ({ width, height, rgb }: Print): Promise<string | undefined> => {
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let i = 0; i < width * height; i += 1) data.set(rgb.subarray(3 * i, 3 * i + 3), 4 * i);
  return readPixels({ data, width, height, colorSpace: 'srgb' });
};

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

const DESIGNS: Readonly<Record<string, { readonly options: Options; readonly logo?: Logo }>> = {
  plain: { options: {} },
  styled: {
    options: {
      dotsOptions: { type: 'classy-rounded', color: '#123a7c' },
      cornersSquareOptions: { type: 'extra-rounded' },
      backgroundOptions: { color: '#fff7e0' },
    },
  },
  gradient: {
    options: {
      dotsOptions: { gradient: { type: 'linear', rotation: 0.6, colorStops: stops('#7a0000', '#00007a') } },
      cornersSquareOptions: { gradient: { type: 'radial', colorStops: stops('#000000', '#004000') } },
    },
  },
  translucent: {
    options: {
      backgroundOptions: { color: '#ffee0040' },
      dotsOptions: { gradient: { colorStops: stops('#600000', '#000060d0') } },
    },
  },
  circle: { options: { shape: 'circle' } },
  bitmap: { options: { qrOptions: { errorCorrectionLevel: 'H' } }, logo: BITMAP },
  vector: { options: { qrOptions: { errorCorrectionLevel: 'H' } }, logo: VECTOR },
};

const FORMATS = ['svg', 'pdf', 'eps'] as const;

for (const [name, { options, logo = null }] of Object.entries(DESIGNS)) {
  t.test(`every judge reads a ${name} code in every format`, async (t) => {
    for (const format of FORMATS) {
      const bytes = file(format, options, { logo });
      for (const dpi of [300, 600]) {
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

t.test('Chromium draws SVG in the size of its page, and readers read it', async (t) => {
  const browser = await startBrowser(t);
  for (const dpi of [300, 600]) {
    const page = await browser.newPage({ deviceScaleFactor: dpi / 96 });
    for (const [name, { options, logo = null }] of Object.entries(DESIGNS)) {
      const svg = Buffer.from(file('svg', options, { logo })).toString('base64');
      await page.setContent(`<img src="data:image/svg+xml;base64,${svg}">`);
      const shot = await page.locator('img').screenshot();
      t.equal(await textIn(await printOf(shot)), TEXT, `${name}, ${dpi} dpi`);
    }
  }
});

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
      for (const dpi of [300, 600]) {
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
