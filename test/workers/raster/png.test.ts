import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import { PNG } from 'pngjs';
import sharp from 'sharp';
import t from 'tap';
import { composeSvg } from '../../../workers/design/svg.ts';
import { planRender } from '../../../workers/plan.ts';
import { isFault } from '../../../workers/protocol.ts';
import { straightColor, wordsOf } from '../../../workers/raster/pixels.ts';
import { encodeIndexed, encodePixels } from '../../../workers/raster/png.ts';
import { createSymbol } from '../../../workers/symbol/symbol.ts';
import { someOf } from '../../support/cases.ts';
import { corpusCases, corpusOptions, designOf, logoOf } from '../../support/pictures/corpus.ts';
import { createRandom } from '../../support/random.ts';

const encodePng = (rgba: Uint8Array, widthPx: number, heightPx: number) =>
  encodePixels({ widthPx, heightPx, colors: wordsOf(rgba) });

interface Picture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** With premultiplied alpha, as in resvg. */
  readonly pixels: Uint8Array;
}

const render = (svg: string) => new Resvg(svg, { font: { loadSystemFonts: false } }).render();
const decode = (png: Uint8Array): Buffer => PNG.sync.read(Buffer.from(png)).data;
const straight = (pixels: Uint8Array): Buffer =>
  Buffer.from(new Int32Array(pixels.slice().buffer).map(straightColor).buffer);
const header = (png: Uint8Array) => ({ bitDepth: png[24], colorType: png[25] });
const isOwnBuffer = (png: Uint8Array): boolean =>
  png.byteOffset === 0 && png.byteLength === png.buffer.byteLength;

/** Pictures with a given number of colours, in runs, patches and single pixels, with premultiplied alpha. */
const pictures = fc
  .record({
    widthPx: fc.integer({ min: 1, max: 70 }),
    heightPx: fc.integer({ min: 1, max: 70 }),
    colors: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 200, max: 3000 })),
    alphas: fc.constantFrom([255], [0, 255], [0, 1, 2, 3, 127, 254, 255]),
    runPx: fc.integer({ min: 1, max: 9 }),
    seed: fc.integer(),
  })
  .map(({ widthPx, heightPx, colors, alphas, runPx, seed }): Picture => {
    const random = createRandom(seed);
    const palette = Array.from({ length: colors }, () => {
      const alpha = alphas[random(alphas.length)]!;
      return [random(alpha + 1), random(alpha + 1), random(alpha + 1), alpha];
    });
    const pixels = new Uint8Array(widthPx * heightPx * 4);
    for (let i = 0, color = palette[0]!; i < pixels.length; i += 4) {
      if (random(runPx) === 0) color = palette[random(colors)]!;
      pixels.set(color, i);
    }
    return { widthPx, heightPx, pixels };
  });

t.test('encodePixels keeps every pixel, and always returns the same bytes in a new buffer', async (t) => {
  const kinds = new Set<string>();
  const rule = fc.asyncProperty(pictures, async ({ widthPx, heightPx, pixels }) => {
    const png = encodePng(pixels, widthPx, heightPx);
    const { bitDepth, colorType } = header(png);
    kinds.add(`${colorType}/${bitDepth}`);
    const expected = straight(pixels);
    const bySharp = await sharp(png).ensureAlpha().raw().toBuffer();
    return (
      isOwnBuffer(png) &&
      decode(png).equals(expected) &&
      bySharp.equals(expected) &&
      Buffer.from(encodePng(pixels.slice(), widthPx, heightPx)).equals(png)
    );
  });
  await t.resolves(fc.assert(rule, { numRuns: 600 }));
  // Which ones depends on the random pictures; those of few cases may have no RGB without alpha.
  t.ok(kinds.size >= 5, `palettes, RGB and RGBA: ${[...kinds].join(', ')}`);
});

t.test('encodePixels uses the fewest bits: a palette up to 256 colours, alpha only if needed', async (t) => {
  const picture = (colors: number, alpha: number): Uint8Array => {
    const words = Int32Array.from({ length: 1024 }, (_, i) => (alpha << 24) | (i % colors));
    return new Uint8Array(words.buffer);
  };
  const kindOf = (colors: number, alpha = 255) => header(encodePng(picture(colors, alpha), 32, 32));
  for (const [colors, bitDepth] of [
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 4],
    [16, 4],
    [17, 8],
    [256, 8],
  ] as const) {
    t.same(kindOf(colors), { bitDepth, colorType: 3 }, `${colors} colours`);
  }
  t.same(kindOf(257), { bitDepth: 8, colorType: 2 });
  t.same(kindOf(256, 0xfe), { bitDepth: 8, colorType: 3 });
  t.same(kindOf(257, 0xfe), { bitDepth: 8, colorType: 6 });
});

t.test('wordsOf reads pixels at any offset in a buffer', async (t) => {
  const whole = new Uint8Array(32).map((_, i) => 255 - i);
  for (let start = 0; start < 16; start += 1) {
    const pixels = whole.subarray(start, start + 16);
    t.ok(decode(encodePng(pixels, 2, 2)).equals(straight(pixels)), `byte ${start}`);
  }
});

t.test('encodeIndexed keeps the palette and the indices', async (t) => {
  const palette = Uint8Array.from([255, 0, 0, 255, 0, 0, 255, 128, 9, 9, 9, 0]);
  const indices = Uint8Array.from([0, 1, 2, 1, 1, 0]);
  const png = encodeIndexed({ widthPx: 3, heightPx: 2, palette, indices });
  t.ok(isOwnBuffer(png));
  const expected = [...indices].flatMap((index) => [...palette.subarray(index * 4, index * 4 + 4)]);
  t.same([...decode(png)], expected);
});

t.test('a picture of resvg has the same pixels as its own PNG, and is never larger', async (t) => {
  const larger: string[] = [];
  const differing: string[] = [];
  // Options that are outside our types and schema.
  const cases = corpusCases().filter(({ name }) => name !== 'c189-unknowntype');
  for (const picture of someOf(cases)) {
    const options = corpusOptions(picture);
    const [design, logo] = [designOf(options), await logoOf(options)];
    const plan = planRender(options.data, design, logo);
    if (isFault(plan)) throw new Error(`${picture.name}: ${plan.message}`);
    const image = render(composeSvg(plan, createSymbol(options.data, plan.symbol), design, logo));
    const [ours, theirs] = [encodePng(image.pixels, image.width, image.height), image.asPng()];
    if (ours.length > theirs.length) larger.push(picture.name);
    if (!decode(ours).equals(decode(theirs))) differing.push(picture.name);
  }
  t.same(larger, []);
  t.same(differing, []);
});
