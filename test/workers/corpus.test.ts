import t from 'tap';
import { composeSvg } from '../../workers/design/svg.ts';
import { planRender } from '../../workers/plan.ts';
import { isFault } from '../../workers/protocol.ts';
import { drawReference } from '../../workers/raster/png.ts';
import { render } from '../../workers/render.ts';
import { createSymbol, type QrSymbol } from '../../workers/symbol/symbol.ts';
import { someOf } from '../support/cases.ts';
import { corpusCases, corpusOptions, corpusPng, designOf, logoOf } from '../support/pictures/corpus.ts';
import { decodePng } from '../support/pictures/decode.ts';
import { type Difference, differenceOf, pixelsOf } from '../support/pictures/pictures.ts';

/** Differences in anti-aliasing between two rasterisers that are invisible. */
const MAX_MEAN = 0.5;
const MAX_FAR_OFF = 0.001;

const NOT_IN_OUR_SCHEMA = {
  'c101-margin-neg': 'margins must be 0 to 100',
  'c189-unknowntype': 'an unknown type is refused, where the library falls back',
  'c192-floatsize': 'sizes must be whole pixels',
};

/** The library keeps only one byte of each UTF-16 unit; we write UTF-8, so these symbols differ on purpose. */
const TEXT_THAT_THE_LIBRARY_BREAKS = ['c155-text-utf8', 'c157-text-utf8pre', 'c159-text-latin1'];

const cases = corpusCases();
const comparable = cases.filter(
  ({ name }) => !(name in NOT_IN_OUR_SCHEMA) && !TEXT_THAT_THE_LIBRARY_BREAKS.includes(name),
);

const matrixOf = ({ size, modules }: QrSymbol): string =>
  Array.from({ length: size }, (_, row) =>
    BigInt(`0b${modules.subarray(row * size, (row + 1) * size).join('')}`).toString(16),
  ).join('.');

async function draw(name: string) {
  const options = corpusOptions({ name });
  const [design, logo] = [designOf(options), await logoOf(options)];
  const plan = planRender(options.data, design, logo);
  if (isFault(plan)) throw new Error(`${name}: ${plan.field}: ${plan.message}`);
  const symbol = createSymbol(options.data, plan.symbol);
  const rendered = render({ text: options.data, design, logo, format: 'png' });
  if (!rendered.ok) throw new Error(`${name}: ${rendered.fault.message}`);
  const drawByReference = () => drawReference(composeSvg(plan, symbol, design, logo));
  const { lane, bytes: png } = rendered.value;
  return { text: options.data, symbol, lane, png, drawByReference };
}

t.test('every case of the corpus is drawn or explicitly excluded', async (t) => {
  t.equal(cases.length, 102);
  for (const name of [...Object.keys(NOT_IN_OUR_SCHEMA), ...TEXT_THAT_THE_LIBRARY_BREAKS]) {
    t.ok(
      cases.some((known) => known.name === name),
      `${name} is in the corpus`,
    );
  }
  t.equal(comparable.length, 96);
});

t.test('our pictures equal those of the browser library', async (t) => {
  const figures: (Difference & { name: string; lane: string })[] = [];
  for (const known of someOf(comparable)) {
    const { symbol, lane, png, drawByReference } = await draw(known.name);
    t.equal(matrixOf(symbol), known.matrix, `${known.name}: same modules`);
    t.match(symbol, { version: known.version, mask: known.mask }, `${known.name}: same version and mask`);

    const expected = await pixelsOf(corpusPng(known));
    for (const picture of [
      { lane: 'reference', png: drawByReference() },
      { lane, png },
    ]) {
      const difference = differenceOf(await pixelsOf(picture.png), expected);
      figures.push({ ...difference, name: known.name, lane: picture.lane });
      t.ok(difference.mean <= MAX_MEAN, `${known.name}, ${picture.lane}: mean difference ${difference.mean}`);
      t.ok(difference.farOff <= MAX_FAR_OFF, `${known.name}, ${picture.lane}: far off ${difference.farOff}`);
      if (lane === 'reference') break;
    }
  }
  for (const line of summary(figures)) t.comment(line);
});

const summary = (figures: readonly (Difference & { name: string; lane: string })[]): string[] =>
  ['reference', 'stamped', 'plain'].flatMap((lane) => {
    const drawn = figures.filter((figure) => figure.lane === lane);
    if (drawn.length === 0) return [];
    const byMean = drawn.toSorted((one, other) => one.mean - other.mean);
    const worst = byMean.at(-1)!;
    const farthest = drawn.toSorted((one, other) => one.farOff - other.farOff).at(-1)!;
    return [
      `${lane}: ${drawn.length} pictures, ${drawn.filter(({ most }) => most === 0).length} equal in every pixel`,
      `  mean difference of 255: median ${byMean[byMean.length >> 1]!.mean.toFixed(4)}, worst ${worst.mean.toFixed(3)} (${worst.name})`,
      `  far off: worst ${(farthest.farOff * 100).toFixed(3)} % of pixels (${farthest.name})`,
    ];
  });

t.test('every picture that is readable in the corpus is readable in our version', async (t) => {
  const readable = comparable.filter(({ jsqr, zbar }) => jsqr === 'exact' || zbar === 'exact');
  t.equal(readable.length, 85);
  for (const { name } of someOf(readable)) {
    const { text, png } = await draw(name);
    t.equal(await decodePng(png), text, name);
  }
});

t.test('text that the library corrupts is drawn correctly', async (t) => {
  for (const name of TEXT_THAT_THE_LIBRARY_BREAKS) {
    const { text, png } = await draw(name);
    t.equal(await decodePng(png), text, name);
  }
});
