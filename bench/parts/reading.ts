import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { toDesign } from '../../src/generate/request/design.ts';
import { openZBar, openZXing } from '../../src/reading/decoders.ts';
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

/** The cost of reading a picture with both readers under all conditions. */
export const reading: Part = async (_, { share }) => {
  const readers = await openReaders();
  const rounds = Math.ceil(ROUNDS * share);
  const cases = PICTURES.map(([widthPx, type]) => {
    const png = draw(widthPx, type);
    return [`${widthPx} px ${type}`, () => readPicture(readers, png)] as const;
  });
  return [...(await cpuOfCases(Object.fromEntries(cases), rounds))].map(([name, ms]) =>
    name.startsWith('300') ? atMost(name, ms, TARGET_MS, 'ms') : measured(name, ms, 'ms'),
  );
};
