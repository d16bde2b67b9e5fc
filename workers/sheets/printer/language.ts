import type { Bitmap } from './bitmap.ts';

/** A language of label printers. Labels are graphics alone: no word of a caller becomes part of a command. */
export interface PrinterLanguage {
  /** Begins a label, with the size of its page. */
  begin(page: Readonly<Record<'widthDots' | 'heightDots', number>>): string;
  /** Begins a graphic at a place of the page; what `encode` returns follows. */
  at(xDots: number, yDots: number): string;
  /** Returns a graphic without its place. */
  encode(bitmap: Bitmap): Uint8Array;
  /** Ends a label, and prints it. @param copies At most `COPIES_MAX`. */
  end(copies: number): string;
}

/** Both languages count that far in all their versions. */
export const COPIES_MAX = 9999;
