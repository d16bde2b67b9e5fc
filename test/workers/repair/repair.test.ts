/**
 * Repaired pictures are readable. `REPAIRS=10000` sets the number of random designs, `REPAIR_SEED` chooses them.
 */

import fc from 'fast-check';
import t from 'tap';
import { type Design, isFault, type Logo } from '../../../workers/protocol.ts';
import { render } from '../../../workers/render.ts';
import { repairDesign } from '../../../workers/repair.ts';
import { casesOf } from '../../support/cases.ts';
import { legalDesigns } from '../../support/pictures/designs.ts';
import { discLogo } from '../../support/pictures/logo.ts';
import { readSharp } from '../../support/pictures/readers.ts';

const REPAIRS = Number(process.env.REPAIRS ?? 300);
const SEED = Number(process.env.REPAIR_SEED ?? 16);
/** Number of pictures that are read together. */
const CHUNK = 50;

const WIDE = discLogo(200, 100, '#d33');
const LOGOS = [WIDE, discLogo(100, 100, '#123'), discLogo(60, 240, 'none'), null, null];

const repairAndDraw = (text: string, design: Design, logo: Logo | null) => {
  const repaired = repairDesign(text, design, logo, 4);
  if (isFault(repaired)) return null;
  const drawn = render({ text, design: repaired.design, logo, format: 'png' });
  if (!drawn.ok) throw new Error(`${drawn.fault.field}: ${drawn.fault.message}`);
  return { repaired, drawn };
};

/** Mostly dark on light and on a square, since colours and shapes are never repaired. */
const someDesigns = fc
  .oneof(
    legalDesigns({ from: 0, to: 90, translucent: false }, { from: 220, to: 256, translucent: false }),
    legalDesigns({ from: 0, to: 90, translucent: false }, { from: 220, to: 256, translucent: false }),
    legalDesigns({ from: 0, to: 130, translucent: true }, { from: 190, to: 256, translucent: true }),
  )
  .chain((design) =>
    fc
      .record({
        widthPx: fc.integer({ min: 120, max: 600 }),
        heightPx: fc.integer({ min: 120, max: 600 }),
        marginPx: fc.option(fc.integer({ min: 0, max: 40 }), { nil: null }),
        logo: fc.constantFrom(...LOGOS),
        shape: fc.constantFrom(...Array(7).fill('square'), 'circle'),
        characters: fc.integer({ min: 5, max: 120 }),
        typeNumber: fc.constantFrom(0, 0, 0, 0, 0, 0, 7, 12),
        imageSize: fc.double({ min: 0.1, max: 1, noNaN: true }),
        imageMarginPx: fc.constantFrom(0, 0, 2, 5),
        isSolid: fc.boolean(),
      })
      .map(({ logo, characters, typeNumber, isSolid, imageSize, imageMarginPx, ...canvas }) => {
        const symbol = { ...design.symbol, typeNumber, mode: null };
        const { dots, background } = design;
        const image = { ...design.image, size: imageSize, marginPx: imageMarginPx };
        const solid = isSolid
          ? { dots: { ...dots, paint: '#123456' }, background: { ...background, paint: '#ffffff' } }
          : {};
        return { logo, characters, design: { ...design, ...canvas, symbol, image, ...solid } as Design };
      }),
  );

t.test('random designs with grade 4 after repair are read by ZXing and zbar', async (t) => {
  const samples = fc.sample(someDesigns, { numRuns: casesOf(REPAIRS), seed: SEED });
  const counts = { undrawable: 0, refused: 0, unchanged: 0, repaired: 0 };
  for (let first = 0; first < samples.length; first += CHUNK) {
    const read: { text: string; png: Uint8Array; design: Design }[] = [];
    for (const [i, { design, logo, characters }] of samples.slice(first, first + CHUNK).entries()) {
      const text = `https://example.com/${first + i}/`.padEnd(characters, 'abcXYZ019-');
      const made = repairAndDraw(text, design, logo);
      if (made === null) {
        counts.undrawable += 1;
        continue;
      }
      const { repaired, drawn } = made;
      if (drawn.value.grade !== repaired.quality.grade) t.fail(JSON.stringify(repaired));
      if (drawn.value.grade < 4) counts.refused += 1;
      else {
        counts[repaired.changes.length === 0 ? 'unchanged' : 'repaired'] += 1;
        read.push({ text, png: drawn.value.bytes, design: repaired.design });
      }
    }
    for (const [i, { zxing, zbar }] of (await readSharp(read.map(({ png }) => png))).entries()) {
      const { text, design } = read[i]!;
      if (zxing !== text) t.fail(`ZXing read ${zxing}: ${text} ${JSON.stringify(design)}`);
      if (zbar !== text) t.fail(`zbar read ${zbar}: ${text} ${JSON.stringify(design)}`);
    }
  }
  t.comment(JSON.stringify(counts));
  t.ok(counts.repaired > samples.length / 20, 'enough designs were repaired');
});
