import sharp from 'sharp';
import t from 'tap';
import { composeSvg } from '../../../workers/design/svg.ts';
import { planRender } from '../../../workers/plan.ts';
import { type Design, type Gradient, isFault, type Logo } from '../../../workers/protocol.ts';
import { boundLayers, getLayer, keptLayerBytes } from '../../../workers/raster/kept-layers.ts';
import { drawReference } from '../../../workers/raster/png.ts';
import { render } from '../../../workers/render.ts';
import { createSymbol } from '../../../workers/symbol/symbol.ts';
import { casesOf } from '../../support/cases.ts';
import { DEFAULT_DESIGN } from '../../support/pictures/designs.ts';
import { logoOfSvg } from '../../support/pictures/logo.ts';

const MB = 1024 * 1024;
const TEXT = 'https://example.com/layers';

const logoOf = (color: string, heightPx = 64): Logo =>
  logoOfSvg(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="${heightPx}">
    <circle cx="32" cy="32" r="30" fill="${color}"/></svg>`);

const gradientOf = (from: string, to: string): Gradient => ({
  type: 'linear',
  rotationRad: 0.5,
  colorStops: [
    { offset: 0, color: from },
    { offset: 1, color: to },
  ],
});

const SHADED: Design = {
  ...DEFAULT_DESIGN,
  widthPx: 200,
  heightPx: 200,
  dots: { type: 'rounded', paint: gradientOf('#102a43', '#b83280'), roundSize: true },
  cornersSquare: { type: 'extra-rounded', paint: '#aa2233' },
};

function bytesOf(design: Design, logo: Logo | null, text = TEXT): Uint8Array {
  const result = render({ text, design, logo, format: 'png' });
  if (!result.ok) throw new Error(result.fault.message);
  if (result.value.lane === 'reference') throw new Error('was drawn in the reference lane');
  return result.value.bytes;
}

/** Checks that a picture equals the reference, whatever was drawn before. */
async function isRight(design: Design, logo: Logo | null, text = TEXT): Promise<boolean> {
  const plan = planRender(text, design, logo);
  if (isFault(plan)) throw new Error(plan.message);
  const reference = drawReference(composeSvg(plan, createSymbol(text, plan.symbol), design, logo));
  const [ours, theirs] = await Promise.all(
    [bytesOf(design, logo, text), reference].map((png) => sharp(png).ensureAlpha().raw().toBuffer()),
  );
  return ours!.equals(theirs!);
}

t.test('many styles in turn never exceed the memory limit', async (t) => {
  boundLayers(MB / 2);
  t.teardown(() => boundLayers(64 * MB));
  let most = 0;
  for (let style = 0; style < casesOf(250); style += 1) {
    const color = `#${(style * 7919 + 0x102030).toString(16).padStart(6, '0')}`;
    const paint = gradientOf(color, '#b83280');
    bytesOf({ ...SHADED, widthPx: 100, heightPx: 100, dots: { ...SHADED.dots, paint } }, null);
    most = Math.max(most, keptLayerBytes());
  }
  t.ok(most <= MB / 2, `${most} bytes at most`);
  t.ok(most > 0.45 * MB, 'the memory is used');
});

t.test('a layer is drawn again when it was evicted, and when it is larger than the limit', async (t) => {
  boundLayers(MB);
  t.teardown(() => boundLayers(64 * MB));
  let drawn = 0;
  const layer = (key: string, pixels: number) =>
    getLayer(key, () => {
      drawn += 1;
      return [{ x: 0, y: 0, width: pixels, height: 1, colors: new Int32Array(pixels) }];
    });
  layer('one', 150_000);
  layer('one', 150_000);
  t.equal(drawn, 1);
  layer('two', 150_000);
  layer('one', 150_000);
  t.equal(drawn, 3);
  layer('large', 300_000);
  layer('large', 300_000);
  t.equal(drawn, 5);
  layer('one', 150_000);
  t.equal(drawn, 5, 'a layer that is too large evicts no other');
});

t.test('pictures are the same whether their layers are cached or not', async (t) => {
  const logo = logoOf('#e5484d');
  const kept = bytesOf(SHADED, logo);
  const isKept = (): boolean => Buffer.compare(bytesOf(SHADED, logo), kept) === 0;
  t.ok(isKept());
  boundLayers(0);
  t.teardown(() => boundLayers(64 * MB));
  t.ok(isKept());
  t.equal(keptLayerBytes(), 0);
});

t.test('logos of different content or proportions never share a layer', async (t) => {
  const logos = [logoOf('#e5484d'), logoOf('#2a9d8f'), logoOf('#e5484d', 40)];
  const solid: Design = { ...SHADED, dots: { ...SHADED.dots, paint: '#1d3557' } };
  for (const design of [SHADED, solid]) {
    for (const logo of [...logos, ...logos]) t.ok(await isRight(design, logo));
  }
});

t.test('the layers of one style, size or version are not used for another', async (t) => {
  const logo = logoOf('#e5484d');
  const others: Partial<Design>[] = [
    {},
    { widthPx: 201 },
    { heightPx: 230 },
    { marginPx: 3 },
    { shape: 'circle' },
    { dots: { ...SHADED.dots, type: 'dots' } },
    { dots: { ...SHADED.dots, paint: gradientOf('#102a43', '#b83281') } },
    { dots: { ...SHADED.dots, paint: { ...gradientOf('#102a43', '#b83280'), rotationRad: 2 } } },
    { cornersSquare: { type: null, paint: null } },
    { cornersDot: { type: 'dot', paint: gradientOf('#000000', '#00ff00') } },
    { background: { paint: '#fefefe', round: 0 } },
    { background: { paint: '#ffffff00', round: 0 } },
    { background: { paint: '#ffffff', round: 0.3 } },
    { background: { paint: gradientOf('#ffffff', '#ccddee'), round: 0 } },
    { image: { ...DEFAULT_DESIGN.image, size: 0.6 } },
    { image: { ...DEFAULT_DESIGN.image, marginPx: 4 } },
  ];
  for (const other of others) {
    for (const text of [TEXT, TEXT.repeat(4)]) {
      t.ok(await isRight({ ...SHADED, ...other }, logo, text), JSON.stringify(other));
      t.ok(await isRight({ ...SHADED, ...other }, null, text), `without a logo, ${JSON.stringify(other)}`);
    }
  }
});
