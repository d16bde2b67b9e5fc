/** GS1 DataMatrix: its data, its text and its sizes. */
import fc from 'fast-check';
import t from 'tap';
import { listIdentifiers } from '../../../src/gs1/dictionary.ts';
import { writeBrackets } from '../../../src/gs1/element-string.ts';
import type { BarcodeTask } from '../../../workers/barcode/protocol.ts';
import { joinElements } from '../../../workers/symbol/gs1.ts';
import { pairOf, pairsOf } from '../../support/gs1.ts';
import { textOf } from '../../support/pictures/print.ts';
import { createRandom } from '../../support/random.ts';
import { DRAWN, drawnOf, pixelsOf, readBarcode, refusalOf, runsOf, sizeOfFile } from './support.ts';

const TEXT = '(01)09521321000018(10)A7(21)7';
const MESSAGE = '010952132100001810A7\u001d217';
const PARTS = ['(01)09521321000018', '(10)A7', '(21)7'];
const task = (more: Partial<BarcodeTask> = {}): BarcodeTask => ({
  ...{ symbology: 'gs1-datamatrix', text: TEXT, format: 'png', size: {} },
  ...more,
});
const read = async (one: BarcodeTask) => readBarcode(await pixelsOf(drawnOf(one).bytes, one.format));

t.test('readers read GS1 data of random AIs', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const pairs = pairsOf(createRandom(seed));
      t.equal(await read(task({ text: writeBrackets(pairs) })), `]d2${joinElements(pairs)}`);
    }),
    { numRuns: 300 },
  );
});

t.test('every AI that is checked can be encoded', async (t) => {
  const random = createRandom(1);
  for (const { ai } of listIdentifiers()) {
    const pair = pairOf(random, ai);
    t.equal(await read(task({ text: writeBrackets([pair]) })), `]d2${ai}${pair.value}`);
  }
});

t.test('every AI ends where the next begins', async (t) => {
  const random = createRandom(2);
  const next = { ai: '21', value: '7' };
  for (const { ai } of listIdentifiers()) {
    const pairs = [pairOf(random, ai), next];
    t.equal(await read(task({ text: writeBrackets(pairs) })), `]d2${joinElements(pairs)}`);
  }
  // Writers have taken it for one of a fixed length.
  t.equal(await read(task({ text: '(235)TPX-1(01)09521321000018' })), ']d2235TPX-1\u001d0109521321000018');
});

t.test('every format has the same symbol', async (t) => {
  for (const format of DRAWN)
    for (const below of [undefined, PARTS])
      t.equal(await read(task({ format, ...(below && { below }) })), `]d2${MESSAGE}`, format);
});

t.test('every file has the size that is asked for, and a bitmap whole dots', async (t) => {
  // 18 modules, and a quiet zone of one on each side.
  for (const format of DRAWN) {
    for (const [size, module] of [
      [{ moduleMm: 0.508 }, 0.508],
      [{ widthMm: 20 * 0.4233333333 }, 0.42333],
      [{ widthMm: 8.8, dpi: 600, round: 'down' }, 0.42333],
      [{ moduleMm: 0.508, quietZone: 4 }, 0.508],
    ] as const) {
      const { bytes, sizeMm } = drawnOf(task({ format, size }));
      const side = module * ('quietZone' in size ? 26 : 20);
      for (const value of [...(await sizeOfFile(bytes, format)), sizeMm.width, sizeMm.height])
        t.ok(Math.abs(value - side) < 0.02, `${format} ${value}`);
      t.ok(Math.abs(sizeMm.module - module) < 1e-4);
    }
  }
  const print = await pixelsOf(drawnOf(task()).bytes, 'png');
  t.equal(print.width, 20 * 6, '6 dots at 300 dpi are nearest to 0.495 mm');
  t.equal(new Set(print.rgb).size, 2, 'black and white alone');
  for (let row = 3; row < print.height; row += 6) t.ok(runsOf(print, row).every((dots) => dots % 6 === 0));
});

t.test('text makes the picture wider where it needs room, and the symbol stays in the middle', async (t) => {
  const bare = drawnOf(task()).sizeMm;
  const { bytes, sizeMm } = drawnOf(task({ below: PARTS }));
  t.ok(sizeMm.width > bare.width && sizeMm.height > bare.height);
  t.equal(sizeMm.module, bare.module);
  const runs = runsOf(await pixelsOf(bytes, 'png'), 8);
  t.ok(Math.abs(runs[0]! - runs.at(-1)!) <= 6 + 1, 'the last module of the first row may be white');
  const large = drawnOf(task({ below: PARTS, size: { moduleMm: 0.9313333333 } })).sizeMm;
  t.ok(Math.abs(large.width - 20 * 0.93133) < 0.001, 'there is room for the text');
  const words = (await textOf(drawnOf(task({ below: PARTS, format: 'pdf' })).bytes)).trim();
  t.equal(words.split(/\s+/).join(''), PARTS.join(''));
});

t.test('what cannot be printed is refused by the name of its parameter, with figures', async (t) => {
  for (const [one, field, message] of [
    [task({ size: { quietZone: 0 } }), 'quiet_zone', /must be at least 1 for GS1 DataMatrix/],
    [
      task({ size: { moduleMm: 0.3, till: true } }),
      'module_mm',
      /tills need 0\.396 to 0\.99 mm: print this code 7\.92 to 19\.8 mm wide/,
    ],
    [
      task({ size: { moduleMm: 0.5 } }),
      'module_mm',
      /5\.906 dots a module at 300 dpi.*send 0\.423333 or 0\.508/,
    ],
    [task({ below: PARTS, format: 'pdf', size: { widthMm: 10 } }), 'text', /at least \d+\.\d\d mm wide/],
    [
      task({
        text: ['91', '92', '93', '94', '95', '96', '97', '98', '99']
          .map((ai) => `(${ai})${'a!'.repeat(45)}`)
          .join('')
          .repeat(3),
      }),
      'data',
      /^has more than the largest GS1 DataMatrix holds/,
    ],
  ] as const)
    t.match(refusalOf(one), { field, message });
});

t.test('the mark of a sandbox lies under the symbol, which is read all the same', async (t) => {
  t.notSame(drawnOf(task()).bytes, drawnOf(task({ mark: 'test' })).bytes);
  t.equal(await read(task({ mark: 'test' })), `]d2${MESSAGE}`);
});
