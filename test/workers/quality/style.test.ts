/** The grades of styles, compared with the tables of docs/quality.md. */

import t from 'tap';
import { toDesign } from '../../../src/generate/request/design.ts';
import type { PictureOptions } from '../../../src/generate/request/picture-options.ts';
import type { Geometry } from '../../../workers/design/geometry.ts';
import type { ParameterName } from '../../../workers/lists.ts';
import { planRender } from '../../../workers/plan.ts';
import { type Design, isFault, type Logo, type PrintPage, type Quality } from '../../../workers/protocol.ts';
import { gradeDesign, gradeFinders, gradeOf, gradeStyle } from '../../../workers/quality/grade.ts';
import { createSymbol } from '../../../workers/symbol/symbol.ts';

const TEXT = 'https://example.com/abc';
/** All tests use version 3, with 29 modules. */
const LEVEL = { qrOptions: { typeNumber: 3 } } as const;

const laidOut = (options: PictureOptions) => {
  const design = toDesign({ ...LEVEL, ...options });
  const plan = planRender(TEXT, design, null);
  if (isFault(plan)) throw new Error(plan.message);
  return { design, geometry: plan.geometry };
};

const styleOf = (
  options: PictureOptions,
  change: { design?: Partial<Design>; geometry?: Partial<Geometry>; page?: PrintPage } = {},
) => {
  const { design, geometry } = laidOut(options);
  return gradeStyle(
    3,
    { ...design, ...change.design },
    { ...geometry, ...change.geometry },
    null,
    change.page ?? null,
  );
};

/** The figure in the format of `Tessera-Warnings`, and the grade. */
const graded = (
  name: Exclude<ParameterName, 'modulation' | 'logo-damage' | 'fixed-patterns'>,
  ...args: Parameters<typeof styleOf>
) => {
  const { parameters, figures } = styleOf(...args);
  const figure = figures[name];
  return [figure === undefined ? null : Number(figure.toFixed(4)), parameters[name]];
};

const BLACK = { type: 'square', color: '#000000' } as const;
const gray = (share: number): string => {
  const value = Math.round(share * 255);
  return `#${value.toString(16).padStart(2, '0').repeat(3)}`;
};

t.test('contrast is graded in the steps of the standard', async (t) => {
  for (const [light, grade] of [
    [0, 4],
    [0.29, 4],
    [0.31, 3],
    [0.44, 3],
    [0.46, 2],
    [0.59, 2],
    [0.61, 1],
    [0.79, 1],
    [0.81, 0],
  ] as const) {
    const found = graded('contrast', { dotsOptions: { type: 'square', color: gray(light) } });
    t.strictSame(found, [Number((1 - Math.round(light * 255) / 255).toFixed(4)), grade], `${light}`);
  }
  // Only the finder patterns.
  const corners = { cornersSquareOptions: { color: gray(0.5) } };
  t.strictSame(graded('contrast', { dotsOptions: BLACK, ...corners })[1], 2);
});

t.test('red light lowers the grade by one at most', async (t) => {
  const red = (share: number) => {
    const value = Math.round(share * 255)
      .toString(16)
      .padStart(2, '0');
    return graded('red-light', { dotsOptions: { type: 'square', color: `#${value}0000` } });
  };
  t.strictSame(red(0), [1, 4]);
  t.strictSame(red(0.6), [0.4, 4]);
  t.strictSame(red(0.61), [Number((1 - 156 / 255).toFixed(4)), 3]);
  t.strictSame(red(1), [0, 3]);
});

t.test('the ground is graded by how much nearer its light is to white than to the ink', async (t) => {
  for (const [paper, grade] of [
    [1, 4],
    [0.81, 4],
    [0.79, 3],
    [0.71, 3],
    [0.69, 2],
    [0.61, 2],
    [0.59, 1],
    [0.51, 1],
    [0.49, 0],
  ] as const) {
    const found = graded('ground', { dotsOptions: BLACK, backgroundOptions: { color: gray(paper) } });
    t.strictSame(found, [Number((2 * (Math.round(paper * 255) / 255) - 1).toFixed(4)), grade], `${paper}`);
  }
});

t.test('the quiet zone is the narrowest side, in modules; for a circle it is one module', async (t) => {
  // Modules of 10 px, 290 in all.
  const zone = (geometry: Partial<Geometry>, design: Partial<Design> = {}, page?: PrintPage) =>
    graded(
      'quiet-zone',
      {},
      {
        geometry: { moduleCount: 29, modulePx: 10, fillerRings: 0, ...geometry },
        design: { widthPx: 400, heightPx: 500, ...design },
        ...(page === undefined ? {} : { page }),
      },
    );
  t.strictSame(zone({ xPx: 50, yPx: 90 }), [5, 4]);
  t.strictSame(zone({ xPx: 20, yPx: 90 }), [2, 4]);
  t.strictSame(zone({ xPx: 19, yPx: 90 }), [1.9, 3]);
  t.strictSame(zone({ xPx: 90, yPx: 90 }), [2, 4], 'the right side');
  t.strictSame(zone({ xPx: 91, yPx: 90 }), [1.9, 3], 'the right side');
  t.strictSame(zone({ xPx: 50, yPx: 15 }), [1.5, 3], 'the top');
  t.strictSame(zone({ xPx: 50, yPx: 195 }), [1.5, 3], 'the bottom');
  t.strictSame(zone({ xPx: 50, yPx: 90, fillerRings: 1 }), [1, 3], 'a circle');
  const page = { widthMm: 40, heightMm: 50, bleedMm: 3, mmPerPx: 0.1, bleedPx: 30 };
  t.strictSame(zone({ xPx: 50, yPx: 90 }, {}, page), [2, 4], 'the bleed does not count');
  t.strictSame(zone({ xPx: 49, yPx: 90 }, {}, page), [1.9, 3], 'the bleed does not count');
});

t.test('modules need four pixels, and 0.33 mm on paper', async (t) => {
  const px = (modulePx: number) => graded('small-modules', {}, { geometry: { modulePx } });
  t.strictSame(
    [4, 3.99, 3, 2.99, 2, 1.99, 1, 0.99].map((modulePx) => px(modulePx)[1]),
    [4, 3, 3, 2, 2, 1, 1, 0],
  );
  t.equal(px(7)[0], 7);
  const mm = (moduleMm: number) => {
    const page = { widthMm: 40, heightMm: 40, bleedMm: 0, mmPerPx: moduleMm / 10, bleedPx: 0 };
    return graded('small-modules', {}, { geometry: { modulePx: 10 }, page });
  };
  t.strictSame(
    [0.34, 0.33, 0.329, 0.25, 0.249, 0.2, 0.199, 0.15, 0.149].map((moduleMm) => mm(moduleMm)[1]),
    [4, 4, 3, 3, 2, 2, 1, 1, 0],
  );
  t.equal(mm(0.33)[0], 0.33);
  t.equal(mm(0.33 - 1e-12)[1], 4, 'rounding errors do not lower the grade');
});

t.test('finder patterns are graded in the steps of docs/quality.md', async (t) => {
  const best = { centreMiddle: 1, centreWhole: 1, centreDiagonals: true, ringMiddle: 1, cornerInset: 0 };
  const grades = (name: keyof typeof best, figures: readonly number[]) =>
    figures.map((figure) => {
      const graded = gradeFinders({ ...best, [name]: figure }, false);
      return Math.min(graded['finder-centre'], graded['finder-ring']);
    });
  t.strictSame(
    grades('centreMiddle', [0.9, 0.89, 0.82, 0.81, 0.75, 0.74, 0.7, 0.69]),
    [4, 3, 3, 2, 2, 1, 1, 0],
  );
  const shares = [0.85, 0.84, 0.75, 0.74, 0.6, 0.59, 0.3, 0.29];
  t.strictSame(grades('centreWhole', shares), [4, 3, 3, 2, 2, 1, 1, 0]);
  t.strictSame(grades('ringMiddle', shares), [4, 3, 3, 2, 2, 1, 1, 0]);
  t.strictSame(grades('cornerInset', [0.35, 0.36, 0.6, 0.61, 1.2, 1.21, 2, 2.01]), [4, 3, 3, 2, 2, 1, 1, 0]);
  t.strictSame(gradeFinders({ ...best, centreDiagonals: false }, false), {
    'finder-centre': 2,
    'finder-ring': 4,
  });
  t.strictSame(gradeFinders(best, true), { 'finder-centre': 4, 'finder-ring': 2 });
  t.strictSame(gradeFinders(best, false), { 'finder-centre': 4, 'finder-ring': 4 });
});

t.test('finder patterns are graded by their shapes', async (t) => {
  const found = (cornersSquare: string, cornersDot: string, dots = 'square', roundSize = true) => {
    const { parameters } = styleOf({
      dotsOptions: { type: dots, color: '#000000', roundSize },
      cornersSquareOptions: { type: cornersSquare },
      cornersDotOptions: { type: cornersDot },
    } as PictureOptions);
    return [parameters['finder-ring'], parameters['finder-centre']];
  };
  for (const [ring, centre, expected] of [
    ['square', 'square', [4, 4]],
    ['rounded', 'rounded', [4, 4]],
    ['classy', 'classy', [4, 4]],
    ['classy-rounded', 'classy-rounded', [3, 4]],
    ['extra-rounded', 'extra-rounded', [2, 3]],
    ['dots', 'dots', [4, 0]],
    ['dot', 'dot', [1, 1]],
  ] as const)
    t.strictSame(found(ring, centre), expected, ring);
  t.strictSame(found('dots', 'square', 'square', false), [2, 4], 'discs without anti-aliasing');
  t.strictSame(found('square', 'square', 'dots', false), [4, 4], 'but not when only the dots are discs');
});

const logo = (alpha: number): Logo => ({
  ...{ png: Uint8Array.of(alpha), widthPx: 1, heightPx: 1 },
  grid: { columns: 1, rows: 1, luma: Uint8Array.of(0), alpha: Uint8Array.of(alpha) },
});

t.test('a style without a logo has no logo damage, whatever was laid out for one', async (t) => {
  const { design, geometry } = laidOut({});
  const box = { x: 90, y: 90, width: 100, height: 100 };
  const harmOf = (...args: [Geometry, Logo | null]) => {
    const { harm } = gradeStyle(3, design, ...args);
    return [harm.losses.modules.length > 0, harm.anchors.length > 0, harm.ofField.length > 0];
  };
  t.strictSame(harmOf({ ...geometry, logo: box }, null), [false, false, false]);
  t.strictSame(harmOf(geometry, logo(255)), [false, false, false]);
  t.strictSame(harmOf({ ...geometry, logo: box }, logo(254)), [true, false, false]);
  t.strictSame(harmOf({ ...geometry, logo: { ...box, x: 150, y: 150 } }, logo(253)), [true, true, false]);
});

t.test('a grade includes all parameters and their figures', async (t) => {
  const { figures, ...quality } = gradeDesign(
    TEXT,
    toDesign({ ...LEVEL, dotsOptions: BLACK }),
    null,
  ) as Quality;
  const shown = Object.entries(figures).map(([name, figure]) => [name, Number(figure.toFixed(9))]);
  t.strictSame(
    { ...quality, figures: Object.fromEntries(shown) },
    {
      grade: 4,
      parameters: {
        ...{ contrast: 4, 'red-light': 4, modulation: 4, 'logo-damage': 4, 'fixed-patterns': 4 },
        ...{ 'finder-centre': 4, 'finder-ring': 4, ground: 4, inverted: 4, 'quiet-zone': 4 },
        'small-modules': 4,
      },
      figures: {
        ...{ contrast: 1, 'red-light': 1, 'finder-centre': 1, 'finder-ring': 0, ground: 1 },
        ...{ 'quiet-zone': 4.25, 'small-modules': 8, 'logo-damage': 0 },
      },
      warnings: [],
    },
  );
});

t.test('logo damage is graded as a share of the correctable codewords', async (t) => {
  // A black logo over a symbol without dark modules, so that each covered module is wrong.
  const { design, geometry } = laidOut({ qrOptions: { typeNumber: 3, errorCorrectionLevel: 'L' } });
  const { symbol: plan } = planRender(TEXT, design, null) as { symbol: Parameters<typeof createSymbol>[1] };
  const symbol = createSymbol(TEXT, plan);
  t.equal(symbol.level, 'L');
  const { xPx, yPx, modulePx } = geometry;
  const blank = { ...symbol, modules: new Uint8Array(symbol.modules.length) };
  const seen = new Map<number, number>();
  for (let side = 0.5; side < 12; side += 0.25) {
    const box = {
      x: xPx + 10 * modulePx,
      y: yPx + 10 * modulePx,
      width: side * modulePx,
      height: side * modulePx,
    };
    const { quality, warnings } = gradeOf(blank, design, { ...geometry, logo: box }, logo(255));
    const occlusion = quality.figures['logo-damage']!;
    seen.set(Math.round(occlusion * 7), quality.parameters['logo-damage']);
    const warning = /logo-damage;v=([\d.]+)/.exec(warnings)?.[1];
    t.equal(
      warning,
      occlusion > 0.6 ? String(Math.round(occlusion * 100) / 100) : undefined,
      `${side} modules`,
    );
  }
  // Of seven codewords: up to four for 4, five for 3, seven for 2, and more for 0.
  for (const [wrong, grade] of seen)
    t.equal(grade, wrong <= 4 ? 4 : wrong <= 5 ? 3 : wrong <= 7 ? 2 : 0, `${wrong} wrong codewords`);
  t.ok(seen.size >= 5, `${[...seen.keys()]}`);
});

t.test('each style, size and page has its own grade, and repeated requests give the same one', async (t) => {
  const { design, geometry } = laidOut({ dotsOptions: BLACK });
  const plan = planRender(TEXT, design, null);
  if (isFault(plan)) throw new Error(plan.message);
  const symbol = createSymbol(TEXT, plan.symbol);
  const page = (bleedPx: number): PrintPage => ({
    widthMm: 9,
    heightMm: 9,
    bleedMm: 0,
    mmPerPx: 0.04,
    bleedPx,
  });
  const first = () => gradeOf(symbol, design, geometry, null);
  const small = () => gradeOf(symbol, design, geometry, null, page(0));
  t.equal(first().quality.grade, 4);
  t.equal(small().quality.parameters['small-modules'], 3);
  t.equal(gradeOf(symbol, design, geometry, null, page(40)).quality.parameters['quiet-zone'], 3);
  t.equal(first(), first(), 'the grade is cached');
  t.equal(first().quality.grade, 4);
  t.strictSame(small().warnings, 'small-modules;v=0.32');
});
