/** How readers see finder patterns, compared with the formulas of docs/quality.md and with drawn pictures. */

import fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import { toDesign } from '../../../src/generate/request/design.ts';
import type { PictureOptions } from '../../../src/generate/request/picture-options.ts';
import { planRender } from '../../../workers/plan.ts';
import { type Design, isFault } from '../../../workers/protocol.ts';
import {
  type FinderView,
  finderLight,
  finderShapeOf,
  viewFinder,
  worstFinder,
} from '../../../workers/quality/finders.ts';
import { fieldOf } from '../../../workers/quality/light.ts';
import { centreOf, ringOf } from '../../../workers/raster/glyphs.ts';
import { render } from '../../../workers/render.ts';
import { CORNER_TYPES, DOT_TYPES, holds } from '../../support/pictures/designs.ts';

/** Samples per module, and across a pattern with a module of ground on each side. */
const [PX, RIM, SIDE] = [8, 8, 56 + 16];

/** A pattern with its rim as rows of `#` and `.`. */
type Rows = readonly string[];

const isInk = (rows: Rows, x: number, y: number): boolean =>
  rows[Math.floor(y * PX) + RIM]?.[Math.floor(x * PX) + RIM] === '#';

/** The rule of docs/quality.md, applied to the rows as text. */
const naiveView = (rows: Rows): FinderView => {
  const columns = Array.from({ length: SIDE }, (_, x) => rows.map((row) => row[x]).join(''));
  /** Four lines per module through the three modules of the centre; each uses the nearest samples. */
  const lines = [rows, columns].flatMap((all) =>
    Array.from({ length: 12 }, (_, i) => {
      const at = 2 + (i + 0.5) / 4;
      return { line: all[Math.floor(at * PX) + RIM]!, isMiddle: at > 2.5 && at < 4.5 };
    }),
  );
  const middleLines = lines.filter(({ isMiddle }) => isMiddle);
  const isWide = (line: string): boolean => {
    const left = /#*$/.exec(line.slice(0, SIDE / 2))![0].length;
    const right = /^#*/.exec(line.slice(SIDE / 2))![0].length;
    return Math.abs(left + right - 3 * PX) <= PX / 2;
  };
  const beginsWithRing = (line: string): boolean => {
    const [, before, ring] = /^(\.*)(#*)/.exec(line)!;
    return Math.abs(before!.length - RIM) <= PX / 2 && Math.abs(ring!.length - PX) <= PX / 2;
  };
  const hasRing = (line: string): boolean =>
    beginsWithRing(line) && beginsWithRing([...line].reverse().join(''));
  const share = (of: readonly { readonly line: string }[], isGood: (line: string) => boolean): number =>
    of.filter(({ line }) => isGood(line)).length / of.length;
  const diagonal = Array.from({ length: SIDE }, (_, i) => rows[i]![i]).join('');
  const other = Array.from({ length: SIDE }, (_, i) => rows[SIDE - 1 - i]![i]).join('');
  const insets = [diagonal, other, [...diagonal].reverse().join(''), [...other].reverse().join('')].map(
    (line) => /^\.*/.exec(line.slice(RIM, -RIM))![0].length,
  );
  return {
    centreMiddle: share(middleLines, isWide),
    centreWhole: share(lines, isWide),
    centreDiagonals: isWide(diagonal) && isWide(other),
    ringMiddle: share(middleLines, hasRing),
    cornerInset: (Math.max(...insets) / PX) * Math.SQRT2,
  };
};

/** A finder pattern whose ring and centre are moved and resized a little, with a flaw of ink or of ground. */
const patterns = fc
  .record({
    ring: fc.tuple(...[0, 0, 56, 56].map((at) => fc.integer({ min: at - 6, max: at + 6 }))),
    hole: fc.tuple(...[8, 8, 48, 48].map((at) => fc.integer({ min: at - 6, max: at + 6 }))),
    centre: fc.tuple(...[16, 16, 40, 40].map((at) => fc.integer({ min: at - 4, max: at + 4 }))),
    cut: fc.integer({ min: 0, max: 20 }),
    flaw: fc.tuple(...[0, 0, 0, 0].map(() => fc.integer({ min: -6, max: 60 }))),
    isFlawInk: fc.boolean(),
    isFlawed: fc.boolean(),
  })
  .map(({ ring, hole, centre, cut, flaw, isFlawInk, isFlawed }): Rows => {
    const isIn = ([left, top, right, bottom]: readonly number[], x: number, y: number): boolean =>
      x >= left! && x < right! && y >= top! && y < bottom!;
    return Array.from({ length: SIDE }, (_, row) =>
      Array.from({ length: SIDE }, (_, column) => {
        const [x, y] = [column - RIM, row - RIM];
        if (isFlawed && isIn(flaw, x, y)) return isFlawInk ? '#' : '.';
        const isCut = Math.min(x, 55 - x) + Math.min(y, 55 - y) < cut;
        const isRing = isIn(ring, x, y) && !isIn(hole, x, y) && !isCut;
        return isRing || isIn(centre, x, y) ? '#' : '.';
      }).join(''),
    );
  });

t.test('whether a pattern is detected follows the formulas', async (t) => {
  const seen = new Set<string>();
  holds(
    t,
    fc.property(patterns, (rows) => {
      const view = viewFinder((x, y) => (isInk(rows, x, y) ? 0.3 : 0.6), 0.45);
      for (const [name, value] of Object.entries(view)) seen.add(`${name} ${value}`);
      return t.strictSame(view, naiveView(rows));
    }),
    300,
  );
  t.ok(seen.size > 20, `${seen.size} figures`);
});

t.test('a sample as light as the threshold is not ink', async (t) => {
  t.equal(viewFinder(() => 0.5, 0.5).cornerInset, 7 * Math.SQRT2);
  t.equal(viewFinder(() => 0.49, 0.5).cornerInset, 0);
  const light = finderLight(finderShapeOf(toDesign({})), {
    ground: () => 0.5,
    ring: () => 0,
    centre: () => 0,
  });
  t.equal(viewFinder(light, 0.5).centreMiddle, 1);
});

t.test('the light of a pattern is composed of its masks: ring, then centre, over the ground', async (t) => {
  for (const ring of CORNER_TYPES) {
    for (const dots of DOT_TYPES) {
      const centre = CORNER_TYPES[(CORNER_TYPES.indexOf(ring) + 3) % CORNER_TYPES.length]!;
      const design: Design = {
        ...toDesign({ dotsOptions: { type: dots } }),
        cornersSquare: { type: ring, paint: null },
        cornersDot: { type: centre, paint: null },
      };
      const paint = {
        ground: (x: number, y: number) => 0.9 + x / 1000 + y / 10_000,
        ring: (x: number, y: number) => 0.2 + x / 1000 + y / 10_000,
        centre: (x: number, y: number) => 0.1 + x / 1000 + y / 10_000,
      };
      const light = finderLight(finderShapeOf(design), paint);
      const [ofRing, ofCentre] = [ringOf(ring, dots, PX).coverage, centreOf(centre, dots, PX).coverage];
      let wrong = 0;
      for (let row = -2; row < 58; row += 1)
        for (let column = -2; column < 58; column += 1) {
          const [x, y] = [(column + 0.5) / PX, (row + 0.5) / PX];
          const isOn = Math.min(row, column) >= 0 && Math.max(row, column) < 56;
          const isCentre = Math.min(row, column) >= 16 && Math.max(row, column) < 40;
          const shareOfRing = isOn ? ofRing[row * 56 + column]! / 255 : 0;
          const shareOfCentre = isCentre ? ofCentre[(row - 16) * 24 + column - 16]! / 255 : 0;
          const ground = paint.ground(x, y);
          const expected =
            shareOfRing > 0
              ? ground + (paint.ring(x, y) - ground) * shareOfRing
              : ground + (paint.centre(x, y) - ground) * shareOfCentre;
          if (Math.abs(light(x, y) - expected) > 1e-9) wrong += 1;
        }
      t.equal(wrong, 0, `${ring} with ${centre} of ${dots}`);
    }
  }
});

const TEXT = 'https://example.com/abc';

/** Positions in the ring and the centre, in modules, whose ink is compared with the ground. */
const PLACES = [
  ...[0.5, 6.5].flatMap((x) => [0.5, 6.5].map((y) => [x, y] as const)),
  ...[2.5, 3.5, 4.5].map((at) => [at, at] as const),
];

t.test('the contrast of the finder patterns equals that in the drawn picture', async (t) => {
  const stops = (from: string, to: string) => [
    { offset: 0, color: from },
    { offset: 1, color: to },
  ];
  const linear = (from: string, to: string, rotation = 0) => ({
    type: 'linear' as const,
    rotation,
    colorStops: stops(from, to),
  });
  const radial = (from: string, to: string) => ({ type: 'radial' as const, colorStops: stops(from, to) });
  const looks: readonly PictureOptions[] = [
    {},
    { cornersSquareOptions: { color: '#224466' }, cornersDotOptions: { color: '#883311' } },
    { cornersSquareOptions: { color: '#00000080' }, cornersDotOptions: { color: '#446600cc' } },
    { dotsOptions: { gradient: linear('#000000', '#0000ff') } },
    { dotsOptions: { gradient: radial('#000000', '#777777') } },
    { cornersSquareOptions: { gradient: linear('#000000', '#555555', 0.4) } },
    { cornersDotOptions: { gradient: linear('#000000', '#555555', 1) } },
    {
      cornersSquareOptions: { gradient: radial('#000000', '#558855') },
      cornersDotOptions: { color: '#000' },
    },
    { backgroundOptions: { gradient: linear('#ffffff', '#888888', 0.7) } },
    { backgroundOptions: { gradient: linear('#777777', '#ffffff') } },
    { dotsOptions: { color: '#ffffff' }, backgroundOptions: { gradient: linear('#000000', '#333333', 1) } },
    { dotsOptions: { color: '#eeeeee' }, backgroundOptions: { color: '#223344' } },
  ];
  for (const look of looks) {
    const options: PictureOptions = {
      width: 460,
      height: 400,
      ...look,
      cornersSquareOptions: { type: 'square', ...look.cornersSquareOptions },
      cornersDotOptions: { type: 'square', ...look.cornersDotOptions },
    };
    const design = toDesign(options);
    const plan = planRender(TEXT, design, null);
    const drawn = render({ text: TEXT, design, logo: null, format: 'png' });
    if (isFault(plan) || !drawn.ok) throw new Error('not drawn');
    const { xPx, yPx, modulePx, moduleCount } = plan.geometry;
    const { data, info } = await sharp(drawn.value.bytes)
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const luma = (x: number, y: number): number => {
      const at = (Math.floor(y) * info.width + Math.floor(x)) * 3;
      return (0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!) / 255;
    };
    const field = fieldOf(design, 'luma');
    const isInverted = ['#ffffff', '#eeeeee'].includes(look.dotsOptions?.color ?? '');
    const last = moduleCount - 7;
    const offs = [
      [0, 0],
      [last, 0],
      [0, last],
    ].flatMap(([column, row]) =>
      PLACES.map(([x, y]) => {
        const [atX, atY] = [xPx + (column! + x) * modulePx, yPx + (row! + y) * modulePx];
        return (field.ground(atX, atY) - luma(atX, atY)) * (isInverted ? -1 : 1);
      }),
    );
    const { contrast, ...view } = worstFinder(design, plan.geometry, field, isInverted);
    t.ok(Math.abs(contrast - Math.min(...offs)) < 0.015, `${contrast} ${JSON.stringify(look)}`);
    t.strictSame(
      view,
      { centreMiddle: 1, centreWhole: 1, centreDiagonals: true, ringMiddle: 1, cornerInset: 0 },
      JSON.stringify(look),
    );
  }
});

t.test('ink and ground are compared in the corners of the ring and along the centre', async (t) => {
  const design = toDesign({ width: 360, height: 360, dotsOptions: { color: '#000000', type: 'square' } });
  const plan = planRender(TEXT, design, null);
  if (isFault(plan)) throw new Error(plan.message);
  const { xPx, yPx, modulePx, moduleCount } = plan.geometry;
  /** The contrast with a spot of grey ground one module wide, at a position in modules from a pattern's corner. */
  const contrastWith = (column: number, row: number, [x, y]: readonly [number, number]): number => {
    const [left, top] = [xPx + (column + x) * modulePx, yPx + (row + y) * modulePx];
    const isSpot = (atX: number, atY: number): boolean =>
      Math.max(Math.abs(atX - left), Math.abs(atY - top)) < modulePx / 2;
    const ground = (atX: number, atY: number): number => (isSpot(atX, atY) ? 0.6 : 1);
    return worstFinder(design, plan.geometry, { isUniform: false, ground, dark: () => 0 }, false).contrast;
  };
  const last = moduleCount - 7;
  for (const [column, row] of [
    [0, 0],
    [last, 0],
    [0, last],
  ] as const)
    for (let y = 0.5; y < 7; y += 1)
      for (let x = 0.5; x < 7; x += 1) {
        const isPlace = PLACES.some(([atX, atY]) => atX === x && atY === y);
        t.equal(contrastWith(column, row, [x, y]), isPlace ? 0.6 : 1, `${column}, ${row}: ${x}, ${y}`);
      }
});

t.test('for each figure the worst of the three patterns counts', async (t) => {
  // Towards one corner the ground gets so dark that only one pattern is not detected.
  const worstOf = (rotation: number) => {
    const design = toDesign({
      dotsOptions: { type: 'square', color: '#000000' },
      backgroundOptions: {
        gradient: {
          type: 'linear',
          rotation,
          colorStops: [
            { offset: 0, color: '#ffffff' },
            { offset: 0.75, color: '#ffffff' },
            { offset: 0.78, color: '#000000' },
          ],
        },
      },
    });
    const plan = planRender(TEXT, design, null);
    if (isFault(plan)) throw new Error(plan.message);
    return worstFinder(design, plan.geometry, fieldOf(design, 'luma'), false);
  };
  for (const rotation of [0, Math.PI / 2, Math.PI, -Math.PI / 2]) {
    const { contrast, cornerInset, ...view } = worstOf(rotation);
    t.equal(contrast, 0, `${rotation}`);
    t.ok(view.centreMiddle < 1 || view.ringMiddle < 1, `${rotation}: ${JSON.stringify(view)}`);
    t.equal(cornerInset, 0);
  }
});

t.test('all three patterns are detected when only their centres have a gradient', async (t) => {
  // Grey at the end of the diagonal along which centres are sampled, in the first pattern or in another one.
  const contrastOf = (rotation: number) => {
    const colorStops = [
      { offset: 0, color: '#000000' },
      { offset: 1, color: '#808080' },
    ];
    const design = toDesign({
      dotsOptions: { type: 'square', color: '#000000' },
      cornersDotOptions: { type: 'square', gradient: { type: 'linear', rotation, colorStops } },
    });
    const plan = planRender(TEXT, design, null);
    if (isFault(plan)) throw new Error(plan.message);
    return worstFinder(design, plan.geometry, fieldOf(design, 'luma'), false).contrast;
  };
  const along = contrastOf(Math.PI / 4);
  t.ok(along < 0.65, `${along}`);
  for (const rotation of [-Math.PI / 4, (3 * Math.PI) / 4, (5 * Math.PI) / 4])
    t.ok(Math.abs(contrastOf(rotation) - along) < 0.01, `${rotation}: ${contrastOf(rotation)}`);
});
