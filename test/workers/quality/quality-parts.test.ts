import fc from 'fast-check';
import jsQR from 'jsqr';
import sharp from 'sharp';
import t from 'tap';
import { toDesign } from '../../../src/generate/request/design.ts';
import type { ParameterName } from '../../../workers/lists.ts';
import { planRender } from '../../../workers/plan.ts';
import { type ErrorCorrectionLevel, type Grade, isFault } from '../../../workers/protocol.ts';
import { blockMapOf, NO_CODEWORD } from '../../../workers/quality/damage.ts';
import { gradeAtLeast, gradeAtMost, serializeWarnings, warningsOf } from '../../../workers/quality/grades.ts';
import { fieldOf } from '../../../workers/quality/light.ts';
import { occlusionOf } from '../../../workers/quality/occlusion.ts';
import { suspectsOf } from '../../../workers/quality/suspects.ts';
import { render } from '../../../workers/render.ts';
import { createSymbol, type QrSymbol } from '../../../workers/symbol/symbol.ts';
import { casesOf } from '../../support/cases.ts';
import { holds, readableDesigns } from '../../support/pictures/designs.ts';
import { logoOfSvg } from '../../support/pictures/logo.ts';

t.test('a value equal to a threshold gets the better grade', async (t) => {
  const steps = [0.7, 0.55, 0.4, 0.2] as const;
  t.strictSame(
    [1, 0.7, 0.69, 0.55, 0.4, 0.2, 0.19, -1].map((figure) => gradeAtLeast(figure, steps)),
    [4, 4, 3, 3, 2, 1, 0, 0],
  );
  t.strictSame(
    [0, 0.2, 0.21, 0.4, 0.55, 0.7, 0.71].map((figure) => gradeAtMost(figure, [0.2, 0.4, 0.55, 0.7])),
    [4, 4, 3, 3, 2, 1, 0],
  );
});

t.test('warnings are an RFC 8941 list of tokens with decimals', async (t) => {
  t.equal(serializeWarnings([]), '');
  t.equal(
    serializeWarnings([{ name: 'finder-centre' }, { name: 'logo-damage', value: 1.0912 }]),
    'finder-centre, logo-damage;v=1.09',
  );
  t.equal(serializeWarnings([{ name: 'contrast', value: -0.001 }]), 'contrast;v=0', 'no negative zero');
  t.equal(serializeWarnings([{ name: 'contrast', value: 1 }]), 'contrast;v=1');
  const largest = [1e15, -1e15, 999_999_999_999].map((value) => ({ name: 'contrast' as const, value }));
  t.equal(
    serializeWarnings(largest),
    ['', '-', ''].map((sign) => `contrast;v=${sign}999999999999`).join(', '),
    'twelve nines',
  );
  const names = fc.constantFrom<ParameterName>('contrast', 'logo-damage', 'quiet-zone', 'red-light');
  const warning = fc.record({ name: names, value: fc.double({ noNaN: true }) });
  const item = /^[a-z*][a-z0-9:/!#$%&'*+.^_`|~-]*(;v=(-?\d{1,12}(\.\d{1,2})?))?$/;
  holds(
    t,
    fc.property(fc.array(warning), (warnings) => {
      const text = serializeWarnings(warnings);
      const items = text === '' ? [] : text.split(', ');
      return (
        items.length === warnings.length &&
        items.every((one, i) => item.test(one) && one.startsWith(warnings[i]!.name))
      );
    }),
  );
});

t.test('warnings are sorted by grade, the lowest first', async (t) => {
  const parameters = { contrast: 2, ground: 0, inverted: 4 } as Record<ParameterName, Grade>;
  t.strictSame(warningsOf(parameters, { contrast: 0.4 }), [
    { name: 'ground' },
    { name: 'contrast', value: 0.4 },
  ]);
});

const symbolOf = (text: string, level: ErrorCorrectionLevel): QrSymbol => {
  const design = toDesign({ qrOptions: { errorCorrectionLevel: level } });
  const plan = planRender(text, design, null);
  if (isFault(plan)) throw new Error(plan.message);
  return createSymbol(text, plan.symbol);
};

/** Returns the text that jsQR reads in a symbol. */
const readSymbol = ({ size, modules }: QrSymbol): string | null => {
  const [px, quiet] = [4, 4];
  const side = (size + 2 * quiet) * px;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (let i = 0; i < side * side; i += 1) {
    const [row, column] = [Math.floor(i / side / px) - quiet, Math.floor((i % side) / px) - quiet];
    const isInside = row >= 0 && column >= 0 && row < size && column < size;
    if (isInside && modules[row * size + column]) data.fill(0, i * 4, i * 4 + 3);
  }
  return jsQR.default(data, side, side)?.data || null;
};

/** Returns a symbol with a wrong module in the first `count` codewords of each of some blocks. */
const damaged = (symbol: QrSymbol, count: number, isHit: (block: number) => boolean): QrSymbol => {
  const { codewordOf, blockOf } = blockMapOf(symbol.version, symbol.level);
  const modules = symbol.modules.slice();
  const done = new Set<number>();
  const hits = new Map<number, number>();
  for (const [i, codeword] of codewordOf.entries()) {
    if (codeword === NO_CODEWORD || done.has(codeword)) continue;
    const block = blockOf[codeword]!;
    if (!isHit(block) || (hits.get(block) ?? 0) >= count) continue;
    done.add(codeword);
    hits.set(block, (hits.get(block) ?? 0) + 1);
    modules[i] = 1 - modules[i]!;
  }
  return { ...symbol, modules };
};

t.test('a symbol is readable as long as no block has more wrong codewords than it can correct', async (t) => {
  for (const [length, level] of [
    [20, 'M'],
    [60, 'Q'],
    [150, 'H'],
    [300, 'Q'],
  ] as const) {
    const text = 'https://example.com/'.padEnd(length, 'abc');
    const symbol = symbolOf(text, level);
    const { repairable, blocks } = blockMapOf(symbol.version, level);
    const name = `version ${symbol.version}-${level}, ${blocks} blocks`;
    t.equal(readSymbol(symbol), text, name);
    t.equal(readSymbol(damaged(symbol, repairable, () => true)), text, `${name}: as many as correctable`);
    for (const worst of [0, blocks - 1]) {
      const lost = damaged(symbol, repairable + 2, (block) => block === worst);
      t.not(readSymbol(lost), text, `${name}: two codewords too many in block ${worst}`);
    }
  }
});

t.test('every codeword has eight modules, and every block its codewords', async (t) => {
  for (const version of [1, 2, 7, 14, 27, 40]) {
    for (const level of ['L', 'M', 'Q', 'H'] as const) {
      const { codewordOf, blockOf, blocks } = blockMapOf(version, level);
      const modules = new Uint8Array(blockOf.length);
      for (const codeword of codewordOf) if (codeword !== NO_CODEWORD) modules[codeword]! += 1;
      t.ok(
        modules.every((count) => count === 8),
        `${version}-${level}`,
      );
      const lengths = new Array<number>(blocks).fill(0);
      for (const block of blockOf) lengths[block]! += 1;
      t.ok(Math.max(...lengths) - Math.min(...lengths) <= 1, `${version}-${level}: ${lengths}`);
      t.strictSame(
        lengths,
        [...lengths].sort((a, b) => a - b),
        'longer blocks are last',
      );
    }
  }
});

/** Returns the mean luma of the middle half of each module, as the drawn picture shows it on paper. */
async function drawnModules(
  png: Uint8Array,
  symbol: QrSymbol,
  place: { xPx: number; yPx: number; modulePx: number },
) {
  const { data, info } = await sharp(png)
    .flatten({ background: '#fff' })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { xPx, yPx, modulePx } = place;
  return Array.from({ length: symbol.size ** 2 }, (_, i) => {
    const [row, column] = [Math.floor(i / symbol.size), i % symbol.size];
    const [left, right] = [xPx + (column + 0.25) * modulePx, xPx + (column + 0.75) * modulePx];
    const [top, bottom] = [yPx + (row + 0.25) * modulePx, yPx + (row + 0.75) * modulePx];
    let [sum, count] = [0, 0];
    for (let y = Math.round(top); y < Math.round(bottom); y += 1) {
      for (let x = Math.round(left); x < Math.round(right); x += 1) {
        const at = (y * info.width + x) * info.channels;
        sum += (0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!) / 255;
        count += 1;
      }
    }
    return sum / count;
  });
}

const inFinder = (size: number, i: number): boolean => {
  const [row, column] = [Math.floor(i / size), i % size];
  return (row < 7 && (column < 7 || column >= size - 7)) || (row >= size - 7 && column < 7);
};

t.test('the graded light equals the light of the drawn picture', async (t) => {
  const text = 'https://example.com/';
  const designs = fc.sample(readableDesigns(), { numRuns: casesOf(40), seed: 5 });
  for (const design of designs) {
    const plan = planRender(text, design, null);
    if (isFault(plan)) continue;
    const symbol = createSymbol(text, plan.symbol);
    const result = render({ text, design, logo: null, format: 'png' });
    if (!result.ok) throw new Error('not drawn');
    const { xPx, yPx, modulePx } = plan.geometry;
    const seen = await drawnModules(result.value.bytes, symbol, plan.geometry);
    const field = fieldOf(design, 'luma');
    const offs = seen.flatMap((light, i) => {
      if (inFinder(symbol.size, i)) return [];
      const x = xPx + ((i % symbol.size) + 0.5) * modulePx;
      const y = yPx + (Math.floor(i / symbol.size) + 0.5) * modulePx;
      return [Math.abs(light - (symbol.modules[i] ? field.dark(x, y) : field.ground(x, y)))];
    });
    const mean = offs.reduce((sum, off) => sum + off, 0) / offs.length;
    // A round corner of the background may cut through a module.
    t.ok(mean < 0.02, `${mean.toFixed(3)} ${JSON.stringify(design)}`);
  }
});

t.test('modules count as wrong under a logo if they are wrong in the drawn picture', async (t) => {
  const [width, height] = [160, 120];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="70" height="${height}" fill="#102030"/><circle cx="110" cy="60" r="45" fill="#f8e0a0"/></svg>`;
  const logo = logoOfSvg(svg);
  const text = 'https://example.com/a-longer-address-for-more-modules';
  for (const hideBackgroundDots of [true, false]) {
    for (const imageSize of [0.3, 0.6, 1]) {
      const design = toDesign({ width: 400, height: 400, imageOptions: { imageSize, hideBackgroundDots } });
      const plan = planRender(text, design, logo);
      if (isFault(plan)) throw new Error(plan.message);
      const symbol = createSymbol(text, plan.symbol);
      const result = render({ text, design, logo, format: 'png' });
      if (!result.ok) throw new Error('not drawn');
      const seen = await drawnModules(result.value.bytes, symbol, plan.geometry);
      const field = { side: 1, dark: Float64Array.of(0), light: Float64Array.of(1) };
      const tones = { contrast: 1, ground: 1, isInverted: false };
      const occlusion = occlusionOf(plan.geometry, plan.geometry.logo!, logo);
      const { ofLogo } = suspectsOf(field, tones, symbol.size, occlusion);
      const wrong = new Set(
        [...ofLogo]
          .filter((word) => ((word >>> (symbol.modules[word & 0xffff] ? 16 : 20)) & 15) === 0)
          .map((word) => word & 0xffff),
      );
      // A mean this close to the threshold may fall on either side.
      const unlike = seen.flatMap((light, i) =>
        Math.abs(light - 0.5) > 0.12 && (light < 0.5 !== (symbol.modules[i] === 1)) !== wrong.has(i)
          ? [i]
          : [],
      );
      t.strictSame(unlike, [], `size ${imageSize}, ${hideBackgroundDots ? 'hidden' : 'visible'} dots`);
      t.ok(wrong.size > 0);
    }
  }
});
