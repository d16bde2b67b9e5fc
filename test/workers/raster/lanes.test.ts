import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import { composeSvg } from '../../../workers/design/svg.ts';
import { planRender } from '../../../workers/plan.ts';
import { type Design, isFault, type Logo, type Paint, type RasterLane } from '../../../workers/protocol.ts';
import { chooseLane } from '../../../workers/raster/lane.ts';
import { paintOver, pixelColor } from '../../../workers/raster/pixels.ts';
import { drawReference } from '../../../workers/raster/png.ts';
import { render } from '../../../workers/render.ts';
import { createSymbol } from '../../../workers/symbol/symbol.ts';
import { fewestOf, someOf } from '../../support/cases.ts';
import {
  ANY_SHADES,
  CORNER_TYPES,
  DEFAULT_DESIGN,
  DOT_TYPES,
  legalDesigns,
} from '../../support/pictures/designs.ts';
import { logoOfSvg } from '../../support/pictures/logo.ts';

interface Comparison {
  readonly lane: RasterLane;
  /** The largest difference in a channel, with straight alpha; null when the reference lane draws the design. */
  readonly most: number | null;
  /** The size of the file relative to that of resvg. */
  readonly share: number;
}

/** Draws a design in its lane and in the reference lane; null when it cannot be drawn. */
async function compare(text: string, design: Design, logo: Logo | null = null): Promise<Comparison | null> {
  const plan = planRender(text, design, logo);
  if (isFault(plan)) return null;
  const { lane } = chooseLane(design, plan.geometry);
  if (lane === 'reference') return { lane, most: null, share: 1 };
  const drawn = render({ text, design, logo, format: 'png' });
  if (!drawn.ok) throw new Error(drawn.fault.message);
  const isTooColourful = logo !== null && lane === 'stamped' && drawn.value.lane === 'layered';
  if (drawn.value.lane !== lane && !isTooColourful) throw new Error(`was not drawn in the ${lane} lane`);
  const png = drawn.value.bytes;
  if (png.byteLength !== png.buffer.byteLength) throw new Error('shares its buffer');
  const svg = composeSvg(plan, createSymbol(text, plan.symbol), design, logo);
  const own = new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
  const most = await largestDifference(png, drawReference(svg));
  return { lane: drawn.value.lane, most, share: png.byteLength / own.byteLength };
}

/** Returns the pixels in RGBA. */
const decode = (png: Uint8Array) => sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });

async function largestDifference(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all([decode(one), decode(other)]);
  if (a.info.width !== b.info.width || a.info.height !== b.info.height) return 255;
  let most = 0;
  if (a.data.equals(b.data)) return most;
  for (let i = 0; i < a.data.length; i += 1) most = Math.max(most, Math.abs(a.data[i]! - b.data[i]!));
  return most;
}

function laneOf(overrides: Partial<Design>, logo: Logo | null = null): RasterLane {
  const design = { ...DEFAULT_DESIGN, ...overrides };
  const plan = planRender('https://example.com', design, logo);
  if (isFault(plan)) throw new Error(plan.message);
  return chooseLane(design, plan.geometry).lane;
}

const svgOf = (widthPx: number, heightPx: number, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">${content}</svg>`;

/** A logo of one colour with anti-aliased edges, and a partly translucent one with many colours. */
const DISC = logoOfSvg(svgOf(64, 64, '<circle cx="32" cy="32" r="30" fill="#e5484d"/>'));
const BADGE = logoOfSvg(
  svgOf(
    200,
    120,
    `<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue" stop-opacity=".2"/></linearGradient>
    <rect x="3" y="3" width="190" height="110" rx="20" fill="url(#g)"/>`,
  ),
);

const solid = (paint: Paint): string => (typeof paint === 'string' ? paint : paint.colorStops[0]!.color);
const solidOrNull = (paint: Paint | null): string | null => (paint === null ? null : solid(paint));

/** Valid designs that mostly suit a fast lane: solid colours, space for the symbol. */
const solidDesigns = fc
  .record({
    design: legalDesigns(ANY_SHADES, ANY_SHADES),
    widthPx: fc.integer({ min: 50, max: 400 }),
    heightPx: fc.integer({ min: 50, max: 400 }),
    version: fc.integer({ min: 0, max: 9 }),
    isExact: fc.integer({ min: 0, max: 9 }).map((tenth) => tenth === 0),
  })
  .map(
    ({ design, widthPx, heightPx, version, isExact }): Design => ({
      ...design,
      widthPx,
      heightPx,
      marginPx: design.marginPx === null ? null : design.marginPx % 10,
      symbol: { typeNumber: Math.max(0, version - 5), mode: null, levels: ['Q', 'L'] },
      dots: { ...design.dots, paint: solid(design.dots.paint), roundSize: !isExact },
      cornersSquare: { ...design.cornersSquare, paint: solidOrNull(design.cornersSquare.paint) },
      cornersDot: { ...design.cornersDot, paint: solidOrNull(design.cornersDot.paint) },
      background: { paint: solid(design.background.paint), round: 0 },
    }),
  );

const squareDesigns = solidDesigns.map(
  (design): Design => ({
    ...design,
    shape: 'square',
    dots: { ...design.dots, type: 'square' },
    cornersSquare: { ...design.cornersSquare, type: design.shape === 'circle' ? 'square' : null },
    cornersDot: { ...design.cornersDot, type: design.shape === 'circle' ? null : 'square' },
  }),
);

const texts = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 });

t.test('fast lanes draw exactly the pixels of the reference, in no more bytes than resvg', async (t) => {
  const served: Record<RasterLane, number> = { plain: 0, stamped: 0, layered: 0, reference: 0 };
  const rule = fc.asyncProperty(
    texts,
    fc.oneof(squareDesigns, solidDesigns, solidDesigns),
    async (text, design) => {
      const comparison = await compare(text, design);
      if (comparison === null) return true;
      served[comparison.lane] += 1;
      return comparison.most === null || (comparison.most === 0 && comparison.share <= 1);
    },
  );
  await t.resolves(fc.assert(rule, { numRuns: 300 }));
  t.ok(served.plain >= fewestOf(45), `${served.plain} in the plain lane`);
  t.ok(served.stamped >= fewestOf(80), `${served.stamped} in the stamped lane`);
});

t.test('pictures that are blank except for their corners equal the reference too', async (t) => {
  const corners: Partial<Design>[] = [
    {
      ...{ widthPx: 315, heightPx: 315, marginPx: 0 },
      dots: { type: 'square', paint: '#00000000', roundSize: true },
      cornersDot: { type: 'dots', paint: '#000000' },
      background: { paint: '#00003a', round: 0 },
    },
    {
      ...{ widthPx: 395, heightPx: 374, marginPx: 4 },
      dots: { type: 'classy', paint: '#e1a32b00', roundSize: true },
      cornersSquare: { type: 'extra-rounded', paint: null },
      cornersDot: { type: 'dots', paint: '#fc0407' },
      background: { paint: '#535df8', round: 0 },
    },
    {
      ...{ widthPx: 395, heightPx: 374, marginPx: 4 },
      dots: { type: 'classy', paint: '#535df8', roundSize: true },
      cornersDot: { type: 'dots', paint: '#fc0407' },
      background: { paint: '#535df8', round: 0 },
    },
  ];
  for (const [i, overrides] of corners.entries()) {
    const comparison = await compare('.$]lw$D=Q-C', { ...DEFAULT_DESIGN, ...overrides });
    t.match(comparison, { lane: 'stamped', most: 0 }, `design ${i}`);
    t.ok(comparison!.share <= 1, `${comparison!.share.toFixed(3)} of the bytes that resvg writes`);
  }
});

/** Valid designs with all kinds of paint, round backgrounds and logos, which mostly suit the layered lane. */
const layeredDesigns = fc
  .record({
    design: legalDesigns(ANY_SHADES, ANY_SHADES),
    widthPx: fc.integer({ min: 120, max: 400 }),
    heightPx: fc.integer({ min: 120, max: 400 }),
    logoSize: fc.double({ min: 0.2, max: 1, noNaN: true }),
    isRound: fc.boolean(),
  })
  .map(
    ({ design, widthPx, heightPx, logoSize, isRound }): Design => ({
      ...design,
      widthPx,
      heightPx,
      marginPx: design.marginPx === null ? null : design.marginPx % 10,
      symbol: { typeNumber: 0, mode: null, levels: ['Q', 'L'] },
      dots: { ...design.dots, roundSize: true },
      background: isRound ? design.background : { ...design.background, round: 0 },
      image: { ...design.image, size: logoSize, marginPx: design.image.marginPx % 4 },
    }),
  );

t.test('gradients, backgrounds and logos equal the reference, within a level over dots', async (t) => {
  const served = { withoutLogo: 0, withLogo: 0, overDots: 0 };
  const logos = { none: null, disc: DISC, badge: BADGE };
  const names = fc.constantFrom('none', 'disc', 'badge');
  const rule = fc.asyncProperty(texts, layeredDesigns, names, async (text, design, name) => {
    const logo = logos[name];
    const comparison = await compare(text, design, logo);
    if (comparison === null || comparison.most === null) return true;
    const isOver = logo !== null && !design.image.hideBackgroundDots;
    served[isOver ? 'overDots' : logo === null ? 'withoutLogo' : 'withLogo'] += 1;
    return comparison.most <= (isOver ? 1 : 0);
  });
  await t.resolves(fc.assert(rule, { numRuns: 350 }));
  t.ok(served.withoutLogo >= fewestOf(65), `${served.withoutLogo} without a logo`);
  t.ok(served.withLogo >= fewestOf(30), `${served.withLogo} with a logo`);
  t.ok(served.overDots >= fewestOf(8), `${served.overDots} with a logo over dots`);
});

t.test('every style and corner is stamped exactly like the reference, at every module size', async (t) => {
  const wrong: string[] = [];
  const colors = { dots: '#1d3557', ring: '#e6394680', centre: '#2a9d8f' };
  for (const modulePx of someOf(Array.from({ length: 24 }, (_, i) => i + 1))) {
    for (const [i, type] of DOT_TYPES.entries()) {
      const corner = CORNER_TYPES[(modulePx + i) % CORNER_TYPES.length]!;
      const centre = CORNER_TYPES[(modulePx * 3 + i) % CORNER_TYPES.length]!;
      const comparison = await compare(`${modulePx} ${type}`, {
        ...DEFAULT_DESIGN,
        widthPx: 60 + 29 * modulePx,
        heightPx: 50 + 29 * modulePx,
        marginPx: 0,
        symbol: { typeNumber: 3, mode: null, levels: ['L'] },
        shape: modulePx % 3 === 0 ? 'circle' : 'square',
        dots: { type, paint: colors.dots, roundSize: true },
        cornersSquare: { type: corner, paint: colors.ring },
        cornersDot: { type: centre, paint: colors.centre },
        background: { paint: modulePx % 2 === 0 ? '#f1faee' : '#f1faee40', round: 0 },
      });
      if (comparison?.most !== 0 || comparison.share > 1)
        wrong.push(`${type}, ${corner}, ${centre}, ${modulePx} px`);
    }
  }
  t.same(wrong, []);
});

t.test('the stamps of one style are not used for another', async (t) => {
  const style: Design = {
    ...DEFAULT_DESIGN,
    symbol: { typeNumber: 3, mode: null, levels: ['L'] },
    dots: { type: 'rounded', paint: '#1d3557', roundSize: true },
    cornersSquare: { type: 'dots', paint: '#e63946' },
    cornersDot: { type: 'dot', paint: '#2a9d8f' },
  };
  const others: Partial<Design>[] = [
    {},
    { widthPx: 301 },
    { widthPx: 400, heightPx: 400 },
    { dots: { ...style.dots, type: 'classy' } },
    { dots: { ...style.dots, paint: '#1d3558' } },
    { cornersSquare: { ...style.cornersSquare, type: 'square' } },
    { cornersSquare: { ...style.cornersSquare, paint: '#e6394680' } },
    { cornersDot: { ...style.cornersDot, type: null } },
    { cornersDot: { ...style.cornersDot, paint: '#000000' } },
    { background: { ...style.background, paint: '#fefefe' } },
  ];
  for (const other of others) {
    const comparison = await compare('one text', { ...style, ...other });
    t.match(comparison, { lane: 'stamped', most: 0 }, JSON.stringify(other));
  }
});

t.test('large pictures and long texts equal the reference too', async (t) => {
  for (const [text, widthPx, heightPx, type] of [
    ['https://example.com/', 2000, 1733, 'square'],
    ['https://example.com/', 700, 601, 'classy-rounded'],
    ['x'.repeat(2000), 2000, 2000, 'classy-rounded'],
    ['x'.repeat(2000), 800, 800, 'square'],
    ['7'.repeat(4296), 361, 400, 'square'],
    ['7'.repeat(4296), 361, 400, 'classy-rounded'],
  ] as const) {
    const dots = { ...DEFAULT_DESIGN.dots, type };
    const comparison = await compare(text, { ...DEFAULT_DESIGN, widthPx, heightPx, dots });
    const lane = type === 'square' ? 'plain' : 'stamped';
    t.match(comparison, { lane, most: 0 }, `${widthPx} px, ${type}`);
    t.ok(comparison!.share <= 1, `${comparison!.share.toFixed(2)} of the bytes that resvg writes`);
  }
});

t.test('colours blend as resvg blends them, for every coverage', async (t) => {
  const wrong: string[] = [];
  const rule = fc.property(
    fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 8, maxLength: 8 }),
    fc.boolean(),
    (channels, isOpaque) => {
      const hex = channels.map((channel) => channel.toString(16).padStart(2, '0'));
      const [under, over] = [`#${hex.slice(0, 4).join('')}`, `#${hex.slice(4, 7).join('')}`];
      const painted = isOpaque ? over : over + hex[7];
      const inkAlpha = isOpaque ? 1 : channels[7]! / 255;
      // Strips that end between pixels, covering none of a pixel, a quarter, and so on.
      const strips = Array.from({ length: 17 }, (_, i) => `M${i} 0h1v${Math.floor(i / 4) / 4}h-1z`).join('');
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="17" height="1">
        <rect width="17" height="1" fill="${under.slice(0, 7)}" fill-opacity="${channels[3]! / 255}"/>
        <path d="${strips}" fill="${over}" fill-opacity="${inkAlpha}"/></svg>`;
      const drawn = new Int32Array(new Uint8Array(new Resvg(svg).render().pixels).buffer);
      for (const [i, color] of drawn.entries()) {
        const coverage = [0, 64, 128, 192, 255][Math.floor(i / 4)]!;
        const expected =
          coverage === 0 ? pixelColor(under) : paintOver(pixelColor(painted), coverage, pixelColor(under));
        if (color !== expected) wrong.push(`${under} ${painted} ${coverage}`);
      }
    },
  );
  fc.assert(rule, { numRuns: 200 });
  t.same(wrong, []);
});

t.test('the fastest lane that can draw the design is chosen', async (t) => {
  const { dots } = DEFAULT_DESIGN;
  const gradient = { type: 'linear', rotationRad: 0, colorStops: [{ offset: 0, color: '#112233' }] } as const;
  t.equal(laneOf({}), 'plain');
  t.equal(laneOf({ marginPx: 7, widthPx: 331 }), 'plain', 'with any margin');
  t.equal(laneOf({ background: { paint: '#ffffff00', round: 0 } }), 'plain', 'transparent');
  t.equal(laneOf({ dots: { ...dots, type: 'rounded' } }), 'stamped');
  t.equal(laneOf({ cornersSquare: { type: 'dot', paint: '#aa0000' } }), 'stamped');
  t.equal(laneOf({ shape: 'circle' }), 'stamped');
  t.equal(laneOf({ dots: { ...dots, paint: gradient } }), 'layered');
  t.equal(laneOf({ background: { paint: gradient, round: 0 } }), 'layered');
  t.equal(laneOf({ cornersDot: { type: null, paint: gradient } }), 'layered');
  t.equal(laneOf({ background: { paint: '#ffffff', round: 0.5 } }), 'layered');
  t.equal(laneOf({ dots: { ...dots, roundSize: false } }), 'reference', 'modules between pixels');
  const exact = { ...dots, roundSize: false };
  const whole = { widthPx: 250, heightPx: 250, marginPx: 0 };
  t.equal(laneOf({ ...whole, dots: exact }), 'plain', 'exact modules that are whole pixels');
  t.equal(laneOf({ ...whole, dots: { ...exact, type: 'dots' } }), 'reference', 'curves, not anti-aliased');

  t.equal(laneOf({}, DISC), 'stamped', 'a logo');
  const over = { ...DEFAULT_DESIGN.image, hideBackgroundDots: false };
  t.equal(laneOf({ image: over }, DISC), 'layered', 'a logo over the dots');
  const translucent = { paint: '#ffffff80', round: 0 };
  t.equal(laneOf({ background: translucent }, DISC), 'stamped', 'a logo over a translucent background');
  t.equal(laneOf({ image: over, background: translucent }, DISC), 'reference', 'a logo over dots over one');
  t.equal(laneOf({ image: over, background: { paint: '#ffffff', round: 0.5 } }, DISC), 'reference');
});
