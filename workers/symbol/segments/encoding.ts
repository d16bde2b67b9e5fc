import { getOrMake } from '../../kept.ts';
import {
  type ErrorCorrectionLevel,
  type Fault,
  isFault,
  type SymbolMode,
  type SymbolRequest,
} from '../../protocol.ts';
import {
  capacityOf,
  dataBitsOf,
  dataCodewordsOf,
  groupOf,
  headerBitsOf,
  MAX_VERSION,
  MODE_BITS,
} from '../capacity.ts';
import { SEPARATOR } from '../gs1.ts';
import { alphanumericOf, ECI_BITS, isAlphanumeric, isDigit, type Segment } from './bit-stream.ts';
import { isReadableKanji, shiftJisOf } from './kanji.ts';
import { type Shortest, shortestSegments } from './optimal.ts';

/** What a symbol encodes for a text. */
export interface Encoding {
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
