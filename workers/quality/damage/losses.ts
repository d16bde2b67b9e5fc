import { codewordsOfModules, fixedPatternsOf, NO_CODEWORD } from './blocks.ts';
import { clearnessIn, type Suspects } from './suspects.ts';

/** What paints and logo of a style make wrong, ordered so that few reads of a symbol count its wrong codewords. */
export interface Losses {
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
export function lossesOf(version: number, size: number, { ofField, ofLogo }: Suspects): Losses {
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
}
