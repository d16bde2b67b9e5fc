import { create, type QRCodeSegment } from 'qrcode';
import type { ErrorCorrectionLevel } from '../protocol.ts';
import { type BitRows, emptyRows, packRows, unpackRows } from './bit-rows.ts';
import type { SymbolPlan } from './fit.ts';
import { writeFormat } from './format.ts';
import { shiftJisOf } from './kanji.ts';
import { type MaskSet, masksOf } from './masks.ts';
import { penaltyOf } from './penalty.ts';

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
 * Returns the symbol of a text that `fitSymbol` has planned. It has the same modules as the browser library draws,
 * except that text is encoded as UTF-8. `qrcode` makes the codewords and places them once, with mask 0. Each other mask
 * is one XOR away; of the masks with the lowest penalty the first is taken.
 */
export function createSymbol(text: string, plan: SymbolPlan): QrSymbol {
  const { version, level } = plan;
  const { modules: made } = create([segmentOf(text, plan)], {
    version,
    errorCorrectionLevel: level,
    maskPattern: 0,
    ...(plan.mode === 'Kanji' ? { toSJISFunc: toSjis } : {}),
  });
  const { size } = made;
  const masks = masksOf(version, made.reservedBit);
  const rows = packRows(made.data, size);
  const mask = bestMask(rows, masks);

  xorInto(rows, rows, masks.fromMask0[mask]!);
  const modules = unpackRows(rows);
  writeFormat(modules, size, level, mask);
  return { size, modules, version, level, mask };
}

function segmentOf(text: string, { mode }: SymbolPlan): QRCodeSegment {
  switch (mode) {
    case 'Numeric':
      return { mode: 'numeric', data: text };
    case 'Alphanumeric':
      return { mode: 'alphanumeric', data: text };
    case 'Byte':
      return { mode: 'byte', data: Buffer.from(text) };
    case 'Kanji':
      return { mode: 'kanji', data: text };
  }
}

/** `fitSymbol` has checked that every character has a value. */
const toSjis = (character: string): number => shiftJisOf(character)!;

function bestMask(mask0: BitRows, { fromMask0, scored }: MaskSet): number {
  const base = emptyRows(mask0.size);
  const trial = emptyRows(mask0.size);
  for (let i = 0; i < base.bits.length; i += 1) base.bits[i] = mask0.bits[i]! & scored.bits[i]!;
  let best = 0;
  let lowest = Number.POSITIVE_INFINITY;
  for (const [mask, difference] of fromMask0.entries()) {
    xorInto(trial, base, difference);
    const penalty = penaltyOf(trial);
    if (penalty < lowest) {
      lowest = penalty;
      best = mask;
    }
  }
  return best;
}

function xorInto(target: BitRows, a: BitRows, b: BitRows): void {
  for (let i = 0; i < target.bits.length; i += 1) target.bits[i] = a.bits[i]! ^ b.bits[i]!;
}
