import type { ErrorCorrectionLevel } from '../protocol.ts';
import { type BitRows, emptyRows, unpackRows, xorInto } from './bit-rows.ts';
import { dataCodewords } from './bit-stream.ts';
import { placeCodewords } from './codewords.ts';
import type { SymbolPlan } from './fit.ts';
import { messageOf } from './gs1.ts';
import { penaltyOf } from './penalty.ts';
import { templateOf, writeFormat, writeVersion } from './template.ts';

/** A finished symbol, without quiet zone. */
export interface QrSymbol {
  /** Modules along one side. */
  readonly size: number;
  /** Row-major, 1 is dark. */
  readonly modules: Uint8Array;
  readonly version: number;
  readonly level: ErrorCorrectionLevel;
  /** 0 to 7. */
  readonly mask: number;
}

/**
 * Returns the symbol of a text that `fitSymbol` has planned. It has the same modules as the browser library
 * `qr-code-styling` draws, except that text is encoded as UTF-8. The codewords are placed once, without a mask; each mask is one XOR away. Of
 * the masks with the lowest penalty the first is taken.
 */
export const createSymbol = (text: string, plan: SymbolPlan): QrSymbol => {
  const { version, level } = plan;
  const template = templateOf(version);
  const { size } = template;
  const rows = emptyRows(size);
  rows.bits.set(template.patterns.bits);
  placeCodewords(rows, template, level, dataCodewords(plan.fnc1 ? messageOf(text) : text, plan));

  const mask = bestMask(rows, template.masks);
  xorInto(rows, rows, template.masks[mask]!);
  const modules = unpackRows(rows);
  writeFormat(modules, size, level, mask);
  writeVersion(modules, size, version);
  return { size, modules, version, level, mask };
};

const bestMask = (unmasked: BitRows, masks: readonly BitRows[]): number => {
  const trial = emptyRows(unmasked.size);
  let best = 0;
  let lowest = Number.POSITIVE_INFINITY;
  for (let mask = 0; mask < masks.length; mask += 1) {
    xorInto(trial, unmasked, masks[mask]!);
    const penalty = penaltyOf(trial, lowest);
    if (penalty < lowest) {
      lowest = penalty;
      best = mask;
    }
  }
  return best;
};
