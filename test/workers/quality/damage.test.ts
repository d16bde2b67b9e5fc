/** Unclear modules, wrong codewords and the resulting grades, compared with naive implementations. */
import fc from 'fast-check';
import t from 'tap';
import type { ErrorCorrectionLevel } from '../../../workers/protocol.ts';
import {
  blockMapOf,
  damageOf,
  fixedPatternsOf,
  isWrongIn,
  lossesOf,
  NO_CODEWORD,
  PATTERN,
} from '../../../workers/quality/damage.ts';
import type { Occlusion } from '../../../workers/quality/occlusion.ts';
import {
  CLEAR,
  clearnessIn,
  clearnessOf,
  lookerOf,
  type Suspects,
  suspectsOf,
} from '../../../workers/quality/suspects.ts';
import type { QrSymbol } from '../../../workers/symbol/symbol.ts';
import { alignmentCentres } from '../../../workers/symbol/template.ts';
import { holds } from '../../support/pictures/designs.ts';

const LEVELS = ['L', 'M', 'Q', 'H'] as const;

/** A word of suspects: see `Suspects`. */
const word = (index: number, ifDark: number, ifLight: number): number =>
  index | (ifDark << 16) | (ifLight << 20);

t.test('a block corrects the codewords of the standard, less those for misdecode protection', async (t) => {
  // ISO/IEC 18004:2015, Table 9: c, k and r of the versions with a p, and of some without.
  for (const [version, repairable] of [
    [1, [2, 4, 6, 8]],
    [2, [4, 8, 11, 14]],
    [3, [7, 13, 9, 11]],
    [4, [10, 9, 13, 8]],
    [5, [13, 12, 9, 11]],
    [40, [15, 14, 15, 15]],
  ] as const) {
    t.strictSame(
      LEVELS.map((level) => blockMapOf(version, level).repairable),
      repairable,
      `version ${version}`,
    );
  }
});

t.test('data shared by all symbols of a version is computed once', async (t) => {
  t.equal(blockMapOf(9, 'M'), blockMapOf(9, 'M'));
  t.equal(blockMapOf(9, 'M').codewordOf, blockMapOf(9, 'H').codewordOf);
  t.equal(fixedPatternsOf(9), fixedPatternsOf(9));
});

t.test('the largest symbol can lose all of its codewords', async (t) => {
  const all = Uint32Array.from({ length: 177 * 177 }, (_, i) => word(i, 0, 0));
  const { ends, modules, timing, alignment } = lossesOf(40, 177, {
    ofField: all,
    ofLogo: new Uint32Array(0),
  });
  t.strictSame([ends.length, ends.at(-1), modules.length], [3706, 8 * 3706, 8 * 3706]);
  t.strictSame([timing, alignment], [1, 1]);
});

t.test('timing and alignment patterns are the modules that the standard names', async (t) => {
  for (const version of [1, 2, 6, 7, 14, 40]) {
    const size = 17 + 4 * version;
    const expected = new Uint8Array(size * size);
    for (const [row, column] of alignmentCentres(version, size)) {
      for (let y = row - 2; y <= row + 2; y += 1) {
        for (let x = column - 2; x <= column + 2; x += 1) expected[y * size + x] = PATTERN.alignment;
      }
    }
    // The format information belongs to the corners, and with it the first module of each timing pattern.
    for (let i = 9; i < size - 8; i += 1) {
      expected[6 * size + i] = PATTERN.timing;
      expected[i * size + 6] = PATTERN.timing;
    }
    const { kinds, alignmentModules } = fixedPatternsOf(version);
    t.ok(Buffer.from(kinds).equals(expected), `version ${version}`);
    t.equal(alignmentModules, expected.filter((kind) => kind === PATTERN.alignment).length);
  }
});

t.test('modulation has six steps, including modules on the wrong side of the threshold', async (t) => {
  const steps = [-1, 0, 0.001, 0.199, 0.2, 0.299, 0.3, 0.399, 0.4, 0.499, 0.5, 9].map(clearnessOf);
  t.strictSame(steps, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, CLEAR, CLEAR]);
});

const VERSION = 2;
const SIZE = 25;

const light = fc.integer({ min: 0, max: 20 }).map((step) => step / 20);
const lights = (count: number) => fc.array(light, { minLength: count, maxLength: count });
const samplesOf = (side: number, dark: readonly number[], ground: readonly number[]) => ({
  ...{ side, dark: Float64Array.from(dark), light: Float64Array.from(ground) },
});
const area = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });
const boxes = fc
  .tuple(...[0, 0, 0, 0].map(() => fc.integer({ min: 0, max: 12 })))
  .map(([a, b, c, d]) => area(Math.min(a!, b!), Math.min(c!, d!), Math.max(a!, b!), Math.max(c!, d!)));
const COUNT = 12;

t.test('a module is unclear because of its paint or logo, according to the formula', async (t) => {
  holds(
    t,
    fc.property(
      fc.record({
        side: fc.constantFrom(1, 2, 3),
        dark: lights(9),
        ground: lights(9),
        contrast: fc.constantFrom(0, 0.3, 0.7, 1),
        isInverted: fc.boolean(),
        boxes: fc.option(fc.tuple(boxes, boxes), { nil: null }),
        over: fc.tuple(lights(144), lights(144)),
      }),
      ({ side, dark, ground, contrast, isInverted, boxes, over: [luma, alpha] }) => {
        const samples = samplesOf(side, dark.slice(0, side * side), ground.slice(0, side * side));
        const [shown, hidden] = boxes ?? [area(0, 0, 0, 0), area(0, 0, 0, 0)];
        const occlusion =
          boxes === null
            ? null
            : ({
                ...{ shown, hidden },
                area: area(
                  Math.min(shown.left, hidden.left),
                  Math.min(shown.top, hidden.top),
                  Math.max(shown.right, hidden.right),
                  Math.max(shown.bottom, hidden.bottom),
                ),
                over: { luma: Float64Array.from(luma), alpha: Float64Array.from(alpha) },
              } as unknown as Occlusion);
        const found = suspectsOf(samples, { contrast, ground: 1, isInverted }, COUNT, occlusion);
        const expected: { ofField: number[]; ofLogo: number[] } = { ofField: [], ofLogo: [] };
        for (let row = 0; row < COUNT; row += 1)
          for (let column = 0; column < COUNT; column += 1) {
            const cell = Math.floor((row * side) / COUNT) * side + Math.floor((column * side) / COUNT);
            const [ofDark, ofGround] = [samples.dark[cell]!, samples.light[cell]!];
            const threshold = (ofDark + ofGround) / 2;
            const isIn = ({ left, top, right, bottom }: typeof shown): boolean =>
              row >= top && row < bottom && column >= left && column < right;
            const isShown = isIn(shown);
            const isHidden = isIn(hidden);
            const at = (row - shown.top) * (shown.right - shown.left) + column - shown.left;
            const seen = (under: number) => (isShown ? luma[at]! + (1 - alpha[at]!) * under : under);
            if (contrast === 0) continue;
            const scale = ((isInverted ? -1 : 1) * 2) / contrast;
            const ifDark = clearnessOf((threshold - seen(isHidden ? ofGround : ofDark)) * scale);
            const ifLight = clearnessOf((seen(ofGround) - threshold) * scale);
            if (ifDark === CLEAR && ifLight === CLEAR) continue;
            (isShown || isHidden ? expected.ofLogo : expected.ofField).push(
              word(row * COUNT + column, ifDark, ifLight),
            );
          }
        t.strictSame([[...found.ofField], [...found.ofLogo]], [expected.ofField, expected.ofLogo]);
      },
    ),
    150,
  );
});

t.test('a reader sees the logo, the modules beside it, and ground for hidden modules', async (t) => {
  const places = [0.2, 3.4, 4.1, 5.9, 7.6, 9.3];
  holds(
    t,
    fc.property(
      fc.record({
        side: fc.constantFrom(1, 2, 3),
        dark: lights(9),
        ground: lights(9),
        isInverted: fc.boolean(),
        hidden: boxes,
        luma: fc.array(fc.nat(255), { minLength: 12, maxLength: 12 }),
        alpha: fc.array(fc.nat(255), { minLength: 12, maxLength: 12 }),
      }),
      ({ side, dark, ground, isInverted, hidden, luma, alpha }) => {
        const samples = samplesOf(side, dark.slice(0, side * side), ground.slice(0, side * side));
        // One pixel per module for four columns and three rows, starting at column 3 and row 4.
        const pixelAt = (first: number, count: number) => (at: number) =>
          at >= first && at < first + count ? Math.floor(at) - first : -1;
        const [columnAt, rowAt] = [pixelAt(3, 4), pixelAt(4, 3)];
        const logo = { luma: Uint8Array.from(luma), alpha: Uint8Array.from(alpha), columns: 4, rows: 3 };
        const occlusion = { hidden, columnAt, rowAt, light: logo } as unknown as Occlusion;
        const look = lookerOf(samples, { contrast: 1, ground: 1, isInverted }, COUNT, occlusion);
        const expected = places.flatMap((y) =>
          places.map((x) => {
            const [row, column] = [Math.floor(y), Math.floor(x)];
            const cell = Math.floor((row * side) / COUNT) * side + Math.floor((column * side) / COUNT);
            const [atRow, atColumn] = [rowAt(y), columnAt(x)];
            const at = atRow < 0 || atColumn < 0 ? null : atRow * 4 + atColumn;
            const seen = (under: number): number =>
              at === null ? under : luma[at]! / 255 + (1 - alpha[at]! / 255) * under;
            const threshold = (samples.dark[cell]! + samples.light[cell]!) / 2;
            const isDark = (under: number): boolean => seen(under) < threshold !== isInverted;
            const asLight = isDark(samples.light[cell]!);
            const isHidden =
              row >= hidden.top && row < hidden.bottom && column >= hidden.left && column < hidden.right;
            if (isHidden || isDark(samples.dark[cell]!) === asLight) return asLight ? 1 : 0;
            return 2;
          }),
        );
        t.strictSame([...look(places, places)], expected);
      },
    ),
    150,
  );
});

t.test('light of a logo is a share of 255', async (t) => {
  const light = { luma: Uint8Array.of(134), alpha: Uint8Array.of(255), columns: 1, rows: 1 };
  const occlusion = {
    hidden: area(0, 0, 0, 0),
    columnAt: () => 0,
    rowAt: () => 0,
    light,
  } as unknown as Occlusion;
  // The threshold is 0.525, and 134 of 255 are 0.5255.
  const look = lookerOf(
    samplesOf(1, [0.05], [1]),
    { contrast: 1, ground: 1, isInverted: false },
    COUNT,
    occlusion,
  );
  t.strictSame([...look([0.5], [0.5])], [0]);
});

/** Suspects of a symbol of version 2. No module is in both lists, and each list is in module order. */
const suspects: fc.Arbitrary<Suspects> = fc
  .array(fc.tuple(fc.nat(SIZE * SIZE - 1), fc.nat(5), fc.nat(5), fc.boolean()), {
    maxLength: 500,
    size: 'max',
  })
  .map((all) => {
    const byIndex = new Map(all.map(([index, ...rest]) => [index, rest]));
    const words = (wanted: boolean) =>
      Uint32Array.from(
        [...byIndex]
          .filter(([, [, , isOfLogo]]) => isOfLogo === wanted)
          .sort(([a], [b]) => a - b)
          .map(([index, [ifDark, ifLight]]) => word(index, ifDark, ifLight)),
      );
    return { ofField: words(false), ofLogo: words(true) };
  });
const modules = fc
  .array(fc.nat(1), { minLength: SIZE * SIZE, maxLength: SIZE * SIZE })
  .map((all) => Uint8Array.from(all));

/** The thresholds of unused error correction for grades 1 to 4. */
const UNUSED = [0.25, 0.37, 0.5, 0.62];
const LEAST_SHARES = {
  timing: [0.07, 0.11, 0.14, 0.17],
  alignment: [0.1, 0.2, 0.3, 0.4],
} as const;

/** The damage of a symbol, module by module. */
const naiveDamage = (symbol: QrSymbol, { ofField, ofLogo }: Suspects) => {
  const { codewordOf, blockOf, blocks, repairable } = blockMapOf(symbol.version, symbol.level);
  const { kinds, dark, alignmentModules } = fixedPatternsOf(symbol.version);
  const clearness = (suspect: number): number =>
    clearnessIn(suspect, symbol.modules[suspect & 0xffff] as number);
  /** Returns the wrong codewords in the worst block when these modules are wrong. */
  const most = (wrong: readonly number[]): number => {
    const codewords = new Set(wrong.map((suspect) => codewordOf[suspect & 0xffff]!));
    codewords.delete(NO_CODEWORD);
    const counts = Array.from({ length: blocks }, () => 0);
    for (const codeword of codewords) counts[blockOf[codeword]!]! += 1;
    return Math.max(...counts);
  };
  const all = [...ofField, ...ofLogo];
  const modulation = [4, 3, 2, 1].find((grade) => {
    const unused = 1 - most([...ofField].filter((suspect) => clearness(suspect) <= grade)) / repairable;
    const best = UNUSED.filter((least) => unused >= least - 1e-12).length;
    return best >= grade;
  });
  const wrongOf = (kind: number): number =>
    all.filter((suspect) => {
      const index = suspect & 0xffff;
      const isOfKind = kinds[index] === kind && codewordOf[index] === NO_CODEWORD;
      return isOfKind && clearnessIn(suspect, dark[index]!) === 0;
    }).length;
  const gradeOf = (share: number, shares: readonly number[]): number =>
    shares.filter((most) => share <= most).length;
  return {
    modulation: modulation ?? 0,
    usedCorrection: most(all.filter((suspect) => clearness(suspect) === 0)) / repairable,
    fixedPatterns: Math.min(
      gradeOf(wrongOf(PATTERN.timing) / (2 * (symbol.size - 17)), LEAST_SHARES.timing),
      gradeOf(wrongOf(PATTERN.alignment) / alignmentModules, LEAST_SHARES.alignment),
    ),
  };
};

t.test('damage equals the result of counting every module and every codeword', async (t) => {
  const grades = new Set<number>();
  holds(
    t,
    fc.property(suspects, modules, fc.constantFrom<ErrorCorrectionLevel>(...LEVELS), (both, drawn, level) => {
      const symbol: QrSymbol = { version: VERSION, size: SIZE, level, mask: 0, modules: drawn };
      const losses = lossesOf(VERSION, SIZE, both);
      const damage = damageOf(symbol, { ofField: both.ofField, losses, anchors: [] });
      grades.add(damage.modulation);
      t.strictSame(damage, naiveDamage(symbol, both));
    }),
  );
  t.ok(grades.size >= 3, `grades ${[...grades]}`);
});

t.test('modulation is the best grade at which enough error correction remains', async (t) => {
  const { codewordOf, blockOf, repairable } = blockMapOf(VERSION, 'H');
  const first = (codeword: number): number => codewordOf.indexOf(codeword);
  const symbol: QrSymbol = {
    ...{ version: VERSION, size: SIZE, level: 'H', mask: 0 },
    modules: new Uint8Array(SIZE * SIZE),
  };
  t.equal(repairable, 14);
  t.equal(blockOf.length, 44);
  const losses = lossesOf(VERSION, SIZE, { ofField: new Uint32Array(0), ofLogo: new Uint32Array(0) });
  const gradeOf = (codewords: number, clearness: number): number => {
    const ofField = Uint32Array.from({ length: codewords }, (_, i) => word(first(i), CLEAR, clearness));
    return damageOf(symbol, { ofField, losses, anchors: [] }).modulation;
  };
  // Of 14: five may be unclear for 4, seven for 3, eight for 2 and ten for 1.
  const counts = [1, 5, 6, 7, 8, 9, 10, 11, 44];
  const table = [0, 1, 2, 3, 4].map((clearness) => counts.map((count) => gradeOf(count, clearness)));
  t.strictSame(table, [
    [4, 4, 3, 3, 2, 1, 1, 0, 0],
    [4, 4, 3, 3, 2, 1, 1, 0, 0],
    [4, 4, 3, 3, 2, 1, 1, 1, 1],
    [4, 4, 3, 3, 2, 2, 2, 2, 2],
    [4, 4, 3, 3, 3, 3, 3, 3, 3],
  ]);
});

const SYMBOL: QrSymbol = {
  ...{ version: VERSION, size: SIZE, level: 'M', mask: 0 },
  modules: new Uint8Array(SIZE * SIZE),
};

t.test('wrong modules in timing and alignment patterns lower the grade in standard steps', async (t) => {
  const gradeOf = (timing: number, alignment: number): number => {
    const losses = { ends: new Uint16Array(0), modules: new Uint32Array(0), timing, alignment };
    return damageOf(SYMBOL, { ofField: new Uint32Array(0), losses, anchors: [] }).fixedPatterns;
  };
  const shares = [0, 0.07, 0.08, 0.11, 0.12, 0.14, 0.15, 0.17, 0.18, 1];
  t.strictSame(
    shares.map((share) => gradeOf(share, 0)),
    [4, 4, 3, 3, 2, 2, 1, 1, 0, 0],
  );
  const more = [0, 0.1, 0.11, 0.2, 0.21, 0.3, 0.31, 0.4, 0.41, 1];
  t.strictSame(
    more.map((share) => gradeOf(0, share)),
    [4, 4, 3, 3, 2, 2, 1, 1, 0, 0],
  );
});

t.test('a lost pattern is only wrong for modules of the colours that it names', async (t) => {
  const { codewordOf } = blockMapOf(VERSION, 'M');
  const index = codewordOf.indexOf(3);
  const wrong = (ifDark: number, ifLight: number) => {
    const suspects = { ofField: new Uint32Array(0), ofLogo: Uint32Array.of(word(index, ifDark, ifLight)) };
    const { ends, modules } = lossesOf(VERSION, SIZE, suspects);
    return [
      [...ends],
      ...[0, 1].map((color) => isWrongIn(new Uint8Array(SIZE * SIZE).fill(color), modules[0] ?? 0)),
    ];
  };
  t.strictSame(wrong(0, 0), [[0, 0, 0, 1], true, true]);
  t.strictSame(wrong(0, 4), [[0, 0, 0, 1], false, true]);
  t.strictSame(wrong(1, 0), [[0, 0, 0, 1], true, false]);
  t.strictSame(wrong(1, 1), [[], false, false]);
});

t.test('a symbol that misleads a reader gets at most grade 3 for fixed patterns', async (t) => {
  const none = { ofField: new Uint32Array(0), ofLogo: new Uint32Array(0) };
  const losses = lossesOf(VERSION, SIZE, none);
  const anchor = { row: 18, column: 18, open: new Uint16Array(144), dark: new Uint16Array(144) };
  const gradeOf = (isLost: boolean) =>
    damageOf(SYMBOL, { ofField: none.ofField, losses, anchors: [{ ...anchor, isLost }] });
  t.strictSame(gradeOf(true), { modulation: 4, usedCorrection: 0, fixedPatterns: 3 });
  t.strictSame(damageOf(SYMBOL, { ofField: none.ofField, losses, anchors: [] }), {
    modulation: 4,
    usedCorrection: 0,
    fixedPatterns: 4,
  });
});

t.test('one kind of damage is enough to lower the grade, and none compensates for another', async (t) => {
  const none = { ofField: new Uint32Array(0), ofLogo: new Uint32Array(0) };
  const small: QrSymbol = {
    ...{ version: 1, size: 21, level: 'L', mask: 0 },
    modules: new Uint8Array(21 * 21),
  };
  const index = blockMapOf(1, 'L').codewordOf.indexOf(0);
  const ofField = Uint32Array.of(word(index, CLEAR, 1));
  const clear = lossesOf(1, 21, none);
  // One of two correctable codewords.
  t.equal(damageOf(small, { ofField, losses: clear, anchors: [] }).modulation, 3);
  const dark = Uint32Array.of(word(index, 1, CLEAR));
  t.equal(damageOf(small, { ofField: dark, losses: clear, anchors: [] }).modulation, 4, 'lost but light');
  const both = { ...clear, timing: 0.5, alignment: 0.5 };
  t.equal(damageOf(small, { ofField: none.ofField, losses: both, anchors: [] }).fixedPatterns, 0);
  const losses = lossesOf(1, 21, { ...none, ofLogo: Uint32Array.of(word(index, 0, 0)) });
  const anchor = { row: 8, column: 8, open: new Uint16Array(144), dark: new Uint16Array(144), isLost: true };
  t.equal(damageOf(small, { ofField: none.ofField, losses, anchors: [anchor] }).usedCorrection, 0.5);
});

t.test('a version without alignment patterns cannot lose any', async (t) => {
  const all = Uint32Array.from({ length: 21 * 21 }, (_, i) => word(i, 0, 0));
  const { alignment, timing } = lossesOf(1, 21, { ofField: all, ofLogo: new Uint32Array(0) });
  t.strictSame([alignment, timing], [0, 1]);
});
