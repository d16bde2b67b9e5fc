import fc from 'fast-check';
import jsqr from 'jsqr';
import { create, type QRCodeSegment } from 'qrcode';
import t from 'tap';
import { isFault } from '../../../workers/fault.ts';
import type { ErrorCorrectionLevel, SymbolMode, SymbolRequest } from '../../../workers/protocol.ts';
import { capacityOf } from '../../../workers/symbol/capacity.ts';
import { fitSymbol, type SymbolPlan } from '../../../workers/symbol/fit.ts';
import { checkSymbols } from '../../../workers/symbol/self-test.ts';
import { createSymbol, type QrSymbol } from '../../../workers/symbol/symbol.ts';
import { corpusCases, corpusOptions, designOf } from '../../support/pictures/corpus.ts';
import { naiveSymbol } from '../../support/pictures/naive-symbol.ts';

const LEVELS: readonly ErrorCorrectionLevel[] = ['L', 'M', 'Q', 'H'];
const MODES: readonly SymbolMode[] = ['Numeric', 'Alphanumeric', 'Byte', 'Kanji'];
const VERSIONS = Array.from({ length: 40 }, (_, index) => index + 1);
const ALPHABET: Readonly<Record<SymbolMode, string>> = {
  Numeric: '0123456789',
  Alphanumeric: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:',
  Byte: 'https://example.com/path?q=\0\n~{}',
  Kanji: '漢字テストひらがな、。茗荷',
};
const KINDS: readonly fc.Arbitrary<string>[] = [
  ...MODES.map((mode) => fc.constantFrom(...ALPHABET[mode])),
  fc.constantFrom('\0', '\x01', '\x1b', '\n', '\x7f'),
  fc.constantFrom('é', 'ß', 'ÿ', 'Ж', 'ع', '한', '界', '😀', '👩‍👩‍👧', '🇩🇪'),
].map((character) => fc.array(character, { minLength: 1, maxLength: 90 }).map((parts) => parts.join('')));

function request(part: Partial<SymbolRequest> = {}): SymbolRequest {
  return { typeNumber: 0, mode: null, levels: ['Q'], ...part };
}

function planOf(text: string, part?: Partial<SymbolRequest>): SymbolPlan {
  const plan = fitSymbol(text, request(part));
  if (isFault(plan)) throw new Error(`${plan.field}: ${plan.message}`);
  return plan;
}

function sameSymbol(a: QrSymbol, b: QrSymbol): boolean {
  return a.size === b.size && a.mask === b.mask && Buffer.compare(a.modules, b.modules) === 0;
}

function hexRows({ size, modules }: QrSymbol): string {
  const rows = Array.from({ length: size }, (_, row) => modules.subarray(row * size, (row + 1) * size));
  return rows.map((row) => BigInt(`0b${row.join('')}`).toString(16)).join('.');
}

/** What a reader reads from the symbol, two pixels a module in a quiet zone of four. */
function read({ size, modules }: QrSymbol): string | undefined {
  const sizePx = (size + 8) * 2;
  const rgba = new Uint8ClampedArray(sizePx * sizePx * 4).fill(255);
  for (let y = 0; y < size * 2; y += 1) {
    for (let x = 0; x < size * 2; x += 1) {
      if (!modules[(y >> 1) * size + (x >> 1)]) continue;
      const pixel = ((y + 8) * sizePx + x + 8) * 4;
      rgba.fill(0, pixel, pixel + 3);
    }
  }
  return jsqr.default(rgba, sizePx, sizePx, { inversionAttempts: 'dontInvert' })?.data;
}

t.test('capacities match qrcode, for every version, level and mode', async (t) => {
  const wrong: string[] = [];
  for (const version of VERSIONS) {
    for (const level of LEVELS) {
      for (const mode of MODES) {
        const capacity = capacityOf(version, level, mode);
        const accepts = (count: number) => {
          const text = ALPHABET[mode][0]!.repeat(count);
          const data = mode === 'Byte' ? Buffer.from(text) : text;
          const segment = { mode: mode.toLowerCase(), data } as QRCodeSegment;
          const options = { version, errorCorrectionLevel: level, maskPattern: 0 } as const;
          try {
            create([segment], { ...options, toSJISFunc: () => 0x8abf });
            return true;
          } catch {
            return false;
          }
        };
        if (!accepts(capacity) || accepts(capacity + 1)) wrong.push(`${version}-${level} ${mode}`);
      }
    }
  }
  t.same(wrong, []);
});

t.test('createSymbol makes the symbol of the naive recipe in every version, level and mode', async (t) => {
  const wrong: string[] = [];
  for (const version of VERSIONS) {
    for (const level of LEVELS) {
      for (const mode of MODES) {
        const [text] = fc.sample(
          fc.string({
            unit: fc.constantFrom(...ALPHABET[mode]),
            minLength: Math.floor(capacityOf(version, level, mode) / 2),
            maxLength: capacityOf(version, level, mode),
          }),
          { numRuns: 1, seed: version },
        );
        const plan = planOf(text || '1', { mode, levels: [level], typeNumber: version });
        const made = createSymbol(text || '1', plan);
        if (!sameSymbol(made, naiveSymbol(text || '1', plan))) wrong.push(`${version}-${level} ${mode}`);
      }
    }
  }
  t.same(wrong, []);
});

t.test('createSymbol makes the symbol of the naive recipe for any text', async (t) => {
  const masks = new Set<number>();
  const property = fc.property(
    fc.oneof(...KINDS),
    fc.constantFrom(...LEVELS),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 20 }) },
    ),
    (text, level, typeNumber) => {
      const plan = fitSymbol(text, request({ levels: [level], typeNumber }));
      if (isFault(plan)) return plan.field === 'qrOptions.typeNumber';
      const made = createSymbol(text, plan);
      masks.add(made.mask);
      return sameSymbol(made, naiveSymbol(text, plan));
    },
  );
  t.doesNotThrow(() => fc.assert(property, { numRuns: 2500 }));
  t.equal(masks.size, 8, 'every mask is the best one for some text');
});

t.test('createSymbol draws the modules of the browser library', async (t) => {
  const differing: string[] = [];
  for (const { name, matrix, mask } of corpusCases()) {
    const options = corpusOptions({ name });
    const symbol = createSymbol(options.data, planOf(options.data, designOf(options).symbol));
    if (hexRows(symbol) !== matrix || symbol.mask !== mask) differing.push(name);
  }
  t.ok(corpusCases().length >= 100);
  t.same(differing, ['c155-text-utf8', 'c157-text-utf8pre', 'c159-text-latin1'], 'but for text as UTF-8');
});

t.test(
  'the self-test of a render thread passes, and fails when one module of one symbol differs',
  async (t) => {
    t.doesNotThrow(() => checkSymbols());
    const texts: string[] = [];
    checkSymbols((text, plan) => {
      texts.push(text);
      return createSymbol(text, plan);
    });
    t.ok(texts.length >= 4);
    for (const broken of texts) {
      const check = () =>
        checkSymbols((text, plan) => {
          const symbol = createSymbol(text, plan);
          if (text === broken) symbol.modules[symbol.size + 9]! ^= 1;
          return symbol;
        });
      t.throws(check, {
        message: `the symbol of ${JSON.stringify(broken)} differs from that of qrcode: this build is broken`,
      });
    }
  },
);

t.test('a reader reads the text of the symbol', async (t) => {
  const texts: [string, SymbolMode | null][] = [
    ['https://example.com/?q=1', null],
    ['WIFI:S:a;T:WPA;P:"b";;', null],
    ['a\0b', null],
    ['ünïcödé – 漢字 – 😀', null],
    ['漢字テスト', 'Kanji'],
    ['HELLO WORLD', 'Alphanumeric'],
    ['0123456789'.repeat(429), null],
    ['7'.repeat(4296), null],
  ];
  for (const [text, mode] of texts) {
    const symbol = createSymbol(text, planOf(text, { mode, levels: ['Q', 'M', 'L'] }));
    t.equal(read(symbol), text, JSON.stringify(text.slice(0, 20)));
  }
});
