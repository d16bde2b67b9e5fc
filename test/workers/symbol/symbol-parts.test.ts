/** The parts of a symbol, each compared with a naive implementation. */

import { createRequire } from 'node:module';
import fc from 'fast-check';
import { create, type QRCodeMaskPattern } from 'qrcode';
import toSjis from 'qrcode/helper/to-sjis.js';
import t from 'tap';
import type { ErrorCorrectionLevel, SymbolMode } from '../../../workers/protocol.ts';
import { emptyRows, packRows, popCount, unpackRows } from '../../../workers/symbol/bit-rows.ts';
import { capacityOf, dataBitsOf, dataCodewordsOf, headerBitsOf } from '../../../workers/symbol/capacity.ts';
import { fitSymbol, type SymbolPlan } from '../../../workers/symbol/fit.ts';
import { shiftJisOf } from '../../../workers/symbol/kanji.ts';
import { penaltyOf } from '../../../workers/symbol/penalty.ts';
import { createSymbol } from '../../../workers/symbol/symbol.ts';
import { formatBits, versionBits } from '../../../workers/symbol/template.ts';
import { naivePenalty, withoutInformation } from '../../support/pictures/naive-symbol.ts';
import { createFractions } from '../../support/random.ts';

const LEVELS: readonly ErrorCorrectionLevel[] = ['L', 'M', 'Q', 'H'];
const MODES: readonly SymbolMode[] = ['Numeric', 'Alphanumeric', 'Byte', 'Kanji'];
const MASKS: readonly QRCodeMaskPattern[] = [0, 1, 2, 3, 4, 5, 6, 7];
const VERSIONS = Array.from({ length: 40 }, (_, index) => index + 1);

/** A symbol of the library `qrcode`. */
const library = (
  version: number,
  level: ErrorCorrectionLevel = 'L',
  maskPattern: QRCodeMaskPattern = 0,
  data = '1',
) => create([{ mode: 'numeric', data }], { version, errorCorrectionLevel: level, maskPattern }).modules;

/** Cells of which about `share` are dark; the same in each run. */
const noise = (size: number, share: number): Uint8Array => {
  const next = createFractions(size);
  return new Uint8Array(size * size).map(() => (next() < share ? 1 : 0));
};

t.test('the first of two masks with the same lowest penalty is chosen', async (t) => {
  const plan = fitSymbol('1144', { typeNumber: 0, mode: null, levels: ['M'] }) as SymbolPlan;
  const scores = MASKS.map((mask) => {
    const { data, size } = library(1, 'M', mask, '1144');
    const modules = withoutInformation(Uint8Array.from(data), size, 1);
    return naivePenalty(modules, size);
  });
  const lowest = Math.min(...scores);
  t.strictSame([scores.indexOf(lowest), scores.lastIndexOf(lowest)], [2, 3]);
  t.equal(createSymbol('1144', plan).mask, 2);
});

t.test('a grid of bits', async (t) => {
  t.test('has the same cells after packing and unpacking, for any size', async (t) => {
    for (const size of [1, 21, 31, 32, 33, 64, 65, 177]) {
      const cells = noise(size, 0.5);
      const rows = packRows(cells, size);
      t.equal(rows.words, Math.ceil(size / 32));
      t.equal(rows.bits.length, size * rows.words);
      t.ok(emptyRows(size).bits.every((word) => word === 0));
      t.ok(Buffer.from(unpackRows(rows)).equals(cells), `${size} columns`);
    }
  });

  t.test('has column c in bit c % 32 of word c / 32', async (t) => {
    const cells = new Uint8Array(33 * 33);
    cells[33 + 31] = 1;
    cells[2 * 33 + 32] = 7;
    const { bits } = packRows(cells, 33);
    t.strictSame([...bits].slice(0, 8), [0, 0, 1 << 31, 0, 0, 1, 0, 0]);
  });

  t.test('counts its bits correctly', async (t) => {
    const countOf = (word: number) => (word >>> 0).toString(2).replaceAll('0', '').length;
    const words = fc.oneof(fc.integer(), fc.constantFrom(0, -1, 1 << 31, 0x55555555, 0x0f0f0f0f));
    t.doesNotThrow(() =>
      fc.assert(
        fc.property(words, (word) => popCount(word) === countOf(word)),
        { numRuns: 500 },
      ),
    );
  });
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

t.test('format information equals ISO/IEC 18004:2015, Table C.1', async (t) => {
  const levels = ['M', 'L', 'H', 'Q'] as const;
  const expected = [
    [0x5412, 0x5125, 0x5e7c, 0x5b4b, 0x45f9, 0x40ce, 0x4f97, 0x4aa0],
    [0x77c4, 0x72f3, 0x7daa, 0x789d, 0x662f, 0x6318, 0x6c41, 0x6976],
    [0x1689, 0x13be, 0x1ce7, 0x19d0, 0x0762, 0x0255, 0x0d0c, 0x083b],
    [0x355f, 0x3068, 0x3f31, 0x3a06, 0x24b4, 0x2183, 0x2eda, 0x2bed],
  ];
  t.strictSame(
    levels.map((level) => MASKS.map((mask) => formatBits(level, mask))),
    expected,
  );
});

t.test('version information equals ISO/IEC 18004:2015, Table D.1', async (t) => {
  t.strictSame([7, 8, 9, 21, 40].map(versionBits), [0x07c94, 0x085bc, 0x09a99, 0x15683, 0x28c69]);
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
