/** The grid of a logo, which lets threads grade it without decoding it. */

import sharp from 'sharp';
import t from 'tap';
import { createLogoFitter } from '../../src/logo/fit.ts';
import { type Design, isFault, type Logo, type Quality } from '../../workers/protocol.ts';
import { gradeDesign } from '../../workers/quality/grade.ts';
import { logoLightOf } from '../../workers/quality/occlusion.ts';
import { DEFAULT_DESIGN } from '../support/pictures/designs.ts';

const drawLogo = async (widthPx: number, heightPx: number, shapes: string): Promise<Logo> => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 100 100" preserveAspectRatio="none">${shapes}</svg>`;
  return { png: new Uint8Array(await sharp(Buffer.from(svg)).png().toBuffer()), widthPx, heightPx };
};
const grey = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#777' } })
  .toColourspace('b-w')
  .png()
  .toBuffer();
const LOGOS: readonly Logo[] = [
  await drawLogo(1024, 1024, '<rect width="100" height="100" fill="#203040"/>'),
  await drawLogo(
    1024,
    400,
    '<circle cx="50" cy="50" r="49" fill="#e5484d"/><path d="M28 52l16 16 30-34" stroke="#fff" stroke-width="10" fill="none"/>',
  ),
  await drawLogo(60, 240, '<rect width="50" height="100" fill="#06c" fill-opacity=".5"/>'),
  { png: new Uint8Array(grey), widthPx: 90, heightPx: 90 },
];

const fit = createLogoFitter(8 * 1024 * 1024);
const gridded = (logo: Logo, i: number) => fit({ logo, sha256: `${i}` }, null);

t.test('the grid of a logo has the same values as decoding the logo in a thread', async (t) => {
  for (const [i, logo] of LOGOS.entries()) {
    const { grid } = await gridded(logo, i);
    const decoded = logoLightOf(logo);
    t.strictSame([grid!.columns, grid!.rows], [decoded.columns, decoded.rows]);
    for (const part of ['luma', 'alpha'] as const) {
      const offs = decoded[part].map((value, at) => Math.abs(value - grid![part][at]!));
      t.ok(offs.reduce((sum, off) => sum + off, 0) / offs.length < 4, `logo ${i}, ${part}`);
    }
  }
});

t.test('a logo with a grid is graded without its pixels', async (t) => {
  for (const [i, logo] of LOGOS.entries()) {
    for (const size of [0.2, 0.5, 1]) {
      const design: Design = { ...DEFAULT_DESIGN, image: { size, marginPx: 0, hideBackgroundDots: false } };
      const gradeWith = (one: Logo): Quality => {
        const quality = gradeDesign('https://example.com/', design, one);
        if (isFault(quality)) throw new Error(quality.message);
        return quality;
      };
      const noPixels = { ...(await gridded(logo, i)), png: Uint8Array.of(i, 1, 2, 3) };
      t.equal(gradeWith(noPixels).grade, gradeWith(logo).grade, `logo ${i}, size ${size}`);
    }
  }
});

t.test('a fitted logo keeps its grid', async (t) => {
  const [logo] = LOGOS;
  const found = { logo: logo!, sha256: 'fitted' };
  const [small, whole] = [await fit(found, { width: 40, height: 40 }), await fit(found, null)];
  t.ok(small.png.length < whole.png.length);
  t.equal(small.grid, whole.grid, 'the grid is made once for all sizes');
});
