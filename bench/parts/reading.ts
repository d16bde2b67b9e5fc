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
const stepsOf = ({ zxing, zbar }: Readers, widthPx: number, png: Uint8Array) => {
  const luma = readPng(png);
  if (!luma.ok) throw new Error(luma.fault);
  const picture = luma.value;
  const rgba = new Uint8ClampedArray(4 * picture.data.length);
  for (const [i, value] of picture.data.entries()) rgba.set([value, value, value, 255], 4 * i);
  const modulePx = 7 * (widthPx / 300);
  const pxOf = { sharp: modulePx, blurred: BLURRED_MODULE_PX, small: SMALL_MODULE_PX };
  const cases: Record<string, () => unknown> = { PNG: () => readPng(png) };
  for (const condition of CONDITIONS) {
    const seen = underCondition(picture, condition, modulePx);
    cases[`${condition}, making it`] = () => underCondition(picture, condition, modulePx);
    cases[`${condition}, ZXing`] = () => zxing(seen);
    cases[`${condition}, ZBar`] = () => zbar(seen, pxOf[condition]);
  }
  return { ...cases, 'sharp, jsQR': () => jsQR.default(rgba, widthPx, widthPx) };
};

/** The cost of reading a picture with both readers under all conditions. */
export const reading: Part = async (_, { share }) => {
  const readers = await openReaders();
  const rounds = Math.ceil(ROUNDS * share);
  const drawn = PICTURES.map(([widthPx, type]) => ({
    ...{ name: `${widthPx} px ${type}`, widthPx, png: draw(widthPx, type) },
  }));
  const small = drawn.filter(({ widthPx }) => widthPx === 300);
  const whole = small.map(({ name, png }) => [`${name}: all`, () => readPicture(readers, png)] as const);
  // Whole readings come first: jsQR leaves 50 MB of garbage, which the next case would have to collect.
  const verdicts = [...(await cpuOfCases(Object.fromEntries(whole), rounds))].map(([name, ms]) =>
    atMost(name, ms, TARGET_MS, 'ms'),
  );
  for (const { name, widthPx, png } of drawn)
    for (const [step, ms] of await cpuOfCases(stepsOf(readers, widthPx, png), rounds))
      verdicts.push(measured(`${name}: ${step}`, ms, 'ms'));
  return verdicts;
};
