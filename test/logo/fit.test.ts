/** The resolution at which a logo is embedded in a picture. */

import fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import { createLogoFitter } from '../../src/logo/fit.ts';
import { fewestOf } from '../support/cases.ts';

/** Size of the original bitmap. */
const PNG_WIDTH_PX = 120;
const PNG_HEIGHT_PX = 80;
const png = new Uint8Array(
  await sharp({ create: { width: PNG_WIDTH_PX, height: PNG_HEIGHT_PX, channels: 4, background: '#06c' } })
    .png()
    .toBuffer(),
);

const fit = createLogoFitter(1024 * 1024);
const sizeOf = async (bytes: Uint8Array) => {
  const { width, height } = await sharp(bytes).metadata();
  return [width, height];
};

t.test('a logo has four times the resolution of the picture, and is never enlarged', async (t) => {
  const side = fc.double({ min: 0.1, max: 60, noNaN: true });
  const size = fc.constantFrom([120, 80], [60, 40], [1200, 800], [30, 80]);
  let shrunk = 0;
  await fc.assert(
    fc.asyncProperty(side, side, size, async (width, height, [widthPx, heightPx]) => {
      const found = { logo: { png, widthPx: widthPx!, heightPx: heightPx! }, sha256: `${widthPx}` };
      const logo = await fit(found, { width, height });
      const scale = 4 * Math.min(width / widthPx!, height / heightPx!);
      const wanted = [widthPx!, heightPx!].map((sidePx) => Math.max(1, Math.round(sidePx * scale)));
      const isSmaller = wanted[0]! < PNG_WIDTH_PX && wanted[1]! < PNG_HEIGHT_PX;
      if (isSmaller) shrunk += 1;
      t.strictSame(await sizeOf(logo.png), isSmaller ? wanted : [PNG_WIDTH_PX, PNG_HEIGHT_PX]);
      t.strictSame([logo.widthPx, logo.heightPx], [widthPx, heightPx], 'its natural size is unchanged');
    }),
    { numRuns: 60 },
  );
  t.ok(shrunk > fewestOf(10), `${shrunk} shrunk`);
});

t.test('each size is made once, cached within a limit, and has no vector paths', async (t) => {
  const found = { logo: { png, widthPx: 120, heightPx: 80, vector: { paths: [] } as never }, sha256: 'one' };
  const [first, again] = [
    await fit(found, { width: 10, height: 10 }),
    await fit(found, { width: 10, height: 90 }),
  ];
  t.strictSame(await sizeOf(first.png), [40, 27]);
  t.equal(again.png, first.png);
  t.notOk('vector' in first);
  t.equal((await fit(found, null)).png, png, 'without a target size it keeps its pixels');
  t.ok('vector' in (await fit(found, null)));
  const other = await fit({ ...found, sha256: 'other' }, { width: 10, height: 10 });
  t.not(other.png, first.png, 'another logo of the same size is not confused with it');
  const small = createLogoFitter(100);
  t.not((await small(found, { width: 9, height: 9 })).png, (await small(found, { width: 9, height: 9 })).png);
});
