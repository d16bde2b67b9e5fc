import { getOrMake } from '../kept.ts';
import type { ErrorCorrectionLevel, Grade } from '../protocol.ts';
import { blockPlanOf, LEVELS } from '../symbol/capacity.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { functionPatterns, templateOf } from '../symbol/template.ts';
import { type Anchor, isMisled } from './anchors.ts';
import { gradeAtMost, lowestGradeOf, type Thresholds } from './grades.ts';
import { CLEAR, clearnessIn, type Suspects } from './suspects.ts';

/** Which codeword each module of a symbol carries, and which block each codeword belongs to. Read-only. */
interface BlockMap {
  /** Row-major; `NO_CODEWORD` for modules of function patterns and remainder bits. */
  readonly codewordOf: Uint16Array;
  /** Block of each codeword, in the order in which the codewords are placed. */
  readonly blockOf: Uint8Array;
  readonly blocks: number;
  /** Wrong codewords that can be repaired in a block: half of its error correction codewords less `p`. */
  readonly repairable: number;
}

/** The codeword of a module that carries none. */
export const NO_CODEWORD = 0xffff;

/** `p`, the misdecode protection codewords, by version (0 from 4 on) and level: ISO/IEC 18004:2015, Table 9. */
const MISDECODE_PROTECTION: readonly (readonly number[])[] = [
  [3, 2, 1, 1],
  [2, 0, 0, 0],
  [1, 0, 0, 0],
];

const kept = new Map<string, BlockMap>();

/** Returns the map of a version and level. Made once and kept: 2.5 MB for all 160. */
export const blockMapOf = (version: number, level: ErrorCorrectionLevel): BlockMap =>
  getOrMake(kept, `${version}${level}`, () => makeBlockMap(version, level));

const makeBlockMap = (version: number, level: ErrorCorrectionLevel): BlockMap => {
  const codewordOf = codewordsOfModules(version);
  const codewords = templateOf(version).places.length / 8;
  const plan = blockPlanOf(version, level, codewords);
  const { blocks, dataCodewords, shortLength, shortBlocks, parityLength } = plan;
  const everyBlock = shortLength * blocks;
  // Interleaved, ISO/IEC 18004:2015, 7.6: a codeword of each block in turn, then those that only longer blocks have.
  const blockOf = Uint8Array.from({ length: codewords }, (_, i) => {
    if (i < everyBlock) return i % blocks;
    return i < dataCodewords ? shortBlocks + i - everyBlock : (i - dataCodewords) % blocks;
  });
  const protection = MISDECODE_PROTECTION[version - 1]?.[LEVELS.indexOf(level)] ?? 0;
  return { codewordOf, blockOf, blocks, repairable: Math.floor((parityLength - protection) / 2) };
};

const keptCodewords = new Map<number, Uint16Array>();

/** Returns the codeword of each module, row-major, or `NO_CODEWORD`. Levels of a version share it. */
const codewordsOfModules = (version: number): Uint16Array =>
  getOrMake(keptCodewords, version, () => {
    const { size, places, patterns } = templateOf(version);
    const codewordOf = new Uint16Array(size * size).fill(NO_CODEWORD);
    const rowBits = patterns.words * 32;
    for (const [i, place] of places.entries())
      codewordOf[Math.floor(place / rowBits) * size + (place % rowBits)] = i >>> 3;
    return codewordOf;
  });

/** The fixed patterns that readers look for besides the finder patterns. */
export const PATTERN = { none: 0, timing: 1, alignment: 2 } as const;

/** The timing and alignment patterns of a version. Read-only. */
interface FixedPatterns {
  /** One of `PATTERN` for each module, row-major. */
  readonly kinds: Uint8Array;
  /** 1 for the dark modules of function patterns. */
  readonly dark: Uint8Array;
  readonly alignmentModules: number;
}

const keptPatterns = new Map<number, FixedPatterns>();

/** Returns the fixed patterns of a version. Made once and kept: 1.3 MB for all forty. */
export const fixedPatternsOf = (version: number): FixedPatterns =>
  getOrMake(keptPatterns, version, () => makeFixedPatterns(version));

const makeFixedPatterns = (version: number): FixedPatterns => {
  const { size } = templateOf(version);
  const codewordOf = codewordsOfModules(version);
  const { dark, reserved } = functionPatterns(version, size);
  const kinds = reserved.map((isReserved, i) => {
    const [row, column] = [Math.floor(i / size), i % size];
    const isCorner = (row < 9 || row >= size - 8) && column < 9 ? true : row < 9 && column >= size - 8;
    if (!isReserved || isCorner || codewordOf[i] !== NO_CODEWORD) return PATTERN.none;
    if (row === 6 || column === 6) return PATTERN.timing;
    const isVersion = version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11));
    return isVersion ? PATTERN.none : PATTERN.alignment;
  });
  const alignmentModules = kinds.filter((kind) => kind === PATTERN.alignment).length;
  return { kinds, dark, alignmentModules };
};

/** What paints and logo of a style make wrong, ordered so that few reads of a symbol count its wrong codewords. */
interface Losses {
  /** Where the modules of each codeword end in `modules`, up to the last codeword that may be wrong. */
  readonly ends: Uint16Array;
  /** The modules that are wrong in one colour or in both: the row-major index, and the colours, see `isWrongIn`. */
  readonly modules: Uint32Array;
  /** Wrong modules of timing and of alignment patterns, as shares. Their colours are the same in all symbols. */
  readonly timing: number;
  readonly alignment: number;
}

const INDEX = 0xffff;
/** The bit of a module that is wrong when it is light. When it is dark, the bit below. */
const LIGHT_BIT = 17;
/** ISO/IEC 18004:2015, Table 1: those of version 40. */
const MAX_CODEWORDS = 3706;

/** Whether a module of `Losses` is wrong. @param modules The symbol's modules. */
export const isWrongIn = (modules: Uint8Array, loss: number): boolean =>
  ((loss >>> (LIGHT_BIT - modules[loss & INDEX]!)) & 1) === 1;

/** Returns the losses of a style. */
export const lossesOf = (version: number, size: number, { ofField, ofLogo }: Suspects): Losses => {
  const codewordOf = codewordsOfModules(version);
  const { kinds, dark, alignmentModules } = fixedPatternsOf(version);
  const wrong: [none: number, timing: number, alignment: number] = [0, 0, 0];
  const counts = new Uint16Array(MAX_CODEWORDS + 1);
  const found = new Uint32Array(ofField.length + ofLogo.length);
  let [length, codewords] = [0, 0];
  for (const suspects of [ofField, ofLogo]) {
    for (let i = 0; i < suspects.length; i += 1) {
      const suspect = suspects[i]!;
      const index = suspect & INDEX;
      const ifDark = clearnessIn(suspect, 1) === 0;
      const ifLight = clearnessIn(suspect, 0) === 0;
      const codeword = codewordOf[index]!;
      if (codeword === NO_CODEWORD) {
        if (dark[index] ? ifDark : ifLight) wrong[kinds[index] as 0 | 1 | 2] += 1;
      } else if (ifDark || ifLight) {
        counts[codeword]! += 1;
        codewords = Math.max(codewords, codeword + 1);
        found[length] = index | (Number(ifDark) << (LIGHT_BIT - 1)) | (Number(ifLight) << LIGHT_BIT);
        length += 1;
      }
    }
  }

  const ends = new Uint16Array(codewords);
  let end = 0;
  for (let i = 0; i < codewords; i += 1) {
    ends[i] = end;
    end += counts[i]!;
  }
  const modules = new Uint32Array(length);
  for (let i = 0; i < length; i += 1) {
    const loss = found[i]!;
    const codeword = codewordOf[loss & INDEX]!;
    modules[ends[codeword]!] = loss;
    ends[codeword]! += 1;
  }
  const [, timing, alignment] = wrong;
  const ofAlignment = alignment / Math.max(1, alignmentModules);
  return { ends, modules, timing: timing / (2 * (size - 17)), alignment: ofAlignment };
};

/** What a symbol's modules suffer in a style. */
export interface Damage {
  readonly modulation: Grade;
  /** Wrong codewords of the worst block, as a share of those that can be repaired; above 1 the code is lost. */
  readonly usedCorrection: number;
  readonly fixedPatterns: Grade;
}

/** What a style does to symbols of its version. */
export interface Harm {
  /** The suspects by paints and background; see `Suspects`. */
  readonly ofField: Uint32Array;
  readonly losses: Losses;
  readonly anchors: readonly Anchor[];
}

/** Unused error correction, 1 - `usedCorrection`, for grades 4 to 1: ISO/IEC 15415:2011, 7.8.8. */
const UNUSED_CORRECTION: Thresholds = [1 - 0.62, 1 - 0.5, 1 - 0.37, 1 - 0.25];
/** Share of wrong modules in timing and in alignment patterns: ISO/IEC 15415:2011, Annex. */
const TIMING: Thresholds = [0.07, 0.11, 0.14, 0.17];
const ALIGNMENT: Thresholds = [0.1, 0.2, 0.3, 0.4];

const MAX_BLOCKS = 81;
/** Reused, since grading is never interrupted. */
const worst = new Uint8Array(MAX_CODEWORDS);
const counts = new Uint16Array(MAX_BLOCKS);

const NO_DAMAGE: Damage = { modulation: 4, usedCorrection: 0, fixedPatterns: 4 };

/** Returns what a style does to one symbol, codeword by codeword and block by block. */
export const damageOf = (symbol: QrSymbol, { ofField, losses, anchors }: Harm): Damage => {
  const { timing, alignment } = losses;
  const isUnharmed = ofField.length + losses.modules.length + anchors.length + timing + alignment === 0;
  if (isUnharmed) return NO_DAMAGE;
  const map = blockMapOf(symbol.version, symbol.level);
  return {
    modulation: ofField.length === 0 ? 4 : modulationOf(symbol, map, ofField),
    usedCorrection: usedCorrectionIn(symbol, map, losses),
    fixedPatterns: lowestGradeOf(
      gradeAtMost(timing, TIMING),
      gradeAtMost(alignment, ALIGNMENT),
      isMisled(symbol, anchors) ? 3 : 4,
    ),
  };
};

/** One wrong module makes a codeword wrong, so most of its others are skipped. */
const usedCorrectionIn = (
  symbol: QrSymbol,
  { blockOf, blocks, repairable }: BlockMap,
  { ends, modules }: Losses,
) => {
  counts.fill(0, 0, blocks);
  let most = 0;
  let i = 0;
  for (let codeword = 0; codeword < ends.length; codeword += 1) {
    const end = ends[codeword]!;
    while (i < end && !isWrongIn(symbol.modules, modules[i]!)) i += 1;
    if (i === end) continue;
    i = end;
    const count = ++counts[blockOf[codeword]!]!;
    if (count > most) most = count;
  }
  return most / repairable;
};

/** The best grade at which enough correction is left when all modules below it count as wrong: ISO/IEC 15415, 7.8.4. */
const modulationOf = ({ modules }: QrSymbol, map: BlockMap, ofField: Uint32Array): Grade => {
  const { codewordOf, blockOf, blocks, repairable } = map;
  worst.fill(CLEAR, 0, blockOf.length);
  for (let i = 0; i < ofField.length; i += 1) {
    const suspect = ofField[i]!;
    const index = suspect & 0xffff;
    const codeword = codewordOf[index]!;
    if (codeword === NO_CODEWORD) continue;
    worst[codeword] = Math.min(worst[codeword]!, clearnessIn(suspect, modules[index]!));
  }
  for (let grade = 4; grade > 0; grade -= 1) {
    counts.fill(0, 0, blocks);
    let most = 0;
    for (let i = 0; i < blockOf.length; i += 1) {
      if (worst[i]! > grade) continue;
      const count = ++counts[blockOf[i]!]!;
      if (count > most) most = count;
    }
    if (gradeAtMost(most / repairable, UNUSED_CORRECTION) >= grade) return grade as Grade;
  }
  return 0;
};
