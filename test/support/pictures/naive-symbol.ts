import { create, type QRCodeMaskPattern, type QRCodeSegment } from 'qrcode';
import toSjis from 'qrcode/helper/to-sjis.js';
import type { SymbolPlan } from '../../../workers/symbol/fit.ts';
import type { QrSymbol } from '../../../workers/symbol/symbol.ts';

const MASKS: readonly QRCodeMaskPattern[] = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * A naive implementation of the browser library's symbol: draws all eight masks, scores each module by module without
 * format and version information, and returns the first with the lowest score. Does not support ECI.
 */
export function naiveSymbol(text: string, { segments, level, version }: SymbolPlan): QrSymbol {
  const parts = segments.map(({ mode, start, end }) => {
    const part = text.slice(start, end);
    return { mode: mode.toLowerCase(), data: mode === 'Byte' ? new TextEncoder().encode(part) : part };
  }) as QRCodeSegment[];
  let best: QrSymbol | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  for (const mask of MASKS) {
    const options = { version, errorCorrectionLevel: level, maskPattern: mask, toSJISFunc: toSjis };
    const { modules } = create(parts, options);
    const { size } = modules;
    const penalty = naivePenalty(withoutInformation(modules.data, size, version), size);
    if (penalty < lowest) {
      lowest = penalty;
      best = { size, modules: Uint8Array.from(modules.data), version, level, mask };
    }
  }
  return best!;
}

/** Returns the modules with format and version information and the dark module light. */
export function withoutInformation(modules: Uint8Array, size: number, version: number): Uint8Array {
  const copy = Uint8Array.from(modules);
  for (const k of [0, 1, 2, 3, 4, 5, 7, 8]) copy[8 * size + k] = copy[k * size + 8] = 0;
  for (let k = size - 8; k < size; k += 1) copy[8 * size + k] = copy[k * size + 8] = 0;
  for (let k = 0; k < 18 && version >= 7; k += 1) {
    const near = Math.floor(k / 3);
    const far = size - 11 + (k % 3);
    copy[near * size + far] = copy[far * size + near] = 0;
  }
  return copy;
}

/** Returns the penalty of the rules in `penalty.ts`. */
export function naivePenalty(modules: Uint8Array, size: number): number {
  // A frame of seven modules, neither dark nor light, so that no index is out of range.
  const width = size + 14;
  const framed = new Uint8Array(width * width).fill(2);
  for (let row = 0; row < size; row += 1) {
    framed.set(modules.subarray(row * size, (row + 1) * size), (row + 7) * width + 7);
  }
  const around = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1];
  const finderLike = (cell: number, step: number) => {
    for (let k = 0; k < 7; k += 1) if (framed[cell + k * step] !== (k === 1 || k === 5 ? 0 : 1)) return false;
    return true;
  };
  let points = 0;
  let dark = 0;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const cell = (row + 7) * width + column + 7;
      const own = framed[cell]!;
      let alike = 0;
      for (const step of around) if (framed[cell + step] === own) alike += 1;
      if (alike > 5) points += alike - 2;
      const [right, below, belowRight] = [framed[cell + 1], framed[cell + width], framed[cell + width + 1]];
      if (right === own && below === own && belowRight === own) points += 3;
      if (finderLike(cell, 1)) points += 40;
      if (finderLike(cell, width)) points += 40;
      dark += own;
    }
  }
  return points + (Math.abs((100 * dark) / size / size - 50) / 5) * 10;
}
