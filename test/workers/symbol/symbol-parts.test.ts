/** The parts of a symbol, each compared with a naive implementation. */

import { createRequire } from 'node:module';
import { create, type QRCodeMaskPattern } from 'qrcode';
import toSjis from 'qrcode/helper/to-sjis.js';
import t from 'tap';
import type { ErrorCorrectionLevel, SymbolMode } from '../../../workers/protocol.ts';
import { packRows } from '../../../workers/symbol/bit-rows.ts';
import { capacityOf, dataBitsOf, dataCodewordsOf, headerBitsOf } from '../../../workers/symbol/capacity.ts';
import { fitSymbol, type SymbolPlan } from '../../../workers/symbol/fit.ts';
import { shiftJisOf } from '../../../workers/symbol/kanji.ts';
import { penaltyOf } from '../../../workers/symbol/penalty.ts';
import { createSymbol } from '../../../workers/symbol/symbol.ts';
import { naivePenalty, withoutInformation } from '../../support/pictures/naive-symbol.ts';
import { createFractions } from '../../support/random.ts';

const LEVELS: readonly ErrorCorrectionLevel[] = ['L', 'M', 'Q', 'H'];
const MODES: readonly SymbolMode[] = ['Numeric', 'Alphanumeric', 'Byte', 'Kanji'];
const MASKS: readonly QRCodeMaskPattern[] = [0, 1, 2, 3, 4, 5, 6, 7];
const VERSIONS = Array.from({ length: 40 }, (_, index) => index + 1);

/** Cells of which about `share` are dark; the same in each run. */
const noise = (size: number, share: number): Uint8Array => {
  const next = createFractions(size);
  return new Uint8Array(size * size).map(() => (next() < share ? 1 : 0));
};

t.test('the first of two masks with the same lowest penalty is chosen', async (t) => {
  const plan = fitSymbol('1144', { typeNumber: 0, mode: null, levels: ['M'] }) as SymbolPlan;
  const scores = MASKS.map((mask) => {
    const options = { version: 1, errorCorrectionLevel: 'M', maskPattern: mask } as const;
    const { data, size } = create([{ mode: 'numeric', data: '1144' }], options).modules;
    return naivePenalty(withoutInformation(Uint8Array.from(data), size, 1), size);
  });
  const lowest = Math.min(...scores);
  t.strictSame([scores.indexOf(lowest), scores.lastIndexOf(lowest)], [2, 3]);
  t.equal(createSymbol('1144', plan).mask, 2);
});

t.test('a capacity equals that of the library, and is the largest count whose bits fit', async (t) => {
  const require = createRequire(import.meta.url);
  const { getCapacity } = require('qrcode/lib/core/version.js');
  const { from: modeOf } = require('qrcode/lib/core/mode.js');
  const { from: levelOf } = require('qrcode/lib/core/error-correction-level.js');
  const wrong: string[] = [];
  for (const level of LEVELS) {
    for (const mode of MODES) {
      for (const version of VERSIONS) {
        const capacity = capacityOf(version, level, mode);
        const fits = (count: number) =>
          headerBitsOf(version, mode) + dataBitsOf(count, mode) <= 8 * dataCodewordsOf(version, level);
        const isWrong =
          capacity !== getCapacity(version, levelOf(level), modeOf(mode)) ||
          !fits(capacity) ||
          fits(capacity + 1);
        if (isWrong) wrong.push(`${version}-${level} ${mode}`);
      }
    }
  }
  t.same(wrong, []);
  t.equal(capacityOf(40, 'L', 'Byte', 12), 2952, 'less the bits already in use');
});

t.test('a penalty below the limit is exact, and one that reaches it is at least the limit', async (t) => {
  for (const size of [21, 37, 65]) {
    for (const share of [0.2, 0.5, 0.8]) {
      const rows = packRows(noise(size, share), size);
      const exact = penaltyOf(rows);
      t.equal(penaltyOf(rows, exact + 0.5), exact);
      for (const limit of [0, 1, exact / 2, exact - 0.25, exact]) t.ok(penaltyOf(rows, limit) >= limit);
    }
  }
});

t.test('the penalty equals that of counting module by module, for any size', async (t) => {
  for (const size of [21, 25, 29, 33, 37, 45, 49, 61, 65, 97, 177]) {
    const pictures = [0, 0.03, 0.2, 0.5, 0.8, 0.97, 1].map((share) => noise(size, share));
    const finderLike = [1, 0, 1, 1, 1, 0, 1];
    const across = new Uint8Array(size * size).map((_, cell) => finderLike[((cell % size) + 1) % 7]!);
    const down = new Uint8Array(size * size).map((_, cell) => finderLike[(Math.floor(cell / size) + 1) % 7]!);
    // Runs that end at the last column and the last row.
    const atEnd = (place: number) => finderLike[place - (size - 7)] ?? 0;
    const lastColumns = new Uint8Array(size * size).map((_, cell) => atEnd(cell % size));
    const lastRows = new Uint8Array(size * size).map((_, cell) => atEnd(Math.floor(cell / size)));
    for (const [i, cells] of [...pictures, across, down, lastColumns, lastRows].entries()) {
      const [found, expected] = [penaltyOf(packRows(cells, size)), naivePenalty(cells, size)];
      if (found !== expected) t.fail(`${size} columns, picture ${i}: ${found}, not ${expected}`);
    }
  }
});

t.test('the characters of Kanji mode are those of JIS X 0208', async (t) => {
  const values = (text: string) => [...text].map((character) => shiftJisOf(character.charCodeAt(0)));
  t.strictSame(values('漢ひ。漢'), [0x8abf, 0x82d0, 0x8142, 0x8abf]);
  t.strictSame(values('aé한\uffff'), [0, 0, 0, 0]);
  const wrong = Array.from({ length: 0x10000 }, (_, unit) => unit).filter(
    (unit) => shiftJisOf(unit) !== (toSjis(String.fromCharCode(unit)) ?? 0),
  );
  t.strictSame(wrong, [], 'the same as in `qrcode`');
});
