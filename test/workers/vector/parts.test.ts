/** The pure parts of vector files: paths, colours, and bitmaps for print. */
import fc from 'fast-check';
import t from 'tap';
import { boxPath } from '../../../workers/design/markup.ts';
import { planRender } from '../../../workers/plan.ts';
import { wholeDots } from '../../../workers/print/dots.ts';
import { isFault } from '../../../workers/protocol.ts';
import { render } from '../../../workers/render.ts';
import {
  alphaOf,
  blendOver,
  componentsOf,
  inkOf,
  mixColors,
  rgbaOf,
  spaceOf,
} from '../../../workers/vector/colors.ts';
import { drawPath, figureElement, formatNumber, writeLogo } from '../../../workers/vector/path.ts';
import { DEFAULT_DESIGN } from '../../support/pictures/designs.ts';

/** Converts what a pen draws to absolute commands. */
const drawn = (path: string): (string | number)[][] => {
  const steps: (string | number)[][] = [];
  drawPath(path, {
    move: (...at) => void steps.push(['M', ...at]),
    line: (...at) => void steps.push(['L', ...at]),
    curve: (...at) => void steps.push(['C', ...at]),
    close: () => void steps.push(['z']),
  });
  return steps;
};

t.test('relative commands continue from the position of the pen', async (t) => {
  t.strictSame(drawn('M1 2h3v-4L5.5 6m.5-1c1 2 3 4 5 6s1 1 2 2z'), [
    ['M', 1, 2],
    ['L', 4, 2],
    ['L', 4, -2],
    ['L', 5.5, 6],
    ['M', 6, 5],
    ['C', 7, 7, 9, 9, 11, 11],
    ['C', 13, 13, 12, 12, 13, 13],
    ['z'],
  ]);
  t.strictSame(
    drawn('M1 1h5zm2 3h1'),
    [['M', 1, 1], ['L', 6, 1], ['z'], ['M', 3, 4], ['L', 4, 4]],
    'after closing, the pen is at the start of the path',
  );
  t.strictSame(drawn('M0 0C1 2 3 4 5 6s7 8 9 10')[2], ['C', 7, 8, 12, 14, 14, 16]);
  t.throws(() => drawn('M0 0q1 1 2 2'), /unknown command q/);
});

t.test('the path of a box follows its sides, with quarter circles at its corners', async () => {
  const side = fc.integer({ min: 4, max: 60 });
  const radius = fc.integer({ min: 0, max: 4 }).map((half) => half / 2);
  const place = fc.integer({ min: -20, max: 50 });
  fc.assert(
    fc.property(
      place,
      place,
      side,
      side,
      fc.tuple(radius, radius, radius, radius),
      (x, y, width, height, radii) => {
        const steps = drawn(boxPath(x, y, width, height, radii));
        const points = steps
          .filter(([name]) => name !== 'z')
          .map((step) => step.slice(-2) as [number, number]);
        const [right, bottom] = [x + width, y + height];
        const [topLeft, topRight, bottomRight, bottomLeft] = radii;
        const ends = [
          [x + topLeft, y],
          [right - topRight, y],
          [right, y + topRight],
          [right, bottom - bottomRight],
          [right - bottomRight, bottom],
          [x + bottomLeft, bottom],
          [x, bottom - bottomLeft],
          [x, y + topLeft],
        ];
        const has = ([atX, atY]: readonly number[]) =>
          points.some(([px, py]) => Math.abs(px - atX!) < 1e-3 && Math.abs(py - atY!) < 1e-3);
        const curves = steps.filter(([name]) => name === 'C');
        // The middle of a quarter circle is a radius away from its centre.
        const isRound = curves.every((curve) => {
          const at = steps.indexOf(curve);
          const [x0, y0] = steps[at - 1]!.slice(-2) as [number, number];
          const [x1, y1, x2, y2, x3, y3] = curve.slice(1) as [number, number, number, number, number, number];
          const middle = [(x0 + 3 * x1 + 3 * x2 + x3) / 8, (y0 + 3 * y1 + 3 * y2 + y3) / 8];
          const size = Math.abs(x3 - x0);
          const centre = x1 === x0 ? [x3, y0] : [x0, y3];
          return Math.abs(Math.hypot(middle[0]! - centre[0]!, middle[1]! - centre[1]!) - size) < 0.02 * size;
        });
        return (
          ends.every(has) &&
          curves.length === radii.filter((one) => one > 0).length &&
          isRound &&
          steps.at(-1)![0] === 'z'
        );
      },
    ),
    { numRuns: 500 },
  );
});

t.test('numbers are written short, exact to their decimals, and can be read back', async (t) => {
  fc.assert(
    fc.property(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.integer({ min: 1, max: 6 }),
      (number, decimals) => {
        const text = formatNumber(number, decimals);
        return (
          /^-?(\d+(\.\d+)?|\.\d+)$/.test(text) &&
          Math.abs(Number(text) - number) <= 0.5000001 * 10 ** -decimals &&
          !/^-?0\./.test(text)
        );
      },
    ),
    { numRuns: 1000 },
  );
  t.strictSame(
    [0.5, -0.25, 3, -0.00001, 1e-7, 2.50001].map((number) => formatNumber(number)),
    ['.5', '-.25', '3', '0', '0', '2.5'],
  );
  t.equal(formatNumber(1.2e-7, 8), '0.00000012');
});

t.test('colours are converted for print', async (t) => {
  t.strictSame(rgbaOf('#0a141e'), { red: 10, green: 20, blue: 30, alpha: 1 });
  t.equal(rgbaOf('#0a141e33').alpha, 0.2);
  const [red, blue] = [rgbaOf('#ff0000'), rgbaOf('#0000ff')];
  t.strictSame(blendOver({ ...red, alpha: 0.25 }, blue), { red: 63.75, green: 0, blue: 191.25, alpha: 1 });
  t.strictSame(mixColors({ ...red, alpha: 0.5 }, blue, 0.25), {
    red: 191.25,
    green: 0,
    blue: 63.75,
    alpha: 0.625,
  });
  const [inRgb, inCmyk] = (['rgb', 'cmyk'] as const).map((color) => ({ color, paper: '#ffffff' }) as const);
  for (const inks of [inRgb!, inCmyk!]) {
    const greys = ['#000000', '#ffffff', '#333333', '#000000fe'] as const;
    t.strictSame(
      greys.map((grey) => inkOf(rgbaOf(grey), inks)),
      [[0], [1], [0.2], [0]],
      'greys are DeviceGray',
    );
    t.equal(inkOf(rgbaOf('#000001'), inks).length, inks === inRgb ? 3 : 4);
  }
  t.strictSame(inkOf(red, inRgb!), [1, 0, 0]);
  t.strictSame(inkOf(red, inCmyk!), [0, 1, 1, 0]);
  const [rgbOf, cmykOf] = [inRgb!, inCmyk!].map((inks) => spaceOf(false, inks).componentsOf);
  const channel = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(channel, channel, channel, (r, g, b) => {
      const color = { red: r, green: g, blue: b, alpha: 1 };
      const [c, m, y, k] = cmykOf!(color) as [number, number, number, number];
      const back = [c, m, y].map((ink) => (1 - ink) * (1 - k));
      const isClose = rgbOf!(color).every((light, i) => Math.abs(light - back[i]!) < 1e-9);
      return isClose && (r + g + b === 0 || Math.min(c, m, y) === 0);
    }),
  );
});

t.test('a module must be a whole number of dots; otherwise the nearest valid sizes are named', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 72, max: 2400 }),
      fc.double({ min: 0.02, max: 0.98, noNaN: true }),
      fc.integer({ min: 21, max: 185 }),
      fc.boolean(),
      (dots, dpi, part, side, byWidth) => {
        const sizeOf = (count: number) => (count * 25.4) / dpi;
        const dotsAt = (moduleMm: number, asked: { widthMm?: number }) =>
          wholeDots({ moduleMm, sideModules: side, quietModules: 4 }, dpi, asked, 4096 / side);
        if (dotsAt(sizeOf(dots), {}) !== dots) return false;
        const odd = sizeOf(dots + part);
        const fault = dotsAt(odd, byWidth ? { widthMm: odd * side } : {});
        // No size near this one has whole dots and fits the limits of the page.
        if (typeof fault === 'number') return dots + 1 > 4096 / side || sizeOf(dots + 1) < 0.1;
        const named = (/send ([\d.]+)(?: or ([\d.]+))?$/.exec(fault.message) ?? []).slice(1).filter(Boolean);
        const modules = byWidth ? side : 1;
        return (
          named.length > 0 &&
          (fault.field === 'quiet_zone' || fault.field === (byWidth ? 'width_mm' : 'module_mm')) &&
          (fault.field === 'quiet_zone' ||
            named.every((mm) => Number.isInteger(dotsAt(Number(mm) / modules, {}))))
        );
      },
    ),
    { numRuns: 300 },
  );
});

t.test('a path of a logo keeps its colour, its rule and its stroke', async (t) => {
  const path = 'M0 0h1v1z';
  const filled = { path, color: '#0a141e', rule: 'nonzero' } as const;
  t.equal(figureElement(filled), `<path fill="#0a141e" d="${path}"/>`);
  t.equal(
    figureElement({ ...filled, color: '#0a141e33', rule: 'evenodd' }),
    `<path fill="#0a141e" fill-opacity=".2" fill-rule="evenodd" d="${path}"/>`,
  );
  const stroke = { width: 2, cap: 'round', join: 'bevel', miterLimit: 4 } as const;
  t.equal(
    figureElement({ ...filled, color: '#0a141e80', stroke }),
    `<path fill="none" stroke="#0a141e" stroke-opacity=".502" stroke-width="2" stroke-linecap="round" stroke-linejoin="bevel" stroke-miterlimit="4" d="${path}"/>`,
  );
  const size = { widthPx: 30, heightPx: 20 };
  t.equal(
    writeLogo({ width: 1.5, height: 1, figures: [filled, filled] }, size),
    `<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20" viewBox="0 0 1.5 1">${figureElement(filled).repeat(2)}</svg>`,
  );
});

t.test('the transform in an SVG places the modules as in the layout', async () => {
  const side = fc.integer({ min: 60, max: 120 });
  const margin = fc.option(fc.integer({ min: 0, max: 3 }));
  fc.assert(
    fc.property(side, side, margin, fc.boolean(), (widthPx, heightPx, marginPx, roundSize) => {
      const { dots, ...others } = DEFAULT_DESIGN;
      const design = { ...others, widthPx, heightPx, marginPx, dots: { ...dots, roundSize } };
      const plan = planRender('a', design, null);
      const drawn = render({ text: 'a', design, logo: null, format: 'svg' });
      if (isFault(plan) || !drawn.ok) return false;
      const svg = new TextDecoder().decode(drawn.value.bytes);
      const [, matrix] = / transform="matrix\((.*?)\)"/.exec(svg) ?? [];
      const { modulePx, xPx, yPx } = plan.geometry;
      const wanted = [modulePx, 0, 0, modulePx, xPx, yPx];
      const numbers = matrix?.split(' ').map(Number) ?? [1, 0, 0, 1, 0, 0];
      return numbers.every((number, i) => Math.abs(number - wanted[i]!) < 1e-6);
    }),
  );
});

t.test('a bitmap in a file has the colour components and the alpha of its pixels', async () => {
  const pixel = fc.tuple(
    ...Array.from({ length: 3 }, () => fc.nat(255)),
    fc.constantFrom(0, 1, 254, 255, 255),
  );
  fc.assert(
    fc.property(fc.array(pixel, { minLength: 1, maxLength: 4 }), (pixels) => {
      const colors = new Int32Array(Uint8Array.from(pixels.flat()).buffer);
      const picture = { widthPx: pixels.length, heightPx: 1, colors };
      const alphas = pixels.map(([, , , alpha]) => alpha);
      const alpha = alphas.every((one) => one === 255) ? null : Uint8Array.from(alphas as number[]);
      const { space, bytes } = componentsOf(picture, { color: 'rgb', paper: '#ffffff' });
      const isGrey = pixels.every(([red, green, blue]) => red === green && green === blue);
      return (
        space.name === (isGrey ? 'DeviceGray' : 'DeviceRGB') &&
        String(bytes) === String(pixels.map((channels) => channels.slice(0, isGrey ? 1 : 3))) &&
        String(alphaOf(picture)) === String(alpha)
      );
    }),
  );
});
