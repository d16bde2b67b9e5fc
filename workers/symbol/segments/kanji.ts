import { JIS_X_0208 } from './jis-x-0208.ts';

/** Shift-JIS values by UTF-16 code unit; 0 where there is no double-byte value. */
const VALUES = new Uint16Array(0x10000);
for (const [row, characters] of JIS_X_0208) {
  for (let cell = 0; cell < characters.length; cell += 1) {
    if (characters[cell] !== ' ') VALUES[characters.charCodeAt(cell)] = shiftJisAt(row - 1, cell);
  }
}

/** Two rows share a first byte; the second byte leaves out 0x7f. JIS X 0208:1997, Annex 1. Both count from 0. */
function shiftJisAt(row: number, cell: number): number {
  const lead = (row >>> 1) + (row < 62 ? 0x81 : 0xc1);
  const trail = row % 2 === 1 ? cell + 0x9f : cell + (cell < 63 ? 0x40 : 0x41);
  return (lead << 8) | trail;
}

/** Returns the double-byte Shift-JIS value (JIS X 0208) of a UTF-16 code unit; 0 when it has none. */
export const shiftJisOf = (unit: number): number => VALUES[unit]!;

/**
 * Characters that readers give back as others, since JIS X 0208 and Unicode name them differently: measured with ZXing
 * and ZBar for every character.
 */
const MISREAD = new Set(Array.from('∥－＼～￠￡￢〝〟', (character) => character.charCodeAt(0)));

/** Whether Kanji mode can encode a UTF-16 code unit (ISO/IEC 18004:2015, 7.4.6), and readers give it back unchanged. */
export const isReadableKanji = (unit: number): boolean => VALUES[unit] !== 0 && !MISREAD.has(unit);
