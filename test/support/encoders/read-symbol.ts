import type { ErrorCorrectionLevel, SymbolMode } from '../../../workers/protocol.ts';
import { emptyRows, packRows, xorInto } from '../../../workers/symbol/bit-rows.ts';
import { blockPlanOf, countBitsOf, dataBitsOf } from '../../../workers/symbol/capacity.ts';
import { templateOf, writeFormat } from '../../../workers/symbol/template.ts';

/** The decoded content of a symbol. */
export interface SymbolContent {
  readonly version: number;
  readonly level: ErrorCorrectionLevel;
  /** Modes and numbers of characters (in Byte mode, bytes). */
  readonly segments: readonly { readonly mode: SymbolMode; readonly count: number }[];
  /** The ECI designator, `null` without one. */
  readonly eci: number | null;
  /** Bits before the terminator: designators, headers and data. */
  readonly bits: number;
}

const LEVELS: readonly ErrorCorrectionLevel[] = ['L', 'M', 'Q', 'H'];
const MODES: Readonly<Record<number, SymbolMode>> = {
  1: 'Numeric',
  2: 'Alphanumeric',
  4: 'Byte',
  8: 'Kanji',
};
const ECI = 7;

/** Reads error-free modules in row-major order, from any encoder. Neither corrects errors nor decodes text. */
export function readSymbol(modules: Uint8Array, size: number): SymbolContent {
  const version = (size - 17) / 4;
  const { level, mask } = readFormat(modules, size);
  const bits = dataBits(modules, size, level, mask);
  let at = 0;
  const take = (count: number): number => {
    let value = 0;
    for (const end = at + count; at < end; at += 1) value = value * 2 + (bits[at] ?? 0);
    return value;
  };
  const segments: { mode: SymbolMode; count: number }[] = [];
  let eci: number | null = null;
  for (;;) {
    const start = at;
    const indicator = bits.length - at < 4 ? 0 : take(4);
    if (indicator === 0) return { version, level, segments, eci, bits: start };
    if (indicator === ECI) {
      eci = take(8);
      continue;
    }
    const mode = MODES[indicator];
    if (mode === undefined) throw new Error(`mode indicator ${indicator}`);
    const count = take(countBitsOf(version, mode));
    at += dataBitsOf(count, mode);
    segments.push({ mode, count });
  }
}

function readFormat(modules: Uint8Array, size: number) {
  for (const level of LEVELS) {
    for (let mask = 0; mask < 8; mask += 1) {
      const written = Uint8Array.from(modules);
      writeFormat(written, size, level, mask);
      if (Buffer.from(written).equals(modules)) return { level, mask };
    }
  }
  throw new Error('no format information');
}

/** The bits of the data codewords, before they were divided into blocks. */
function dataBits(modules: Uint8Array, size: number, level: ErrorCorrectionLevel, mask: number): number[] {
  const template = templateOf((size - 17) / 4);
  const unmasked = emptyRows(size);
  xorInto(unmasked, packRows(modules, size), template.masks[mask]!);
  const codewords = template.places.length / 8;
  const plan = blockPlanOf(template.version, level, codewords);
  const data: number[] = [];
  for (let block = 0; block < plan.blocks; block += 1) {
    const length = plan.shortLength + (block < plan.shortBlocks ? 0 : 1);
    for (let i = 0; i < length; i += 1) {
      const position =
        i < plan.shortLength ? i * plan.blocks + block : plan.dataCodewords - plan.blocks + block;
      for (const place of template.places.subarray(position * 8, position * 8 + 8)) {
        data.push((unmasked.bits[place >>> 5]! >>> (place & 31)) & 1);
      }
    }
  }
  return data;
}
