import type { ErrorCorrectionLevel } from '../protocol.ts';
import type { BitRows } from './bit-rows.ts';
import { blockPlanOf } from './blocks.ts';
import { divideInto, parityTableOf } from './reed-solomon.ts';
import type { Template } from './template.ts';

/** The error correction codewords of one block, at most 30. Reused, since placing is never interrupted. */
const parity = new Int32Array(8);

/**
 * Divides the data codewords into blocks, adds the error correction codewords of each, and places all of them,
 * interleaved, in `rows`: ISO/IEC 18004:2015, 7.5, 7.6 and 7.7.3. The data modules of `rows` must be light.
 */
export function placeCodewords(
  rows: BitRows,
  { version, places }: Template,
  level: ErrorCorrectionLevel,
  data: Uint8Array,
): void {
  const { bits } = rows;
  const plan = blockPlanOf(version, level, places.length / 8);
  const { blocks, dataCodewords, shortLength, shortBlocks, parityLength } = plan;
  const table = parityTableOf(parityLength);
  let start = 0;
  for (let block = 0; block < blocks; block += 1) {
    const end = start + shortLength + (block < shortBlocks ? 0 : 1);
    const shortEnd = start + shortLength;
    for (let i = start; i < shortEnd; i += 1) {
      placeCodeword(bits, places, (i - start) * blocks + block, data[i]!);
    }
    if (end > shortEnd) placeCodeword(bits, places, dataCodewords - blocks + block, data[shortEnd]!);

    divideInto(parity, table, data, start, end);
    for (let i = 0; i < parityLength; i += 1) {
      placeCodeword(
        bits,
        places,
        dataCodewords + i * blocks + block,
        parity[i >>> 2]! >>> (24 - 8 * (i & 3)),
      );
    }
    start = end;
  }
}

/** Places the lowest eight bits of `codeword`, the highest first. */
function placeCodeword(bits: Int32Array, places: Uint16Array, position: number, codeword: number): void {
  for (let k = 0, first = position * 8; k < 8; k += 1) {
    const place = places[first + k]!;
    // A shift takes the lowest five bits of `place`: the bit in the word.
    bits[place >>> 5]! |= ((codeword >>> (7 - k)) & 1) << place;
  }
}
