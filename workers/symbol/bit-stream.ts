import type { ErrorCorrectionLevel, SymbolMode } from '../protocol.ts';
import { countBitsOf, dataCodewordsOf, MODE_BITS } from './capacity.ts';
import { SEPARATOR } from './gs1.ts';
import { shiftJisOf } from './kanji.ts';

/** A part of a text that is encoded in one mode: the UTF-16 units from `start` to before `end`. */
export interface Segment {
  readonly mode: SymbolMode;
  readonly start: number;
  readonly end: number;
}

/** The characters of Alphanumeric mode, in the order of their values: ISO/IEC 18004:2015, Table 5. */
const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

const NONE = 0xff;
const VALUES = new Uint8Array(128).fill(NONE);
for (const [value, character] of [...ALPHANUMERIC].entries()) VALUES[character.charCodeAt(0)] = value;

/** Whether Numeric mode can encode it. */
export const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

/** Whether Alphanumeric mode can encode it. */
export const isAlphanumeric = (unit: number): boolean => unit < 128 && VALUES[unit] !== NONE;

/** Returns the value of a character of Alphanumeric mode, 0 to 44. */
const alphanumericValue = (unit: number): number => VALUES[unit]!;

/** Mode indicators: ISO/IEC 18004:2015, Table 2. */
const MODE_INDICATORS = { Numeric: 1, Alphanumeric: 2, Byte: 4, Kanji: 8 } as const;
const ECI_INDICATOR = 7;
const FNC1_FIRST_INDICATOR = 5;

/** The designator of UTF-8 (AIM ECI assignments), in one byte: ISO/IEC 18004:2015, 7.4.2. */
const ECI_UTF8 = 26;
const DESIGNATOR_BITS = 8;
/** Bits of an ECI header. */
export const ECI_BITS = MODE_BITS + DESIGNATOR_BITS;

const TERMINATOR_BITS = 4;
/** Pad codewords, in turn: ISO/IEC 18004:2015, 7.4.10. */
const PAD = [0xec, 0x11] as const;

/** As long as the longest symbol, version 40 at level L. */
const DATA_MAX_BYTES = dataCodewordsOf(40, 'L');
/** The bit stream that is being written. Reused, since writing is never interrupted. */
const stream = new Uint8Array(DATA_MAX_BYTES);
const utf8 = Buffer.alloc(DATA_MAX_BYTES);
/** Bits written so far. */
let length = 0;

/** Appends the lowest `bits` bits of a value, at most 16. The bits of `stream` from `length` on must be 0. */
const put = (value: number, bits: number): void => {
  const byte = length >>> 3;
  // The first bit of the value goes to bit `length & 7`, counted from the left, of three bytes.
  const shifted = value << (24 - bits - (length & 7));
  stream[byte]! |= shifted >>> 16;
  stream[byte + 1] = shifted >>> 8;
  stream[byte + 2] = shifted;
  length += bits;
};

/** Segments of a symbol and what precedes them. */
interface Headed {
  readonly segments: readonly Segment[];
  /** Whether they begin with the designator of UTF-8. */
  readonly eci: boolean;
  /** Whether they begin with FNC1 in first position. */
  readonly fnc1: boolean;
  readonly version: number;
  readonly level: ErrorCorrectionLevel;
}

/**
 * Returns what Alphanumeric mode holds for a text after FNC1 in first position: "%" for FNC1, and "%%" for "%".
 * ISO/IEC 18004:2015, 7.4.8.2.
 */
export const alphanumericOf = (text: string): string => text.replaceAll('%', '%%').replaceAll(SEPARATOR, '%');

/**
 * Returns the data codewords of the segments in a symbol that holds them: headers, data, terminator and padding.
 * ISO/IEC 18004:2015, 7.4. The array is valid until the next call.
 *
 * @param text Of which the segments are parts.
 */
export const dataCodewords = (text: string, { segments, eci, fnc1, version, level }: Headed): Uint8Array => {
  length = 0;
  stream[0] = 0;
  if (eci) {
    put(ECI_INDICATOR, MODE_BITS);
    put(ECI_UTF8, DESIGNATOR_BITS);
  }
  if (fnc1) put(FNC1_FIRST_INDICATOR, MODE_BITS);
  for (const segment of segments) {
    const countBits = countBitsOf(version, segment.mode);
    if (fnc1 && segment.mode === 'Alphanumeric') {
      const part = alphanumericOf(text.slice(segment.start, segment.end));
      putSegment(part, { mode: 'Alphanumeric', start: 0, end: part.length }, countBits);
    } else {
      putSegment(text, segment, countBits);
    }
  }

  const end = dataCodewordsOf(version, level);
  put(0, Math.min(TERMINATOR_BITS, end * 8 - length));
  for (let i = Math.ceil(length / 8), pad = 0; i < end; i += 1, pad ^= 1) stream[i] = PAD[pad]!;
  return stream;
};

const putSegment = (text: string, { mode, start, end }: Segment, countBits: number): void => {
  put(MODE_INDICATORS[mode], MODE_BITS);
  if (mode === 'Byte') {
    putBytes(text.slice(start, end), countBits);
    return;
  }
  put(end - start, countBits);
  if (mode === 'Numeric') putNumeric(text, start, end);
  else if (mode === 'Alphanumeric') putAlphanumeric(text, start, end);
  else putKanji(text, start, end);
};

/** The number of bytes in UTF-8, and the bytes: ISO/IEC 18004:2015, 7.4.5. */
const putBytes = (text: string, countBits: number): void => {
  const bytes = utf8.write(text);
  put(bytes, countBits);
  for (let i = 0; i < bytes; i += 1) put(utf8[i]!, 8);
};

/** Three digits in 10 bits, two in 7, one in 4: ISO/IEC 18004:2015, 7.4.3. */
const putNumeric = (text: string, start: number, end: number): void => {
  for (let i = start; i < end; i += 3) {
    const digits = Math.min(3, end - i);
    let value = 0;
    for (let k = 0; k < digits; k += 1) value = value * 10 + text.charCodeAt(i + k) - 48;
    put(value, 3 * digits + 1);
  }
};

/** Two characters in 11 bits, one in 6: ISO/IEC 18004:2015, 7.4.4. */
const putAlphanumeric = (text: string, start: number, end: number): void => {
  for (let i = start; i < end; i += 2) {
    const first = alphanumericValue(text.charCodeAt(i));
    if (i + 1 < end) put(first * 45 + alphanumericValue(text.charCodeAt(i + 1)), 11);
    else put(first, 6);
  }
};

/** One character in 13 bits: ISO/IEC 18004:2015, 7.4.6. The segment's characters all have a value. */
const putKanji = (text: string, start: number, end: number): void => {
  for (let i = start; i < end; i += 1) {
    const shiftJis = shiftJisOf(text.charCodeAt(i));
    const value = shiftJis - (shiftJis < 0xe040 ? 0x8140 : 0xc140);
    put((value >>> 8) * 0xc0 + (value & 0xff), 13);
  }
};
