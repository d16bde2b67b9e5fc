import fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import { toDesign } from '../../../src/generate/request/design.ts';
import type { PictureOptions } from '../../../src/generate/request/picture-options.ts';
import type { ParameterName } from '../../../workers/lists.ts';
import { planRender } from '../../../workers/plan.ts';
import { type Grade, isFault, type Logo, type Quality, type RenderTask } from '../../../workers/protocol.ts';
import { gradeDesign } from '../../../workers/quality/grade.ts';
import { render } from '../../../workers/render.ts';
import { markedPart, readPage, tableRows } from '../../docs/pages.ts';
import { ANY_SHADES, holds, legalDesigns } from '../../support/pictures/designs.ts';

const TEXT = 'https://example.com/abc';

const drawLogo = async (widthPx: number, heightPx: number, color = '#e5484d'): Promise<Logo> => {
  const create = { width: widthPx, height: heightPx, channels: 4, background: color } as const;
  return { png: new Uint8Array(await sharp({ create }).png().toBuffer()), widthPx, heightPx };
};
const SQUARE = await drawLogo(120, 120);
const WIDE = await drawLogo(200, 100);

const gradeOptions = (options: PictureOptions, logo: Logo | null = null, text = TEXT): Quality => {
  const quality = gradeDesign(text, toDesign(options), logo);
  if (isFault(quality)) throw new Error(quality.message);
  return quality;
};
const lowestOf = ({ parameters }: Quality): readonly ParameterName[] =>
  (Object.keys(parameters) as ParameterName[]).filter((name) => parameters[name] < 4);

t.test('a plain code has grade 4 and no warnings, whatever its size and length', async (t) => {
  for (const width of [200, 300, 1000, 2000]) {
    for (const length of [5, 40]) {
      const quality = gradeOptions({ width, height: width }, null, 'x'.repeat(length));
      t.equal(quality.grade, 4, `${width} px, ${length} characters`);
      t.strictSame(quality.warnings, []);
    }
  }
});

t.test('each parameter is lowered by a design with that defect', async (t) => {
  const colorStops = [
    { offset: 0, color: '#000' },
    { offset: 1, color: '#fff' },
  ];
  const radial = { type: 'radial' as const, colorStops };
  const shown: readonly (readonly [ParameterName, PictureOptions, atMost: Grade])[] = [
    ['contrast', { dotsOptions: { color: '#bbb' } }, 1],
    ['contrast', { dotsOptions: { color: '#fff' }, backgroundOptions: { color: 'transparent' } }, 0],
    ['red-light', { dotsOptions: { color: '#f00' } }, 3],
    ['modulation', { dotsOptions: { gradient: radial } }, 1],
    ['finder-centre', { dotsOptions: { type: 'square' }, cornersDotOptions: { type: 'dots' } }, 0],
    ['finder-centre', { cornersDotOptions: { type: 'dot' } }, 2],
    ['finder-ring', { cornersSquareOptions: { type: 'dot' } }, 1],
    ['finder-ring', { cornersSquareOptions: { type: 'extra-rounded' } }, 2],
    ['contrast', { cornersSquareOptions: { color: '#ccc' } }, 1],
    ['contrast', { cornersDotOptions: { color: '#ddd' } }, 0],
    ['ground', { backgroundOptions: { color: '#777' } }, 1],
    ['inverted', { dotsOptions: { color: '#fff' }, backgroundOptions: { color: '#000' } }, 0],
    ['quiet-zone', { margin: 0 }, 3],
    ['quiet-zone', { shape: 'circle' }, 3],
    ['small-modules', { width: 100, height: 100 }, 3],
  ];
  for (const [name, options, atMost] of shown) {
    const quality = gradeOptions(options);
    t.ok(quality.parameters[name] <= atMost, `${name}: ${quality.parameters[name]}`);
    t.ok(quality.grade <= atMost, `${name}: ${JSON.stringify(options)}`);
    t.ok(
      quality.warnings.some((warning) => warning.name === name),
      `${name} has a warning`,
    );
  }
});

t.test('safe designs have grade 4', async (t) => {
  const safe: readonly PictureOptions[] = [
    { dotsOptions: { type: 'rounded' } },
    {
      dotsOptions: { type: 'classy' },
      cornersSquareOptions: { type: 'square' },
      cornersDotOptions: { type: 'square' },
    },
    { dotsOptions: { color: '#1a3a6b' }, backgroundOptions: { color: '#fff8e8' } },
    { backgroundOptions: { color: 'transparent' } },
    { backgroundOptions: { color: '#ffffff80' } },
  ];
  for (const options of safe) {
    const quality = gradeOptions(options);
    t.strictSame(lowestOf(quality), [], JSON.stringify(options));
    t.equal(quality.grade, 4);
  }
});

t.test('only light-on-dark designs get the warning for it', async (t) => {
  const quality = gradeOptions({ dotsOptions: { color: '#fff' }, backgroundOptions: { color: '#000' } });
  t.strictSame(lowestOf(quality), ['inverted']);
  t.strictSame(quality.warnings, [{ name: 'inverted' }]);
});

t.test('a logo is graded by the codewords of its worst block', async (t) => {
  const occlusionOf = (imageSize: number, logo: Logo) => {
    const quality = gradeOptions({ imageOptions: { imageSize } }, logo);
    return { occlusion: quality.figures['logo-damage']!, grade: quality.parameters['logo-damage'] };
  };
  const covers = [0.1, 0.4, 1].map((imageSize) => occlusionOf(imageSize, SQUARE));
  t.ok(
    covers[0]!.occlusion < covers[1]!.occlusion && covers[1]!.occlusion < covers[2]!.occlusion,
    'more with size',
  );
  t.equal(covers[0]!.grade, 4, 'a small logo is harmless');
  t.ok(covers[2]!.occlusion > 1, 'a logo as large as the correctable area is not correctable');
  t.equal(covers[2]!.grade, 0);
  t.ok(occlusionOf(1, WIDE).occlusion > 1, 'a wide one is not either');
  const quality = gradeOptions({ imageOptions: { imageSize: 1 } }, SQUARE);
  const warning = quality.warnings.find(({ name }) => name === 'logo-damage');
  t.equal(warning?.value, quality.figures['logo-damage'], 'the warning has the share');
});

t.test('a transparent logo over visible dots does no damage', async (t) => {
  const clear = await drawLogo(120, 120, '#ffffff00');
  const quality = gradeOptions({ imageOptions: { imageSize: 1, hideBackgroundDots: false } }, clear);
  t.equal(quality.figures['logo-damage'], 0);
  t.equal(quality.grade, 4);
  const hidden = gradeOptions({ imageOptions: { imageSize: 1, hideBackgroundDots: true } }, clear);
  t.ok(hidden.figures['logo-damage']! > 1, 'hidden modules do damage');
});

/** All results of grading a picture. */
const drawn = (task: RenderTask) => {
  const result = render({ ...task, report: true });
  if (!result.ok) return null;
  const { grade, warnings, quality, lane } = result.value;
  return { grade, warnings, quality, lane };
};

t.test('a design has the same grade in every lane, as SVG, and without being drawn', async (t) => {
  const lanes = new Set<string>();
  const legal = legalDesigns(ANY_SHADES, ANY_SHADES);
  const logos = fc.constantFrom(null, SQUARE, WIDE);
  holds(
    t,
    fc.property(legal, logos, fc.string({ minLength: 1, maxLength: 60 }), (design, logo, text) => {
      const small = {
        ...design,
        widthPx: Math.min(design.widthPx, 400),
        heightPx: Math.min(design.heightPx, 400),
      };
      const png = drawn({ text, design: small, logo, format: 'png' });
      const svg = drawn({ text, design: small, logo, format: 'svg' });
      if (png === null || svg === null) return png === svg;
      lanes.add(png.lane);
      const undrawn = gradeDesign(text, small, logo) as Quality;
      t.strictSame(png.quality, undrawn);
      t.strictSame([svg.grade, svg.warnings, svg.quality], [png.grade, png.warnings, png.quality]);
      return png.grade === undrawn.grade;
    }),
    60,
  );
  const gradient = { colorStops: [{ offset: 0, color: '#123456' }] };
  const dull: readonly PictureOptions[] = [
    { dotsOptions: { color: '#bbb' } },
    { dotsOptions: { type: 'rounded', color: '#bbb' } },
    { dotsOptions: { gradient }, cornersDotOptions: { type: 'dots' } },
    { dotsOptions: { roundSize: false, type: 'dots' }, cornersDotOptions: { type: 'dots' } },
  ];
  for (const options of dull) {
    const png = drawn({ text: TEXT, design: toDesign(options), logo: null, format: 'png' })!;
    const svg = drawn({ text: TEXT, design: toDesign(options), logo: null, format: 'svg' })!;
    t.strictSame(png.quality, svg.quality);
    t.not(png.warnings, '');
    lanes.add(png.lane);
  }
  t.strictSame([...lanes].sort(), ['layered', 'plain', 'reference', 'stamped']);
});

t.test('grading without drawing gives the same quality as the picture, without bytes', async (t) => {
  const task = {
    text: TEXT,
    design: toDesign({ dotsOptions: { color: '#bbb' } }),
    logo: null,
    format: 'png',
  } as const;
  const [beside, alone] = [render({ ...task, report: true }), render({ ...task, report: 'alone' })];
  if (!beside.ok || !alone.ok) throw new Error('not drawn');
  t.strictSame(
    [alone.value.quality, alone.value.grade, alone.value.warnings],
    [beside.value.quality, beside.value.grade, beside.value.warnings],
  );
  t.equal(alone.value.bytes.length, 0);
});

t.test('a quality is returned only on request', async (t) => {
  const result = render({ text: TEXT, design: toDesign({}), logo: null, format: 'png' });
  t.ok(result.ok && !('quality' in result.value));
});

t.test('a design with an invalid plan cannot be graded', async (t) => {
  const design = toDesign({ width: 50, height: 50 });
  const text = 'x'.repeat(500);
  t.strictSame(gradeDesign(text, design, null), planRender(text, design, null));
});

t.test('the grade is the lowest parameter, and each low parameter has one warning', async (t) => {
  holds(
    t,
    fc.property(legalDesigns(ANY_SHADES, ANY_SHADES), fc.constantFrom(null, SQUARE), (design, logo) => {
      const quality = gradeDesign(TEXT, design, logo);
      if (isFault(quality)) return true;
      const names = quality.warnings.map(({ name }) => name).sort();
      return (
        quality.grade === Math.min(...Object.values(quality.parameters)) &&
        JSON.stringify(names) === JSON.stringify([...lowestOf(quality)].sort()) &&
        Object.values(quality.figures).every(Number.isFinite)
      );
    }),
  );
});

t.test('a cached style is graded like a new one', async (t) => {
  // The query string loads a second instance of the module, with its own cache.
  const { gradeDesign: other }: { gradeDesign: typeof gradeDesign } = await import(
    // @ts-expect-error: the query is not part of a file name.
    '../../../workers/quality/grade.ts?fresh'
  );
  holds(
    t,
    fc.property(
      legalDesigns(ANY_SHADES, ANY_SHADES),
      fc.constantFrom(null, SQUARE, WIDE),
      fc.constantFrom('A', TEXT, 'x'.repeat(90)),
      (design, logo, text) => {
        const before = gradeDesign(text, design, logo);
        gradeDesign('another text', design, logo);
        const kept = gradeDesign(text, structuredClone(design), logo);
        return [kept, other(text, design, logo)].every(
          (one) => JSON.stringify(one) === JSON.stringify(before),
        );
      },
    ),
    80,
  );
});

t.test('docs/quality.md has a remedy for every parameter', async (t) => {
  const rows = tableRows(markedPart(readPage('docs/quality.md'), 'parameters'));
  const names = rows.map(([name = '']) => name.replaceAll('`', ''));
  t.strictSame(names, Object.keys(gradeOptions({}).parameters));
  t.ok(
    rows.every((cells) => cells.length === 3 && cells.every((cell) => cell !== '')),
    'each row is complete',
  );
});
