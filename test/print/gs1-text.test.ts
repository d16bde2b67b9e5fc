/** Retail codes with their text, as rendered for print. */
import { Resvg } from '@resvg/resvg-js';
import t from 'tap';
import { layOutFile } from '../../src/generate/file.ts';
import { toDesign } from '../../src/generate/request/design.ts';
import { type PrintQuery, toPrint } from '../../src/generate/request/print.ts';
import { render } from '../../workers/render.ts';
import { someOf } from '../support/cases.ts';
import {
  areFontsEmbedded,
  checkPdf,
  ghostscript,
  inkCovers,
  type Print,
  poppler,
  printOf,
  textOf,
} from '../support/pictures/print.ts';
import { type Format, textIn } from './codes.ts';

const stem = 'https://brand.example/01/09521321000018';
/** Contents and their text lines, one per element. */
const CODES: readonly (readonly [data: string, ...elements: string[]])[] = [
  [stem, '(01)09521321000018'],
  [`${stem}/21/0001`, '(01)09521321000018', '(21)0001'],
  [`${stem}/10/A7/21/0001?17=271231`, '(01)09521321000018', '(10)A7', '(21)0001', '(17)271231'],
  ['https://id.gs1.org/01/09506000134352', '(01)09506000134352'],
  ['https://x.example/01/9521321000018/22/2A', '(01)09521321000018', '(22)2A'],
  [`${stem}/21/a%2Fb%25%22%26%27%28%29%2A%2B%2C-_.`, '(01)09521321000018', `(21)a/b%"&'()*+,-_.`],
  [`${stem}/10/ABCDEFGHIJKLMNOPQRST`, '(01)09521321000018', '(10)ABCDEFGHIJKLMNOPQRST'],
  [`${stem}/10/UVWXYZabcdefghijklmn`, '(01)09521321000018', '(10)UVWXYZabcdefghijklmn'],
  [`${stem}/10/opqrstuvwxyz%3A%3B%3C%3D%3E%3F%21`, '(01)09521321000018', '(10)opqrstuvwxyz:;<=>?!'],
  [`${stem}?3103=000750&3922=1299`, '(01)09521321000018', '(3103)000750', '(3922)1299'],
  [`${stem}?15=270101`, '(01)09521321000018', '(15)270101'],
  ['HTTPS://ID.GS1.ORG/01/09506000134352/10/1', '(01)09506000134352', '(10)1'],
];

const draw = (format: Format, text: string, query: PrintQuery, options = {}) => {
  const print = toPrint(query);
  if (!print.ok) throw new Error(print.fault.message);
  const laid = layOutFile(text, toDesign(options), { format, print: print.value });
  if (!laid.ok) throw new Error(`${laid.fault.field} ${laid.fault.message}`);
  const drawn = render({ text, logo: null, ...laid.value });
  if (!drawn.ok) throw new Error(drawn.fault.message);
  return { ...drawn.value, ...laid.value };
};

/** The picture in dots of 300 dpi. */
const seen = (format: Format, bytes: Uint8Array): Promise<Print> => {
  if (format === 'pdf') return poppler(bytes, 300);
  if (format === 'eps') return ghostscript(bytes, 300);
  if (format === 'png') return printOf(bytes);
  return printOf(new Resvg(new TextDecoder().decode(bytes), { dpi: 300 }).render().asPng());
};

/** The bounding box of everything that is not blank below a row. */
const inkBelow = ({ width, height, rgb }: Print, top: number) => {
  const dark = (x: number, y: number): boolean => rgb[3 * (y * width + x)]! < 160;
  const rows = Array.from({ length: height - top }, (_, i) => top + i).filter((y) =>
    Array.from({ length: width }, (_, x) => x).some((x) => dark(x, y)),
  );
  const columns = Array.from({ length: width }, (_, x) => x).filter((x) => rows.some((y) => dark(x, y)));
  return { rows, columns };
};

/** The size that codes for tills have by default, at 300 dpi. */
const MODULE_DOTS = 6;

/** The darkness of the middle of each module of the square at the top. */
const modulesOf = ({ width, rgb }: Print, side: number): readonly boolean[] => {
  const middles = Array.from({ length: Math.floor(side / MODULE_DOTS) }, (_, i) => (i + 0.5) * MODULE_DOTS);
  return middles.flatMap((y) => middles.map((x) => rgb[3 * (y * width + x)]! < 128));
};

t.test('every format shows the same code as without text, and the text below the quiet zone', async (t) => {
  for (const [place, [data, ...elements]] of someOf([...CODES.entries()])) {
    // All formats with the first code, and each format with a fourth of the others.
    const formats = (['png', 'svg', 'pdf', 'eps'] as const).filter((_, i) => place === 0 || i === place % 4);
    for (const format of formats) {
      const what = `${format}, ${data}`;
      const withText = draw(format, data, { till: true, text: 'gs1' });
      const plain = draw(format, data, { till: true });
      t.equal(withText.grade, plain.grade);
      const { widthMm, heightMm } = withText.print!.page!;
      const side = plain.print!.page!.widthMm;
      t.equal(widthMm, side, what);
      const [print, code] = [await seen(format, withText.bytes), await seen(format, plain.bytes)];
      t.ok(Math.abs(print.width - (widthMm * 300) / 25.4) <= 1, `${what}: ${print.width} dots wide`);
      t.ok(Math.abs(print.height - (heightMm * 300) / 25.4) <= 1, `${what}: ${print.height} dots high`);
      t.equal(await textIn(print), data, what);
      t.strictSame(modulesOf(print, code.width), modulesOf(code, code.width), `${what}: the same code`);
      const ink = inkBelow(print, code.height - 4 * MODULE_DOTS);
      t.ok(ink.rows[0]! >= code.height, `${what}: text begins below the quiet zone`);
      t.ok(ink.rows.at(-1)! < print.height - 4, `${what}: and ends above the edge`);
      const [left, right] = [ink.columns[0]!, print.width - 1 - ink.columns.at(-1)!];
      t.ok(left >= 11 && Math.abs(left - right) <= 5, `${what}: ${left} and ${right} dots beside the text`);
      if (format !== 'pdf') continue;
      t.equal((await textOf(withText.bytes)).replace(/\s/g, ''), elements.join(''), what);
      await t.resolves(checkPdf(withText.bytes));
      t.strictSame(await areFontsEmbedded(withText.bytes), [true], `${what}: its font is embedded`);
    }
  }
});

t.test('text is K only beside a black code, and otherwise has the first colour of the code', async (t) => {
  const files = (['pdf', 'eps'] as const).map((format) => draw(format, stem, { text: 'gs1' }).bytes);
  for (const [c, m, y, k] of await inkCovers(files)) {
    t.strictSame([c, m, y], [0, 0, 0]);
    t.ok(k! > 0);
  }
  const colorStops = [
    { offset: 0, color: '#004080' },
    { offset: 1, color: '#800040' },
  ];
  const options = { dotsOptions: { gradient: { colorStops } } };
  const [svg, plain] = [{ text: 'gs1' as const }, { module_mm: 0.5 }].map((query) =>
    new TextDecoder().decode(draw('svg', stem, { ...query, module_mm: 0.5 }, options).bytes),
  );
  t.match(svg, /<path fill="#004080"/);
  const gradients = (text: string | undefined) => text?.match(/<defs>.*<\/defs>/)?.[0];
  t.equal(gradients(svg), gradients(plain), 'a gradient does not extend over the text');
});

t.test('with a bleed, the text is on the background and the bleed surrounds both', async (t) => {
  const options = { backgroundOptions: { color: '#ffee00' } };
  const query = { text: 'gs1', bleed_mm: 2.54, module_mm: 0.508 } as const;
  for (const format of ['png', 'pdf'] as const) {
    const { bytes, print } = draw(format, stem, query, options);
    const { width, height, rgb } = await seen(format, bytes);
    const { widthMm, heightMm } = print!.page!;
    t.ok(Math.abs(width - ((widthMm + 5.08) * 300) / 25.4) <= 1, format);
    t.ok(Math.abs(height - ((heightMm + 5.08) * 300) / 25.4) <= 1, format);
    // Renderers round the page size, so the last dots may be paper.
    const [right, bottom] = [width - 3, height - 3];
    for (const at of [2 * width + 2, 2 * width + right, bottom * width + 2, bottom * width + right])
      t.strictSame([...rgb.subarray(3 * at, 3 * at + 3)], [255, 238, 0], `${format}: corner`);
  }
});

t.test('a round background covers only the code', async (t) => {
  const options = { backgroundOptions: { round: 0.5, color: '#ffee00' } };
  const pictures = await Promise.all(
    (['png', 'pdf', 'eps', 'svg'] as const).map(async (format) => {
      const { width, height, rgb } = await seen(
        format,
        draw(format, stem, { text: 'gs1', module_mm: 0.508 }, options).bytes,
      );
      const yellow = Array.from({ length: height }, (_, y) => y).filter((y) =>
        Array.from({ length: width }, (_, x) => 3 * (y * width + x)).some(
          (at) => rgb[at]! > 200 && rgb[at + 2]! < 60,
        ),
      );
      return { width, last: yellow.at(-1)! };
    }),
  );
  for (const { width, last } of pictures) t.ok(Math.abs(last + 1 - width) <= 2, `${last} of ${width}`);
});
