import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { deflateGlyphs } from '../../../workers/raster/deflate/deflate-glyphs.ts';
import { glyphCodeOf } from '../../../workers/raster/deflate/glyph-code.ts';
import { figureOf, type Glyph } from '../../../workers/raster/deflate/glyph-rows.ts';
import { createRandom } from '../../support/random.ts';

/** Glyphs in lines, separated by gaps, with runs, repetitions and blank pixels. */
const pictures = fc
  .record({
    modulePx: fc.constantFrom(1, 2, 3, 6, 11),
    widths: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 }),
    lines: fc.array(fc.array(fc.nat(4), { maxLength: 6 }), { minLength: 1, maxLength: 5 }),
    gapPx: fc.constantFrom(0, 1, 2, 7, 300),
    marginsPx: fc.tuple(fc.nat(400), fc.nat(9)),
    same: fc.constantFrom(0, 60, 95),
    seed: fc.integer(),
  })
  .map(({ modulePx, widths, lines, gapPx, marginsPx: [marginPx, belowPx], same, seed }) => {
    const random = createRandom(seed);
    const glyphs = widths.map((widthPx): Glyph => {
      const indices = new Uint8Array(widthPx * modulePx);
      for (let i = 0; i < indices.length; i += 1)
        indices[i] = i > 0 && random(100) < same ? indices[i - 1]! : random(3) * random(128);
      return figureOf(widthPx, indices, { periodPx: modulePx });
    });
    const numbers: number[] = [];
    const xs: number[] = [];
    const firsts = [0];
    let widthPx = 1;
    for (const line of lines) {
      let x = marginPx;
      for (const glyph of line.map((each) => each % glyphs.length)) {
        numbers.push(glyph);
        xs.push(x);
        x += widths[glyph]! + gapPx;
      }
      widthPx = Math.max(widthPx, x + belowPx);
      firsts.push(numbers.length);
    }
    const placed = {
      count: lines.length,
      firsts: Int32Array.from(firsts),
      glyphs: Uint8Array.from(numbers),
      xsPx: Int32Array.from(xs),
    };
    const size = { stride: widthPx + 1, heightPx: marginPx + lines.length * modulePx + belowPx };
    return { glyphs, picture: { ...size, modulePx, yPx: marginPx, lines: placed } };
  });

type Case = typeof pictures extends fc.Arbitrary<infer Value> ? Value : never;

const deflated = ({ glyphs, picture }: Case): Uint8Array => {
  const { modulePx, stride, lines } = picture;
  // The prefix code is made for another picture, so every symbol must have a code anyway.
  return deflateGlyphs(picture, glyphCodeOf(glyphs, { ...lines, count: 1 }, modulePx, stride)).slice();
};

/** Returns the palette indices of compressed rows. */
function indicesOf(compressed: Uint8Array, stride: number): Buffer {
  const bytes = inflateSync(compressed);
  for (let i = 0; i < bytes.length; i += 1)
    if (i % stride > 0 && bytes[i - (i % stride)] === 2) bytes[i] = bytes[i]! + bytes[i - stride]!;
  return bytes.filter((_, i) => i % stride > 0) as Buffer;
}

/** Returns the palette indices of a picture, pixel by pixel. */
function drawn({ glyphs, picture }: Case): Buffer {
  const { stride, heightPx, modulePx, yPx, lines } = picture;
  const pixels = Buffer.alloc((stride - 1) * heightPx);
  for (let line = 0; line < lines.count; line += 1)
    for (let i = lines.firsts[line]!; i < lines.firsts[line + 1]!; i += 1) {
      const { widthPx, indices } = glyphs[lines.glyphs[i]!]!;
      for (const [at, index] of indices.entries()) {
        const y = yPx + line * modulePx + Math.floor(at / widthPx);
        pixels[y * (stride - 1) + lines.xsPx[i]! + (at % widthPx)] = index;
      }
    }
  return pixels;
}

t.test('pictures of glyphs can be inflated again, whatever the positions of the glyphs', async (t) => {
  const rule = fc.property(pictures, (one) =>
    indicesOf(deflated(one), one.picture.stride).equals(drawn(one)),
  );
  t.doesNotThrow(() => fc.assert(rule, { numRuns: 150 }));
});

t.test('the bytes of pictures of glyphs do not depend on what was compressed before', async (t) => {
  const [first, ...others] = fc.sample(pictures, { numRuns: 60, seed: 3 });
  const bytes = deflated(first!);
  for (const other of others) deflated(other);
  t.strictSame(deflated(first!), bytes);
});
