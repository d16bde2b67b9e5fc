import { getOrMake } from '../kept.ts';
import {
  type ErrorCorrectionLevel,
  type Fault,
  isFault,
  type SymbolMode,
  type SymbolRequest,
} from '../protocol.ts';
import { alphanumericOf, ECI_BITS, isAlphanumeric, isDigit, type Segment } from './bit-stream.ts';
import {
  capacityOf,
  dataBitsOf,
  dataCodewordsOf,
  groupOf,
  headerBitsOf,
  MAX_VERSION,
  MODE_BITS,
} from './capacity.ts';
import { SEPARATOR } from './gs1.ts';
import { isReadableKanji, shiftJisOf } from './kanji.ts';

/** The shortest way to encode a text. */
interface Shortest {
  readonly segments: readonly Segment[];
  /** Bits of the segments, headers included. */
  readonly bits: number;
}

/** How characters outside ASCII may be encoded: in Kanji mode, and as UTF-8 in Byte mode. */
interface Allowed {
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
const shortestSegments = (text: string, version: number, allowed: Allowed): Shortest | null => {
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

/** What a symbol encodes for a text. */
interface Encoding {
  readonly segments: readonly Segment[];
  /** Whether the designator of UTF-8 stands in front. */
  readonly eci: boolean;
  /** Bits of the designator, of FNC1 in first position, and of the segments. */
  readonly bits: number;
}

/** How one text is encoded in symbols of any version. */
export interface Encoder {
  /** No symbol needs fewer bits. */
  readonly leastBits: number;
  encodingIn(version: number): Encoding;
  /** Says in words what the largest symbol of a level holds, and what the text has. */
  describeLimit(level: ErrorCorrectionLevel): string;
}

/** Whether readers give a UTF-16 unit back unchanged from a mode. */
const WRITABLE: Readonly<Record<SymbolMode, (unit: number) => boolean>> = {
  Numeric: isDigit,
  Alphanumeric: isAlphanumeric,
  Byte: () => true,
  Kanji: isReadableKanji,
};

/** Returns where the first character stands that a mode cannot encode; -1: it can encode the whole text. */
const findForeign = (text: string, mode: SymbolMode): number => {
  const isWritable = WRITABLE[mode];
  for (let i = 0; i < text.length; i += 1) if (!isWritable(text.charCodeAt(i))) return i;
  return -1;
};

/** Returns the mode that `qrcode-generator`, which the browser library uses, takes for a text: never Kanji. */
const modeOf = (text: string): SymbolMode => {
  if (findForeign(text, 'Numeric') < 0) return 'Numeric';
  return findForeign(text, 'Alphanumeric') < 0 ? 'Alphanumeric' : 'Byte';
};

/** Says which character of a text a requested mode cannot encode, and why. */
const foreignFault = (text: string, at: number, mode: SymbolMode, fnc1: boolean): Fault => {
  const character = JSON.stringify(String.fromCodePoint(text.codePointAt(at)!));
  const whole = fnc1 ? 'the element string without brackets' : 'the text';
  const place = `${character}, character ${[...text.slice(0, at)].length + 1} of ${whole}`;
  const reason =
    mode === 'Kanji' && shiftJisOf(text.charCodeAt(at)) !== 0
      ? `readers take ${place}, for another one in Kanji mode`
      : `${mode} mode cannot encode ${place}`;
  return { field: 'qrOptions.mode', message: `${reason}: leave qrOptions.mode out` };
};

/** Makes one encoding for each group of versions, lazily. */
const byGroup = (make: (version: number) => Encoding): ((version: number) => Encoding) => {
  const made = new Map<number, Encoding>();
  return (version) => getOrMake(made, groupOf(version), () => make(version));
};

const isElementString = ({ gs1 }: SymbolRequest): boolean => gs1 === 'element-string';

/** Encodes the text as one segment. Fault: `qrOptions.mode`, when the requested mode cannot encode the text. */
export const singleSegment = (text: string, request: SymbolRequest): Encoder | Fault => {
  const fnc1 = isElementString(request);
  const alphanumeric = fnc1 ? alphanumericOf(text) : text;
  const mode = request.mode ?? modeOf(fnc1 && findForeign(text, 'Numeric') >= 0 ? alphanumeric : text);
  const written = mode === 'Alphanumeric' ? alphanumeric : text;
  const count = mode === 'Byte' ? Buffer.byteLength(text) : written.length;
  // The length is checked first, so that a bounded number of characters is read.
  if (request.mode !== null && capacityOf(MAX_VERSION, 'L', mode) >= count) {
    // "%" of `written` may stand for FNC1.
    const checked = mode === 'Alphanumeric' && fnc1 ? text.replaceAll(SEPARATOR, '%') : text;
    const foreign = findForeign(checked, mode);
    if (foreign >= 0) return foreignFault(text, foreign, mode, fnc1);
  }
  // In UTF-8 only ASCII takes one byte a unit.
  const eci = request.eci === true && mode === 'Byte' && count > text.length;
  const eciBits = eci ? ECI_BITS : 0;
  const headBits = eciBits + (fnc1 ? MODE_BITS : 0);
  const bits = headBits + dataBitsOf(count, mode);
  const segments = [{ mode, start: 0, end: text.length }];
  return {
    leastBits: bits,
    encodingIn: byGroup((version) => ({ segments, eci, bits: bits + headerBitsOf(version, mode) })),
    describeLimit(level) {
      const limit = capacityOf(MAX_VERSION, level, mode, headBits);
      const unit = mode === 'Byte' ? 'bytes' : 'characters';
      return `${limit} ${unit} in ${mode} mode at level ${level}, the text has ${count}`;
    },
  };
};

/** Digits that the largest symbol holds: no text of more characters fits one. */
const CHARACTERS_MAX = capacityOf(MAX_VERSION, 'L', 'Numeric');

/**
 * Encodes the text as the segments that take the fewest bits, and as one segment where that takes no more. Faults:
 * `qrOptions.mode` when a mode is requested; `data` when the text has more characters than any symbol holds.
 */
export const optimalSegments = (text: string, request: SymbolRequest): Encoder | Fault => {
  if (request.mode !== null) {
    const message = 'must be absent when qrOptions.segments is "optimal", which chooses the modes itself';
    return { field: 'qrOptions.mode', message };
  }
  if (text.length > CHARACTERS_MAX) {
    const message = `too long: a QR code holds at most ${CHARACTERS_MAX} digits, the text has ${text.length} characters`;
    return { field: 'data', message };
  }
  const single = singleSegment(text, request);
  if (isFault(single)) return single;
  const encodingIn = byGroup((version) => {
    const asOne = single.encodingIn(version);
    const shortest = shortestEncoding(text, version, request);
    return asOne.bits <= shortest.bits ? asOne : shortest;
  });
  return {
    leastBits: dataBitsOf(text.length, 'Numeric'),
    encodingIn,
    describeLimit(level) {
      const { bits } = encodingIn(MAX_VERSION);
      return `${dataCodewordsOf(MAX_VERSION, level) * 8} bits at level ${level}, the text takes ${bits}`;
    },
  };
};

/**
 * With `eci` the designator holds for all that follows, so that a symbol with it has no Kanji segments: readers would
 * take Shift JIS for UTF-8. A text whose characters outside ASCII are all in Kanji mode needs no designator.
 */
const shortestEncoding = (text: string, version: number, request: SymbolRequest): Encoding => {
  const fnc1 = isElementString(request);
  if (fnc1) {
    const shortest = shortestSegments(text, version, { kanji: false, utf8: true, fnc1 })!;
    return withoutEci({ ...shortest, bits: shortest.bits + MODE_BITS });
  }
  const isAscii = Buffer.byteLength(text) === text.length;
  if (isAscii || !request.eci)
    return withoutEci(shortestSegments(text, version, { kanji: true, utf8: true })!);

  const asUtf8 = shortestSegments(text, version, { kanji: false, utf8: true })!;
  const asKanji = shortestSegments(text, version, { kanji: true, utf8: false });
  const bits = asUtf8.bits + ECI_BITS;
  if (asKanji !== null && asKanji.bits <= bits) return withoutEci(asKanji);
  return { segments: asUtf8.segments, eci: true, bits };
};

const withoutEci = ({ segments, bits }: Shortest): Encoding => ({ segments, eci: false, bits });
