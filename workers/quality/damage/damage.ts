import type { Grade } from '../../protocol.ts';
import type { QrSymbol } from '../../symbol/symbol.ts';
import { gradeAtMost, lowestGradeOf, type Thresholds } from '../grades.ts';
import { type Anchor, isMisled } from '../logo/anchors.ts';
import { type BlockMap, blockMapOf, NO_CODEWORD } from './blocks.ts';
import { isWrongIn, type Losses } from './losses.ts';
import { CLEAR, clearnessIn } from './suspects.ts';

/** What a symbol's modules suffer in a style. */
export interface Damage {
  readonly modulation: Grade;
  /** Wrong codewords of the worst block, as a share of those that can be repaired; above 1 the code is lost. */
  readonly cover: number;
  readonly fixedPatterns: Grade;
}

/** What a style does to symbols of its version. */
export interface Harm {
  /** The suspects by paints and background; see `Suspects`. */
  readonly ofField: Uint32Array;
  readonly losses: Losses;
  readonly anchors: readonly Anchor[];
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

/** Returns what a style does to one symbol, codeword by codeword and block by block. */
export function damageOf(symbol: QrSymbol, { ofField, losses, anchors }: Harm): Damage {
  const { timing, alignment } = losses;
  const isUnharmed = ofField.length + losses.modules.length + anchors.length + timing + alignment === 0;
  if (isUnharmed) return NO_DAMAGE;
  const map = blockMapOf(symbol.version, symbol.level);
  return {
    modulation: ofField.length === 0 ? 4 : modulationOf(symbol, map, ofField),
    cover: coverIn(symbol, map, losses),
    fixedPatterns: lowestGradeOf(
      gradeAtMost(timing, TIMING),
      gradeAtMost(alignment, ALIGNMENT),
      isMisled(symbol, anchors) ? 3 : 4,
    ),
  };
}

/** One wrong module makes a codeword wrong, so most of its others are skipped. */
function coverIn(symbol: QrSymbol, { blockOf, blocks, repairable }: BlockMap, { ends, modules }: Losses) {
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
}

/** The best grade at which enough correction is left when all modules below it count as wrong: ISO/IEC 15415, 7.8.4. */
function modulationOf({ modules }: QrSymbol, map: BlockMap, ofField: Uint32Array): Grade {
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
}
