import type { GrayPage } from '../pictures/print.ts';

/** A label as a printer prints it. */
export interface PrintedLabel extends GrayPage {
  readonly copies: number;
  /** Where its graphics are, in dots. */
  readonly graphics: readonly Place[];
}

/** A rectangle on a label, in dots. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns an empty label, in white. */
export const blank = (widthPx: number, heightPx: number): GrayPage => ({
  widthPx,
  heightPx,
  data: new Uint8Array(widthPx * heightPx).fill(255),
});

/**
 * Makes the dots of a graphic black where its bits are 1. The last byte of a row may go beyond the paper with white bits.
 *
 * @throws {Error} When black would lie outside of the paper.
 */
export const drawBits = (page: GrayPage, { x, y, width, height }: Place, bits: Uint8Array): void => {
  if (bits.length !== (width / 8) * height) throw new Error('a graphic of another size');
  for (let i = 0; i < width * height; i += 1) {
    if ((bits[i >> 3]! & (0x80 >> (i & 7))) === 0) continue;
    const [column, row] = [x + (i % width), y + Math.floor(i / width)];
    if (column >= page.widthPx || row >= page.heightPx) throw new Error('black beyond the paper');
    page.data[row * page.widthPx + column] = 0;
  }
};

/** Returns a number of a command. @throws {Error} When it is none, or out of range. */
export const numberIn = (text: string | undefined, least: number, most: number): number => {
  const value = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || value < least || value > most)
    throw new Error(`${text} is not ${least} to ${most}`);
  return value;
};
