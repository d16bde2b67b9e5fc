/**
 * `npm run bench:reading` measures what it costs to read a picture with both readers under all conditions, beside jsQR,
 * which would read it once.
 *
 * It measures processor time in one process. Each figure is the median of its rounds. Whole readings
 * of 300 px alternate with each other alone, as in a reading thread. The other cases come afterwards: jsQR leaves 50 MB
 * behind, for which the case after it would pay.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import jsQR from 'jsqr';
import {
  BLURRED_MODULE_PX,
  CONDITIONS,
  SMALL_MODULE_PX,
  underCondition,
} from '../../src/reading/conditions.ts';
import { readPng } from '../../src/reading/png/png.ts';
import { readPicture } from '../../src/reading/read.ts';
import { openZBar } from '../../src/reading/zbar.ts';
import { openZXing } from '../../src/reading/zxing.ts';
import type { Design } from '../../workers/protocol.ts';
import { render } from '../../workers/render.ts';
import { commandLine } from '../command/main.ts';
import { median } from '../stats.ts';

commandLine({
  name: 'npm run bench:reading',
  about:
    'Measures what it costs to read a picture with both readers under all conditions, beside jsQR, which would read it once: processor time in one process. Ends with 1 when a target is missed.',
  options: {},
  examples: [['', 'prints the table']],
});

const ROUNDS = 15;
const ROUND_MS = 60;
/** What issue 16 allows for a picture of 300 px. */
const TARGET_MS = 5;

const designOf = (widthPx: number, type: Design['dots']['type']): Design => ({
  widthPx,
  heightPx: widthPx,
  marginPx: null,
  shape: 'square',
  symbol: { typeNumber: 0, mode: null, levels: ['Q'] },
  dots: { type, paint: '#000000', roundSize: true },
  cornersSquare: { type: 'square', paint: null },
  cornersDot: { type: 'square', paint: null },
  background: { paint: '#ffffff', round: 0 },
  image: { size: 0.4, marginPx: 0, hideBackgroundDots: true },
});

const draw = (widthPx: number, type: Design['dots']['type']): Uint8Array => {
  const text = 'https://qr.example.com/l/4fGk2LmQ';
  const drawn = render({ text, design: designOf(widthPx, type), logo: null, format: 'png' });
  if (!drawn.ok) throw new Error(drawn.fault.message);
  return drawn.value.bytes;
};

const require = createRequire(import.meta.url);
const wasm = await readFile(require.resolve('zxing-wasm/reader/zxing_reader.wasm'));
const readers = {
  zxing: await openZXing(new Uint8Array(wasm).buffer),
  zbar: await openZBar(require.resolve('@undecaf/zbar-wasm/dist/zbar.wasm')),
};

interface Case {
  readonly name: string;
  readonly run: () => unknown;
}

const casesOf = (widthPx: number, type: Design['dots']['type']): readonly Case[] => {
  const png = draw(widthPx, type);
  const luma = readPng(png);
  if (!luma.ok) throw new Error(luma.fault);
  const picture = luma.value;
  const rgba = new Uint8ClampedArray(4 * picture.data.length);
  for (const [i, value] of picture.data.entries()) rgba.set([value, value, value, 255], 4 * i);
  const modulePx = 7 * (widthPx / 300);
  const pxOf = { sharp: modulePx, blurred: BLURRED_MODULE_PX, small: SMALL_MODULE_PX };
  const name = (what: string) => `${widthPx} px ${type}: ${what}`;
  return [
    { name: name('all'), run: () => readPicture(readers, png) },
    { name: name('PNG'), run: () => readPng(png) },
    ...CONDITIONS.flatMap((condition) => {
      const seen = underCondition(picture, condition, modulePx);
      return [
        { name: name(`${condition}, making it`), run: () => underCondition(picture, condition, modulePx) },
        { name: name(`${condition}, ZXing`), run: () => readers.zxing(seen) },
        { name: name(`${condition}, ZBar`), run: () => readers.zbar(seen, pxOf[condition]) },
      ];
    }),
    { name: name('sharp, jsQR'), run: () => jsQR.default(rgba, widthPx, widthPx) },
  ];
};

const cpuMs = async (run: Case['run']): Promise<number> => {
  const before = process.cpuUsage();
  let times = 0;
  for (let usedMs = 0; usedMs < ROUND_MS; times += 1) {
    await run();
    const { user, system } = process.cpuUsage(before);
    usedMs = (user + system) / 1000;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
};

const cases = [...casesOf(300, 'square'), ...casesOf(300, 'rounded'), ...casesOf(1000, 'square')];
const isWhole = ({ name }: { readonly name: string }): boolean => /^300 px \w+: all$/.test(name);
const figures = new Map<string, number[]>(cases.map(({ name }) => [name, []]));
for (const group of [cases.filter(isWhole), cases.filter((one) => !isWhole(one))]) {
  for (const { run } of group) await cpuMs(run);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, run } of group) figures.get(name)!.push(await cpuMs(run));
  }
}

console.log(`${cpus()[0]?.model}; milliseconds of processor time, median (lowest)`);
for (const [name, ms] of figures) {
  console.log(`${name.padEnd(40)} ${median(ms).toFixed(2)} (${Math.min(...ms).toFixed(2)})`);
}
const slow = [...figures].filter(([name, ms]) => isWhole({ name }) && median(ms) > TARGET_MS);
for (const [name] of slow) console.log(`${name} takes more than ${TARGET_MS} ms`);
process.exitCode = slow.length > 0 ? 1 : 0;
