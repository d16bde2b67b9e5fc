/** Further `qrOptions`: optimal segments, the UTF-8 designator, and boosting the error correction level. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import jsqr from 'jsqr';
import t from 'tap';
import { openZBar } from '../../../src/reading/decoders.ts';
import {
  type ErrorCorrectionLevel,
  type Fault,
  isFault,
  type SymbolMode,
  type SymbolRequest,
} from '../../../workers/protocol.ts';
import { isAlphanumeric, isDigit } from '../../../workers/symbol/bit-stream.ts';
import { dataBitsOf, dataCodewordsOf, headerBitsOf } from '../../../workers/symbol/capacity.ts';
import { fitSymbol, type SymbolPlan } from '../../../workers/symbol/fit.ts';
import { isReadableKanji, shiftJisOf } from '../../../workers/symbol/kanji.ts';
import { createSymbol, type QrSymbol } from '../../../workers/symbol/symbol.ts';
import { PAYLOADS } from '../../support/encoders/payloads.ts';
import { readSymbol } from '../../support/encoders/read-symbol.ts';
import { readPixels } from '../../support/pictures/decode.ts';
import { naiveSymbol } from '../../support/pictures/naive-symbol.ts';

const LEVELS: readonly ErrorCorrectionLevel[] = ['L', 'M', 'Q', 'H'];

type Extras = Partial<SymbolRequest>;

const fit = (text: string, extras: Extras = {}): SymbolPlan | Fault =>
  fitSymbol(text, { typeNumber: 0, mode: null, levels: ['L'], ...extras });

function planOf(text: string, extras?: Extras): SymbolPlan {
  const plan = fit(text, extras);
  if (isFault(plan)) throw new Error(`${plan.field}: ${plan.message}`);
  return plan;
}

/** Draws three pixels per module with a quiet zone of four modules. */
function draw({ size, modules }: QrSymbol) {
  const sizePx = (size + 8) * 3;
  const data = new Uint8ClampedArray(sizePx * sizePx * 4).fill(255);
  for (let y = 0; y < size * 3; y += 1) {
    for (let x = 0; x < size * 3; x += 1) {
      if (modules[Math.floor(y / 3) * size + Math.floor(x / 3)])
        data.fill(0, ((y + 12) * sizePx + x + 12) * 4, ((y + 12) * sizePx + x + 12) * 4 + 3);
    }
  }
  return { data, width: sizePx, height: sizePx, colorSpace: 'srgb' } as const;
}

/** Returns what two independent readers read. */
async function readings(symbol: QrSymbol) {
  const picture = draw(symbol);
  const { data, width, height } = picture;
  const byJsqr = jsqr.default(data, width, height, { inversionAttempts: 'dontInvert' })?.data;
  return [await readPixels(picture), byJsqr];
}

const zbar = openZBar(createRequire(import.meta.url).resolve('@undecaf/zbar-wasm/dist/zbar.wasm'));

async function readingOfZBar(symbol: QrSymbol) {
  const { data, width, height } = draw(symbol);
  const luma = Uint8Array.from({ length: width * height }, (_, i) => data[4 * i]!);
  return (await zbar)({ widthPx: width, heightPx: height, data: luma });
}

const bitsOf = (text: string, plan: SymbolPlan): number => {
  const { modules, size } = createSymbol(text, plan);
  return readSymbol(modules, size).bits;
};

/** Texts with runs of similar characters, as in real content. */
const texts = fc
  .array(
    fc.tuple(
      fc.constantFrom('0123456789', 'ABCXYZ $%*+-./:', 'abcxyz?&=~', '漢字テスト日本', 'éßЖع한😀', '～－'),
      fc.integer({ min: 1, max: 14 }),
      fc.nat(),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((runs) =>
    runs
      .map(([characters, length, seed]) => {
        const all = [...characters];
        return Array.from({ length }, (_, i) => all[(seed + i * (1 + (seed % 7))) % all.length]).join('');
      })
      .join(''),
  );

const canWrite: Readonly<Record<SymbolMode, (unit: number) => boolean>> = {
  Numeric: isDigit,
  Alphanumeric: isAlphanumeric,
  Byte: () => true,
  Kanji: isReadableKanji,
};

t.test('optimal segments take no more bits than zint or libqrencode, for 30 kinds of content', async (t) => {
  const figures = JSON.parse(
    readFileSync(new URL('../../support/encoders/figures.json', import.meta.url), 'utf8'),
  ) as { kind: string; zint: Figure; qrencode: Figure }[];
  interface Figure {
    readonly version: number;
    readonly bits: number;
    readonly eci: boolean;
  }
  t.equal(PAYLOADS.length, 30);
  t.same(
    figures.map(({ kind }) => kind),
    PAYLOADS.map(({ kind }) => kind),
    'the figures were measured for these payloads',
  );
  for (const [i, { kind, text }] of PAYLOADS.entries()) {
    for (const encoder of ['zint', 'qrencode'] as const) {
      const theirs = figures[i]![encoder];
      const plan = planOf(text, { segments: 'optimal', ...(theirs.eci ? { eci: true } : {}) });
      const bits = bitsOf(text, plan);
      t.ok(bits <= theirs.bits, `${kind}: ${bits} bits, ${encoder} ${theirs.bits}`);
      t.ok(plan.version <= theirs.version, `${kind}: version ${plan.version}, ${encoder} ${theirs.version}`);
    }
  }
});

t.test('two readers read every kind of content with each of these options', async (t) => {
  const extras: readonly Extras[] = [
    { segments: 'optimal' },
    { segments: 'optimal', eci: true, boost: true },
    { eci: true },
    { boost: true },
  ];
  for (const { kind, text } of [...PAYLOADS, { kind: 'emoji', text: '😀 12345678 漢字 é' }]) {
    for (const extra of extras) {
      const symbol = createSymbol(text, planOf(text, extra));
      t.same(await readings(symbol), [text, text], `${kind}, ${JSON.stringify(extra)}`);
    }
  }
});

t.test('a reader reads any text in optimal segments', async (t) => {
  const property = fc.asyncProperty(texts, fc.boolean(), fc.boolean(), async (text, eci, boost) => {
    const extras = { ...(eci ? { eci } : {}), ...(boost ? { boost } : {}) };
    const symbol = createSymbol(text, planOf(text, { segments: 'optimal', ...extras }));
    const [byZxing, byJsqr] = await readings(symbol);
    return byZxing === text && byJsqr === text;
  });
  await t.resolves(fc.assert(property, { numRuns: 100 }));
});

t.test('three readers give back every character that may use Kanji mode, and no other one', async (t) => {
  const all = Array.from({ length: 0x10000 }, (_, unit) => unit).filter((unit) => shiftJisOf(unit) !== 0);
  t.equal(all.length, 6848);
  const characters = all.filter(isReadableKanji);
  const misread = all.filter((unit) => !isReadableKanji(unit));
  t.equal(String.fromCharCode(...misread), '∥〝〟－＼～￠￡￢');
  for (let start = 0; start < characters.length; start += 400) {
    const text = String.fromCharCode(...characters.slice(start, start + 400));
    const plan = planOf(text, { segments: 'optimal' });
    t.strictSame(plan.segments, [{ mode: 'Kanji', start: 0, end: text.length }]);
    t.strictSame(planOf(text, { mode: 'Kanji' }).segments, plan.segments);
    const symbol = createSymbol(text, plan);
    t.same([...(await readings(symbol)), await readingOfZBar(symbol)], [text, text, text]);
  }
  for (const unit of misread) {
    const text = String.fromCharCode(unit);
    // A plan for another character of the same length.
    const symbol = createSymbol(text, planOf('漢', { mode: 'Kanji' }));
    for (const reading of [...(await readings(symbol)), await readingOfZBar(symbol)]) t.not(reading, text);
  }
});

t.test('optimal segments contain the whole text in suitable modes, and match the symbol', async (t) => {
  const property = fc.property(texts, fc.constantFrom(...LEVELS), fc.boolean(), (text, level, eci) => {
    const plan = planOf(text, { segments: 'optimal', levels: [level], ...(eci ? { eci } : {}) });
    const { modules, size } = createSymbol(text, plan);
    const content = readSymbol(modules, size);
    const counts = plan.segments.map(({ mode, start, end }) => {
      const part = text.slice(start, end);
      return { mode, count: mode === 'Byte' ? Buffer.byteLength(part) : part.length };
    });
    return (
      plan.segments.map(({ start, end }) => text.slice(start, end)).join('') === text &&
      plan.segments.every(({ mode, start, end }) =>
        [...text.slice(start, end)].every((character) => canWrite[mode](character.charCodeAt(0))),
      ) &&
      JSON.stringify(content.segments) === JSON.stringify(counts) &&
      content.eci === (plan.eci ? 26 : null) &&
      content.level === level
    );
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 400 }));
});

t.test('optimal segments never take more bits than any other sequence', async (t) => {
  const property = fc.property(texts, fc.array(fc.nat(), { maxLength: 60 }), (text, choices) => {
    const plan = planOf(text, { segments: 'optimal' });
    return bitsOf(text, plan) <= bitsOfChoices(text, plan.version, choices);
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 1500 }));
  // Short texts, every sequence.
  for (const text of ['A1', '123456a', 'AB12cd', '漢字12', '1é2', '漢～A', 'a1234B']) {
    const units = Array.from(text);
    let least = Number.POSITIVE_INFINITY;
    for (let way = 0; way < 4 ** units.length; way += 1) {
      const choices = units.map((_, i) => Math.floor(way / 4 ** i) % 4);
      least = Math.min(least, bitsOfChoices(text, 1, choices));
    }
    t.equal(bitsOf(text, planOf(text, { segments: 'optimal' })), least, text);
  }
});

/** Returns the bits of a sequence that uses one of the suitable modes for each character. */
function bitsOfChoices(text: string, version: number, choices: readonly number[]): number {
  const segments: { mode: SymbolMode; count: number }[] = [];
  for (const [i, character] of [...text].entries()) {
    const modes = (['Numeric', 'Alphanumeric', 'Byte', 'Kanji'] as const).filter((mode) =>
      canWrite[mode](character.charCodeAt(0)),
    );
    const mode = modes[(choices[i % Math.max(1, choices.length)] ?? 0) % modes.length]!;
    const count = mode === 'Byte' ? Buffer.byteLength(character) : character.length;
    const last = segments.at(-1);
    if (last?.mode === mode) last.count += count;
    else segments.push({ mode, count });
  }
  return segments.reduce(
    (sum, { mode, count }) => sum + headerBitsOf(version, mode) + dataBitsOf(count, mode),
    0,
  );
}

t.test('segments without a designator equal those of the library', async (t) => {
  const property = fc.property(texts, fc.constantFrom(...LEVELS), (text, level) => {
    const plan = planOf(text, { segments: 'optimal', levels: [level] });
    const [made, expected] = [createSymbol(text, plan), naiveSymbol(text, plan)];
    return made.mask === expected.mask && Buffer.from(made.modules).equals(expected.modules);
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 100 }));
});

t.test('the designator precedes non-ASCII UTF-8, and nothing else', async (t) => {
  const designator = (text: string, extras: Extras) => {
    const { modules, size } = createSymbol(text, planOf(text, extras));
    return readSymbol(modules, size).eci;
  };
  for (const segments of [{}, { segments: 'optimal' }] as const) {
    t.equal(designator('plain ASCII', { ...segments, eci: true }), null);
    t.equal(designator('Grüße', { ...segments, eci: true }), 26);
    t.equal(designator('Grüße', segments), null);
  }
  t.equal(designator('漢字テスト', { mode: 'Kanji', eci: true }), null);
  t.equal(designator('漢字テスト', { segments: 'optimal', eci: true }), null, 'Kanji needs none');
  t.equal(designator('漢字é', { segments: 'optimal', eci: true }), 26);
  t.equal(
    planOf('漢字é', { segments: 'optimal', eci: true }).segments.some(({ mode }) => mode === 'Kanji'),
    false,
    'Kanji after it would be misread',
  );
});

t.test('the designator takes space: a text that fills a symbol needs a larger one with it', async (t) => {
  const text = `é${'a'.repeat(15)}`;
  t.equal(planOf(text).version, 1);
  t.equal(planOf(text, { eci: true }).version, 2);
  t.match(fit(`é${'a'.repeat(2951)}`, { eci: true }), {
    field: 'data',
    message: /at most 2952 bytes in Byte mode at level L, the text has 2953$/,
  });
});

t.test('boost raises the level as far as the version allows, and never changes the version', async (t) => {
  const property = fc.property(
    texts,
    fc.constantFrom<readonly ErrorCorrectionLevel[]>(['L'], ['M'], ['Q'], ['H'], ['Q', 'M', 'L']),
    fc.constantFrom<Extras>({}, { segments: 'optimal' }, { typeNumber: 20 }),
    (text, levels, extras) => {
      const [plain, boosted] = [
        planOf(text, { ...extras, levels }),
        planOf(text, { ...extras, levels, boost: true }),
      ];
      const bits = bitsOf(text, boosted);
      const holding = LEVELS.filter((level) => bits <= 8 * dataCodewordsOf(boosted.version, level));
      return (
        boosted.version === plain.version &&
        LEVELS.indexOf(boosted.level) >= LEVELS.indexOf(plain.level) &&
        boosted.level === holding.at(-1) &&
        createSymbol(text, boosted).level === boosted.level
      );
    },
  );
  t.doesNotThrow(() => fc.assert(property, { numRuns: 400 }));
  t.equal(planOf('1', { boost: true }).level, 'H');
  t.equal(planOf('x'.repeat(17), { boost: true }).level, 'L', 'version 1 is full');
});

t.test('faults name the field', async (t) => {
  t.match(fit('ABC', { segments: 'optimal', mode: 'Byte' }), {
    field: 'qrOptions.mode',
    message: /must be absent/,
  });
  t.match(fit('a'.repeat(3000), { segments: 'optimal' }), {
    field: 'data',
    message: 'too long: a QR code holds at most 23648 bits at level L, the text takes 24020',
  });
  t.match(fit('a'.repeat(2000), { segments: 'optimal', levels: ['H'] }), {
    field: 'data',
    message: /at most 10208 bits at level H, the text takes 16020; it would fit at level M$/,
  });
  t.match(fit('1'.repeat(7090), { segments: 'optimal' }), {
    field: 'data',
    message: /7089 digits.*7090 characters/,
  });
  t.match(fit('A1b2'.repeat(30), { segments: 'optimal', typeNumber: 3 }), { field: 'qrOptions.typeNumber' });
  t.equal(planOf('1'.repeat(7089), { segments: 'optimal' }).version, 40, 'the longest text');
});
