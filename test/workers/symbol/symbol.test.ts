import fc from 'fast-check';
import t from 'tap';
import {
  type ErrorCorrectionLevel,
  isFault,
  type SymbolMode,
  type SymbolRequest,
} from '../../../workers/protocol.ts';
import { capacityOf } from '../../../workers/symbol/capacity.ts';
import { fitSymbol, type SymbolPlan } from '../../../workers/symbol/fit.ts';
import { checkSymbols } from '../../../workers/symbol/self-test.ts';
import { createSymbol, type QrSymbol } from '../../../workers/symbol/symbol.ts';
import { someOf } from '../../support/cases.ts';
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

t.test('createSymbol equals the naive implementation in every version, level and mode', async (t) => {
  const wrong: string[] = [];
  for (const version of someOf(VERSIONS)) {
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

t.test('createSymbol equals the naive implementation for any text', async (t) => {
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

t.test('the self-test of a render thread passes, and fails if one module differs', async (t) => {
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
});
