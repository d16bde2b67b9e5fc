import type { Grade } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { hasFalseAnchor } from './anchors.ts';
import { blockMapOf, NO_CODEWORD, PATTERN, patternsOf } from './blocks.ts';
import { gradeAtMost, lowest, type Thresholds } from './grades.ts';
import { CLEAR, clearnessIn, type Suspects } from './suspects.ts';

/** What a symbol's modules suffer in a style. */
export interface Damage {
  readonly modulation: Grade;
  /** Wrong codewords of the worst block, as a share of those that can be repaired; above 1 the code is lost. */
  readonly cover: number;
  readonly fixedPatterns: Grade;
}

/** Unused error correction, 1 - cover, for grades 4 to 1: ISO/IEC 15415:2011, 7.8.8. */
const UNUSED_CORRECTION: Thresholds = [1 - 0.62, 1 - 0.5, 1 - 0.37, 1 - 0.25];
/** Share of wrong modules in timing and in alignment patterns: ISO/IEC 15415:2011, Annex. */
const TIMING: Thresholds = [0.07, 0.11, 0.14, 0.17];
const ALIGNMENT: Thresholds = [0.1, 0.2, 0.3, 0.4];

const MAX_CODEWORDS = 3706;
const MAX_BLOCKS = 81;
/** Reused, since grading is never interrupted. */
const worst = new Uint8Array(MAX_CODEWORDS);
const counts = new Uint16Array(MAX_BLOCKS);

const NO_DAMAGE: Damage = { modulation: 4, cover: 0, fixedPatterns: 4 };

/** Returns what the suspects of a style do to one symbol, codeword by codeword and block by block. */
export function damageOf(symbol: QrSymbol, suspects: Suspects): Damage {
  if (suspects.ofField.length + suspects.ofLogo.length === 0) return NO_DAMAGE;
  const { size, modules, version, level } = symbol;
  const { codewordOf, blockOf, blocks, repairable } = blockMapOf(version, level);
  const patterns = patternsOf(version);
  const wrong = [0, 0, 0];
  worst.fill(CLEAR, 0, blockOf.length);
  const mark = (list: Uint32Array): void => {
    for (let i = 0; i < list.length; i += 1) {
      const suspect = list[i]!;
      const index = suspect & 0xffff;
      const clearness = clearnessIn(suspect, modules[index]!);
      const codeword = codewordOf[index]!;
      if (codeword !== NO_CODEWORD) {
        if (clearness < worst[codeword]!) worst[codeword] = clearness;
      } else if (clearness === 0) wrong[patterns[index]!]! += 1;
    }
  };
  /** Returns the greatest cover of a block when codewords with a module of at most `clearness` are wrong. */
  const coverAt = (clearness: number): number => {
    counts.fill(0, 0, blocks);
    let most = 0;
    for (let i = 0; i < blockOf.length; i += 1) {
      if (worst[i]! > clearness) continue;
      const count = ++counts[blockOf[i]!]!;
      if (count > most) most = count;
    }
    return most / repairable;
  };

  mark(suspects.ofField);
  const modulation = suspects.ofField.length === 0 ? 4 : modulationOf(coverAt);
  mark(suspects.ofLogo);
  return {
    modulation,
    cover: coverAt(0),
    fixedPatterns: lowest(
      gradeAtMost(wrong[PATTERN.timing]! / (2 * (size - 17)), TIMING),
      gradeAtMost(wrong[PATTERN.alignment]! / Math.max(1, alignmentModules(patterns)), ALIGNMENT),
      wrong[PATTERN.alignment]! > 0 && hasFalseAnchor(symbol, suspects.ofLogo) ? 3 : 4,
    ),
  };
}

/** The best grade at which enough correction is left when all modules below it count as wrong: ISO/IEC 15415, 7.8.4. */
function modulationOf(coverAt: (clearness: number) => number): Grade {
  for (let grade = 4; grade > 0; grade -= 1) {
    const left = gradeAtMost(coverAt(grade), UNUSED_CORRECTION);
    if (left >= grade) return grade as Grade;
  }
  return 0;
}

const alignmentCounts = new WeakMap<Uint8Array, number>();

function alignmentModules(patterns: Uint8Array): number {
  const known = alignmentCounts.get(patterns) ?? patterns.filter((kind) => kind === PATTERN.alignment).length;
  alignmentCounts.set(patterns, known);
  return known;
}
