/** Reads one picture with every reader under every condition. Runs in a reading thread. */
import { createHash } from 'node:crypto';
import { CONDITIONS, type Condition, underCondition } from './conditions.ts';
import type { openZBar, openZXing } from './decoders.ts';
import { readPng } from './png.ts';

/** The readers, independent of each other. */
export const READERS = ['zxing', 'zbar'] as const;
export type Reader = (typeof READERS)[number];

/** What one reader found under one condition. */
export interface Sight {
  readonly reader: Reader;
  readonly condition: Condition;
  /** `null`: no code was found. */
  readonly text: string | null;
}

/** What became of one picture. */
export interface Reading {
  /** SHA-256 of the file, hexadecimal. */
  readonly sha256: string;
  /** Why the file cannot be read as a picture; `null`: it can. */
  readonly fault: string | null;
  /** One for each reader and condition; none when there is a fault. */
  readonly sights: readonly Sight[];
}

/** The readers of a thread, started. */
export interface OpenReaders {
  readonly zxing: Awaited<ReturnType<typeof openZXing>>;
  readonly zbar: Awaited<ReturnType<typeof openZBar>>;
}

/**
 * Modules a side of a picture in which ZXing finds no sharp code: those of a short link with its quiet zone. Such a
 * code has failed already, so it matters little how small the other conditions make it.
 */
const MODULES_ASSUMED = 33;

/** Reads a PNG. The module size that the conditions need is the one that ZXing finds in the sharp picture. */
export const readPicture = async ({ zxing, zbar }: OpenReaders, png: Uint8Array): Promise<Reading> => {
  const sha256 = createHash('sha256').update(png).digest('hex');
  const picture = readPng(png);
  if (!picture.ok) return { sha256, fault: picture.fault, sights: [] };
  const luma = picture.value;
  let modulePx = Math.max(1, Math.min(luma.widthPx, luma.heightPx) / MODULES_ASSUMED);
  const sights: Sight[] = [];
  for (const condition of CONDITIONS) {
    const seen = underCondition(luma, condition, modulePx);
    const found = await zxing.find(seen);
    if (condition === 'sharp' && found !== null && found.modulePx > 0) modulePx = found.modulePx;
    sights.push(
      { reader: 'zxing', condition, text: found?.text ?? null },
      { reader: 'zbar', condition, text: await zbar(seen, found?.modulePx) },
    );
  }
  return { sha256, fault: null, sights };
};
