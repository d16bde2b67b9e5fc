/** Symbols of element strings: FNC1 in first position, separators, and percent signs in Alphanumeric mode. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import t from 'tap';
import { prepareZXingModule, type ReadResult, readBarcodes } from 'zxing-wasm/reader';
import { isFault, type SymbolRequest } from '../../../workers/protocol.ts';
import { render } from '../../../workers/render.ts';
import { fitSymbol, type SymbolPlan } from '../../../workers/symbol/fit.ts';
import { messageOf } from '../../../workers/symbol/gs1.ts';
import { createSymbol } from '../../../workers/symbol/symbol.ts';
import { pairsOf } from '../../support/gs1.ts';
import { DEFAULT_DESIGN } from '../../support/pictures/designs.ts';
import { readSharp } from '../../support/pictures/readers.ts';
import { createRandom } from '../../support/random.ts';

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
const wasmBinary = new Uint8Array(await readFile(wasm)).buffer;
await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });

const planOf = (text: string, extras: Partial<SymbolRequest> = {}): SymbolPlan => {
  const request = { typeNumber: 0, mode: null, levels: ['L'], gs1: 'element-string', ...extras } as const;
  const plan = fitSymbol(text, request);
  if (isFault(plan)) throw new Error(`${plan.field}: ${plan.message}`);
  return plan;
};

/** Reads a symbol of four pixels a module in a quiet zone of four modules. */
const read = async (text: string, plan: SymbolPlan): Promise<ReadResult> => {
  const { size, modules } = createSymbol(text, plan);
  const side = (size + 8) * 4;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (let i = 0; i < side * side; i += 1) {
    const [row, column] = [Math.floor(i / side / 4) - 4, Math.floor((i % side) / 4) - 4];
    const isInside = row >= 0 && column >= 0 && row < size && column < size;
    if (isInside && modules[row * size + column]) data.fill(0, i * 4, i * 4 + 3);
  }
  const picture = { data, width: side, height: side, colorSpace: 'srgb' } as const;
  const [found] = await readBarcodes(picture, { formats: ['QRCode'], textMode: 'Plain', tryHarder: true });
  if (found === undefined) throw new Error(`no code found for ${JSON.stringify(text)}`);
  return found;
};

const modesOf = ({ segments }: SymbolPlan) => segments.map(({ mode }) => mode);

t.test('an element string is read as GS1 data in every mode', async (t) => {
  for (const [text, message, mode] of [
    ['(01)09521321000018', '0109521321000018', 'Numeric'],
    ['(01)09521321000018(10)AB(21)7', '010952132100001810AB\u001d217', 'Alphanumeric'],
    ['(01)09521321000018(10)A%B(21)%%', '010952132100001810A%B\u001d21%%', 'Alphanumeric'],
    ['(01)09521321000018(10)ab%(21)7', '010952132100001810ab%\u001d217', 'Byte'],
    ['(8002)1\\(2)', '80021(2)', 'Byte'],
    ['\u001d010952132100001810AB\u001d217', '010952132100001810AB\u001d217', 'Alphanumeric'],
    [']Q380021\u001d', '80021', 'Numeric'],
  ] as const) {
    const plan = planOf(text);
    t.strictSame(modesOf(plan), [mode], text);
    t.match(await read(text, plan), { text: message, symbologyIdentifier: ']Q3', contentType: 'GS1' }, text);
    const shortest = planOf(text, { segments: 'optimal' });
    t.match(await read(text, shortest), { text: message, symbologyIdentifier: ']Q3' }, `${text}, optimal`);
  }
});

t.test('both readers of verifications return the elements without brackets', async (t) => {
  for (const text of ['(01)09521321000018(10)A%B(21)7', '(01)09521321000018(10)ab%(21)7']) {
    const symbol = { ...DEFAULT_DESIGN.symbol, gs1: 'element-string' } as const;
    const drawn = render({ text, design: { ...DEFAULT_DESIGN, symbol }, logo: null, format: 'png' });
    if (!drawn.ok) throw new Error(drawn.fault.message);
    const [sight] = await readSharp([drawn.value.bytes]);
    t.match(sight, { zxing: messageOf(text), zbar: messageOf(text) }, text);
  }
});

t.test('other texts have no FNC1 in first position', async (t) => {
  const text = 'https://id.gs1.org/01/09521321000018';
  for (const gs1 of ['digital-link', undefined] as const) {
    const { gs1: _, ...plain } = { gs1, typeNumber: 0, mode: null, levels: ['L'] as const };
    const plan = fitSymbol(text, gs1 === undefined ? plain : { ...plain, gs1 });
    if (isFault(plan)) throw new Error(plan.message);
    t.match(await read(text, plan), { text, symbologyIdentifier: ']Q1' });
  }
});

t.test('optimal segments need no larger version, and are read as the same data', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 }), async (seed) => {
      const pairs = pairsOf(createRandom(seed));
      const text = pairs.map(({ ai, value }) => `(${ai})${value.replaceAll('(', '\\(')}`).join('');
      const [single, optimal] = [planOf(text), planOf(text, { segments: 'optimal' })];
      t.ok(optimal.version <= single.version, text);
      for (const plan of [single, optimal]) {
        t.match(await read(text, plan), { text: messageOf(text), symbologyIdentifier: ']Q3' }, text);
      }
    }),
    { numRuns: 300 },
  );
});

t.test('the smallest symbol holds 40 digits after FNC1, and not one more', async (t) => {
  // Version 1 at level L: 152 bits, less 4 for FNC1 and 14 for the header, hold 40 digits.
  t.equal(planOf(`91${'1'.repeat(38)}`).version, 1);
  t.equal(planOf(`91${'1'.repeat(39)}`).version, 2);
  const plan = planOf(`91${'1'.repeat(38)}`);
  t.match(await read(`91${'1'.repeat(38)}`, plan), { symbologyIdentifier: ']Q3' });
});

t.test('percent signs, which Alphanumeric mode doubles, are counted in the size of a symbol', async (t) => {
  for (let count = 1; count <= 45; count += 1) {
    const text = `91${'A%'.repeat(count)}`;
    for (const extras of [{}, { segments: 'optimal' }] as const) {
      t.match(await read(text, planOf(text, extras)), { text, symbologyIdentifier: ']Q3' }, text);
    }
  }
});
