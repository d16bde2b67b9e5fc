import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import jsQR from 'jsqr';
import { toDesign } from '../../src/generate/request/design.ts';
import {
  BLURRED_MODULE_PX,
  CONDITIONS,
  SMALL_MODULE_PX,
  underCondition,
} from '../../src/reading/conditions.ts';
import { openZBar, openZXing } from '../../src/reading/decoders.ts';
import { readPng } from '../../src/reading/png.ts';
import { readPicture } from '../../src/reading/read.ts';
import type { DotType } from '../../workers/lists.ts';
import { render } from '../../workers/render.ts';
import { atMost, measured } from '../verdict.ts';
import { cpuOfCases, type Part } from './part.ts';

const ROUNDS = 15;
const TARGET_MS = 5;
const PICTURES: readonly (readonly [widthPx: number, type: DotType])[] = [
  [300, 'square'],
  [300, 'rounded'],
  [1000, 'square'],
];

const openReaders = async () => {
  const { resolve } = createRequire(import.meta.url);
  const wasm = await readFile(resolve('zxing-wasm/reader/zxing_reader.wasm'));
  return {
    zxing: await openZXing(new Uint8Array(wasm).buffer),
    zbar: await openZBar(resolve('@undecaf/zbar-wasm/dist/zbar.wasm')),
  };
};

const draw = (widthPx: number, type: DotType): Uint8Array => {
  const design = toDesign({ width: widthPx, height: widthPx, dotsOptions: { type } });
  const drawn = render({ text: 'https://qr.example.com/l/4fGk2LmQ', design, logo: null, format: 'png' });
  if (!drawn.ok) throw new Error(drawn.fault.message);
  return drawn.value.bytes;
};

type Readers = Awaited<ReturnType<typeof openReaders>>;

/** The steps of reading a picture, and a single read with jsQR for comparison. */
const stepsOf = (readers: Readers, widthPx: number, png: Uint8Array) => {
  const luma = readPng(png);
  if (!luma.ok) throw new Error(luma.fault);
  const picture = luma.value;
  const rgba = new Uint8ClampedArray(4 * picture.data.length);
  for (const [i, value] of picture.data.entries()) rgba.set([value, value, value, 255], 4 * i);
  const modulePx = 7 * (widthPx / 300);
  const pxOf = { sharp: modulePx, blurred: BLURRED_MODULE_PX, small: SMALL_MODULE_PX };
  return [
    { name: 'PNG', run: () => readPng(png) },
    ...CONDITIONS.flatMap((condition) => {
      const seen = underCondition(picture, condition, modulePx);
      return [
        { name: `${condition}, making it`, run: () => underCondition(picture, condition, modulePx) },
        { name: `${condition}, ZXing`, run: () => readers.zxing(seen) },
        { name: `${condition}, ZBar`, run: () => readers.zbar(seen, pxOf[condition]) },
      ];
    }),
    { name: 'sharp, jsQR', run: () => jsQR.default(rgba, widthPx, widthPx) },
  ];
};

/** The cost of reading a picture with both readers under all conditions. */
export const reading: Part = {
  about: 'reading a picture with both readers in each condition, compared with jsQR',
  async run(_, { share }) {
    const readers = await openReaders();
    const rounds = Math.ceil(ROUNDS * share);
    const drawn = PICTURES.map(([widthPx, type]) => ({
      name: `${widthPx} px ${type}`,
      widthPx,
      png: draw(widthPx, type),
    }));
    const whole = drawn.filter(({ widthPx }) => widthPx === 300);
    // Whole readings come first: jsQR leaves 50 MB of garbage, which the next case would have to collect.
    const wholeMs = await cpuOfCases(
      whole.map(({ png }) => ({ run: () => readPicture(readers, png) })),
      rounds,
    );
    const verdicts = whole.map(({ name }, i) => atMost(`${name}: all`, wholeMs[i]!, TARGET_MS, 'ms'));
    for (const { name, widthPx, png } of drawn) {
      const steps = stepsOf(readers, widthPx, png);
      const stepMs = await cpuOfCases(steps, rounds);
      verdicts.push(...steps.map((step, i) => measured(`${name}: ${step.name}`, stepMs[i]!, 'ms')));
    }
    return verdicts;
  },
};
