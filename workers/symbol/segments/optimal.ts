import type { SymbolMode } from '../../protocol.ts';
import { dataBitsOf, headerBitsOf } from '../capacity.ts';
import { SEPARATOR } from '../gs1.ts';
import { isAlphanumeric, isDigit, type Segment } from './bit-stream.ts';
import { isReadableKanji } from './kanji.ts';

/** The shortest way to encode a text. */
export interface Shortest {
  readonly segments: readonly Segment[];
  /** Bits of the segments, headers included. */
  readonly bits: number;
}

/** How characters outside ASCII may be encoded: in Kanji mode, and as UTF-8 in Byte mode. */
export interface Allowed {
  readonly kanji: boolean;
  readonly utf8: boolean;
  /** Whether FNC1 stands in first position, so that Alphanumeric mode has "%" for FNC1 and "%%" for "%". */
  readonly fnc1?: boolean;
}

const MODES: readonly SymbolMode[] = ['Numeric', 'Alphanumeric', 'Byte', 'Kanji'];

/** Lengths are in sixths of a bit, of which every character takes a whole number. Segments end on whole bits. */
const SIXTHS = 6;
const LENGTHS = MODES.map((mode) => dataBitsOf(SIXTHS, mode));
const PERCENT = 0x25;
const SEPARATOR_UNIT = SEPARATOR.charCodeAt(0);
/** More than any text takes. */
const NEVER = 0x3fffffff;

/** Returns the length of a UTF-16 unit in a mode, by its place in `MODES`; 0 when the mode cannot encode it. */
const lengthOf = (unit: number, mode: number, { kanji, utf8, fnc1 }: Allowed): number => {
  if (fnc1 && mode === 1 && unit === PERCENT) return 2 * LENGTHS[1]!;
  if (fnc1 && mode === 1 && unit === SEPARATOR_UNIT) return LENGTHS[1]!;
  if (mode === 2) return unit < 0x80 || utf8 ? utf8BytesOf(unit) * LENGTHS[2]! : 0;
  const isWritable =
    mode === 0 ? isDigit(unit) : mode === 1 ? isAlphanumeric(unit) : kanji && isReadableKanji(unit);
  return isWritable ? LENGTHS[mode]! : 0;
};

/** Each half of a surrogate pair stands for two of its four bytes. */
const utf8BytesOf = (unit: number): number =>
  unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;

/**
 * Returns the shortest sequence of segments for a text in a symbol of that version, or `null` when the allowed segments
 * cannot encode it. The result is the same for versions 1 to 9, 10 to 26 and 27 to 40, whose headers have one length.
 *
 * Dynamic programming: for each mode it keeps the length of the shortest sequence that ends in this mode. Of two such
 * sequences the shorter one stays so, whatever follows, because rounding keeps their order. Time and memory grow with
 * the length of the text.
 */
export const shortestSegments = (text: string, version: number, allowed: Allowed): Shortest | null => {
  const headers = MODES.map((mode) => headerBitsOf(version, mode) * SIXTHS);
  /** For each unit, two bits for each mode that it may be in: the mode of the unit before. */
  const before = new Uint8Array(text.length);
  const lengths = MODES.map(() => NEVER);
  /** The mode in which the shortest sequence so far ends, and its length in whole bits. */
  let last = 0;
  let shortest = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    let from = 0;
    for (let mode = 0; mode < 4; mode += 1) {
      const length = lengthOf(unit, mode, allowed);
      const fresh = shortest + headers[mode]!;
      const goesOn = lengths[mode]! <= fresh;
      from |= (goesOn ? mode : last) << (2 * mode);
      lengths[mode] = length === 0 ? NEVER : (goesOn ? lengths[mode]! : fresh) + length;
    }
    before[i] = from;
    shortest = NEVER;
    for (let mode = 0; mode < 4; mode += 1) {
      const whole = Math.ceil(lengths[mode]! / SIXTHS) * SIXTHS;
      if (whole >= shortest) continue;
      shortest = whole;
      last = mode;
    }
    if (shortest >= NEVER) return null;
  }
  return { segments: trace(before, last), bits: shortest / SIXTHS };
};

/** Walks back from the last unit, whose mode is `last`. */
const trace = (before: Uint8Array, last: number): readonly Segment[] => {
  const segments: Segment[] = [];
  let mode = last;
  for (let i = before.length - 1, end = before.length; i >= 0; i -= 1) {
    const previous = (before[i]! >>> (2 * mode)) & 3;
    if (i > 0 && previous === mode) continue;
    segments.push({ mode: MODES[mode]!, start: i, end });
    end = i;
    mode = previous;
  }
  return segments.reverse();
};
