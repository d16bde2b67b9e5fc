import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { estimateFileMs, planRender, type RenderPlan } from '../../workers/plan.ts';
import { type Design, isFault } from '../../workers/protocol.ts';
import { ANY_SHADES, DEFAULT_DESIGN, holds, legalDesigns } from '../support/pictures/designs.ts';

/** 25 modules at level Q. */
const TEXT = 'https://example.com/';
const LOGO = { widthPx: 100, heightPx: 100 };

type Overrides = Partial<Design>;
const plan = (overrides: Overrides = {}, logo: typeof LOGO | null = null, text = TEXT) =>
  planRender(text, { ...DEFAULT_DESIGN, ...overrides }, logo);

function drawn(overrides: Overrides = {}, logo: typeof LOGO | null = null, text = TEXT): RenderPlan {
  const planned = plan(overrides, logo, text);
  if (isFault(planned)) throw new Error(`${planned.field}: ${planned.message}`);
  return planned;
}

const image = (overrides: Partial<Design['image']>): Overrides => ({
  image: { ...DEFAULT_DESIGN.image, ...overrides },
});
const exactSize: Overrides = { dots: { ...DEFAULT_DESIGN.dots, roundSize: false } };

/** Returns the pixels between the symbol (or its circle) and the nearest edge of the canvas. */
const freePx = ({ widthPx, heightPx }: Design, { geometry }: RenderPlan): number => {
  const inset = geometry.fillerRings * geometry.modulePx;
  const symbolPx = geometry.moduleCount * geometry.modulePx;
  const [left, top] = [geometry.xPx - inset, geometry.yPx - inset];
  return Math.min(
    left,
    top,
    widthPx - (geometry.xPx + symbolPx + inset),
    heightPx - (geometry.yPx + symbolPx + inset),
  );
};

t.test('the symbol is centred and as large as the canvas and margin allow', async (t) => {
  const { moduleCount } = drawn().symbol;
  t.equal(moduleCount, 25);
  t.match(drawn({ marginPx: 0 }).geometry, { modulePx: 12, xPx: 0, yPx: 0 });
  t.match(drawn({ marginPx: 10 }).geometry, { modulePx: 11, xPx: 12, yPx: 12 });
  t.match(drawn({ marginPx: 10, widthPx: 401 }).geometry, { modulePx: 11, xPx: 63, yPx: 12 });
  t.match(drawn({ ...exactSize, marginPx: 10 }).geometry, { modulePx: 11.2, xPx: 10, yPx: 10 });
});

t.test('without a margin the quiet zone is at least four modules, in every shape', async (t) => {
  t.match(drawn().geometry, { modulePx: 9, xPx: 37, yPx: 37 });
  holds(
    t,
    fc.property(legalDesigns(ANY_SHADES, ANY_SHADES), (legal) => {
      const design = { ...legal, marginPx: null };
      const planned = planRender(TEXT, design, null);
      if (isFault(planned)) return true;
      const quietPx = 4 * planned.geometry.modulePx;
      // The filler of a circle is centred on the symbol, whose position may be rounded down by less than a pixel.
      return freePx(design, planned) >= quietPx - 1e-9;
    }),
  );
});

t.test('a canvas that is too small is refused with the minimum size, which is then accepted', async (t) => {
  t.strictSame(plan({ widthPx: 32, heightPx: 300 }), {
    field: 'width',
    message: 'must be at least 33 for this content',
  });
  t.strictSame(plan({ widthPx: 300, heightPx: 20, marginPx: 0 }), {
    field: 'height',
    message: 'must be at least 25 for this content',
  });
  t.strictSame(plan({ widthPx: 30, heightPx: 300, shape: 'circle', marginPx: 1 }), {
    field: 'width',
    message: 'must be at least 38 for this content',
  });
  const small = fc.integer({ min: 1, max: 300 });
  const text = fc.string({ minLength: 1, maxLength: 2000 });
  holds(
    t,
    fc.property(
      legalDesigns(ANY_SHADES, ANY_SHADES),
      text,
      small,
      small,
      (legal, text, widthPx, heightPx) => {
        const design: Design = { ...legal, widthPx, heightPx, symbol: DEFAULT_DESIGN.symbol };
        const fault = planRender(text, design, null);
        if (!isFault(fault) || fault.field === 'data') return true;
        const least = Number(/must be at (least|most) (\d+) /.exec(fault.message)![2]);
        const faultWith = (overrides: Overrides) =>
          isFault(planRender(text, { ...design, ...overrides }, null));
        if (fault.field === 'margin')
          return !faultWith({ marginPx: least }) && faultWith({ marginPx: least + 1 });
        const enough = { widthPx: Math.max(widthPx, least), heightPx: Math.max(heightPx, least) };
        return !faultWith(enough) && faultWith({ ...enough, [`${fault.field}Px`]: least - 1 });
      },
    ),
  );
});

t.test('a margin that leaves less than a pixel per module is refused with the largest one', async (t) => {
  t.strictSame(plan({ widthPx: 60, heightPx: 60, marginPx: 30 }), {
    field: 'margin',
    message: 'must be at most 17 for this content at this size',
  });
  t.match(plan({ widthPx: 60, heightPx: 60, marginPx: 18 }), { field: 'margin' });
  t.equal(drawn({ widthPx: 60, heightPx: 60, marginPx: 17 }).geometry.modulePx, 1);
  t.match(plan({ ...exactSize, widthPx: 60, heightPx: 60, marginPx: 18 }), { field: 'margin' });
});

t.test('a circle is laid out with and without rounding to whole pixels', async (t) => {
  t.match(drawn({ shape: 'circle', marginPx: 0 }).geometry, { modulePx: 8, fillerRings: 6 });
  t.match(drawn({ ...exactSize, shape: 'circle', marginPx: 0 }).geometry, { fillerRings: 5 });
  t.match(plan({ shape: 'circle', widthPx: 43, heightPx: 43 }), {
    field: 'width',
    message: 'must be at least 44 for this content',
  });
});

t.test('a logo is centred on the module grid, within the limits of the error correction', async (t) => {
  const { geometry } = drawn({}, LOGO);
  // 0.4 of a quarter of 25 x 25 modules: 62, so 7 x 7.
  t.strictSame(geometry.hidden, { columns: 7, rows: 7 });
  t.strictSame(geometry.logo, { x: 37 + 81, y: 37 + 81, width: 63, height: 63 });
  t.strictSame(drawn(image({ marginPx: 5 }), LOGO).geometry.logo, { x: 123, y: 123, width: 53, height: 53 });
  t.equal(drawn(image({ hideBackgroundDots: false }), LOGO).geometry.hidden, null);
  t.strictSame(drawn({}, { widthPx: 300, heightPx: 100 }).geometry.hidden, { columns: 11, rows: 5 });
  t.strictSame(drawn({}, { widthPx: 100, heightPx: 300 }).geometry.hidden, { columns: 3, rows: 9 });
  t.equal(drawn().geometry.logo, null);
});

t.test('image options that leave no visible logo are refused by name', async (t) => {
  t.strictSame(plan(image({ size: 0.006 }), LOGO), {
    field: 'imageOptions.imageSize',
    message: 'must be at least 0.007 for this content',
  });
  t.equal(drawn(image({ size: 0.007 }), LOGO).geometry.hidden?.columns, 1);
  t.strictSame(plan(image({ marginPx: 32 }), LOGO), {
    field: 'imageOptions.margin',
    message: 'must be at most 31 for this image at this size',
  });
  t.equal(drawn(image({ marginPx: 31 }), LOGO).geometry.logo?.width, 1);
  t.match(plan({}, { widthPx: 4000, heightPx: 3 }), { field: 'image' });
  t.match(plan({}, { widthPx: 3, heightPx: 4000 }), { field: 'image' });
  t.notOk(isFault(plan(image({ size: 0, marginPx: 100 }), null)), 'without a logo they are ignored');
});

t.test('pictures that are larger or drawn by a slower lane are estimated to take longer', async (t) => {
  const cost = (overrides: Overrides, logo: typeof LOGO | null = null): number =>
    drawn(overrides, logo).estimatedMs;
  const large = { widthPx: 2000, heightPx: 2000 };
  const dots = { ...DEFAULT_DESIGN.dots, type: 'rounded' } as const;
  const gradient = { type: 'radial', rotationRad: 0, colorStops: [{ offset: 0, color: '#000000' }] } as const;
  t.ok(cost({}) > 0);
  t.ok(cost({ dots }) > cost({}));
  t.ok(cost({ dots: { ...dots, paint: gradient } }) > cost({ dots }));
  const exact = { ...dots, paint: gradient, roundSize: false };
  t.ok(
    cost({ dots: exact }) > 1.5 * cost({ dots: { ...dots, paint: gradient } }),
    'the reference lane takes longest',
  );
  t.ok(cost({}, LOGO) > cost({}));
  t.ok(cost({ ...large, dots }) > 5 * cost({ dots }));
  t.ok(drawn({}, null, TEXT.repeat(50)).estimatedMs > cost({}), 'symbols with more modules take longer');
});

t.test('planning loads no native code, so that the gateway can plan', async (t) => {
  const loaded = new Set<string>();
  const load = (file: URL): void => {
    const imports = /^(?:import|export) (?!type )[^;]*? from '([^']+)';$/gm;
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(imports)) {
      if (loaded.has(specifier!)) continue;
      loaded.add(specifier!);
      if (specifier!.startsWith('.')) load(new URL(specifier!, file));
    }
  };
  load(new URL('../../workers/plan.ts', import.meta.url));
  const packages = [...loaded].filter((specifier) => !specifier.startsWith('.'));
  t.strictSame(packages, []);
  t.ok(loaded.has('./design/geometry.ts'));
});

t.test('the cost of a vector file depends on its modules, and is far higher with a bitmap', async (t) => {
  const planned = drawn();
  const kilomodules = planned.geometry.moduleCount ** 2 / 1000;
  const costs = (['svg', 'pdf', 'eps'] as const).map((format) => [
    estimateFileMs(format, planned, false),
    estimateFileMs(format, planned, true) - estimateFileMs(format, planned, false),
  ]);
  const expected = [
    [0.1 + 0.5 * kilomodules, 2],
    [0.5 + 1.2 * kilomodules, 100],
    [0.2 + 1.2 * kilomodules, 100],
  ];
  const offs = costs.flatMap((cost, i) => cost.map((ms, j) => Math.abs(ms - expected[i]![j]!)));
  t.ok(Math.max(...offs) < 1e-9, JSON.stringify(costs));
  t.equal(estimateFileMs('png', planned, true), planned.estimatedMs);
});
