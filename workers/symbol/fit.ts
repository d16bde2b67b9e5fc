import { type ErrorCorrectionLevel, type Fault, isFault, type SymbolRequest } from '../protocol.ts';
import type { Segment } from './bit-stream.ts';
import { dataCodewordsOf, LEVELS, MAX_VERSION, moduleCountOf } from './capacity.ts';
import { type Encoder, optimalSegments, singleSegment } from './encoding.ts';
import { messageOf } from './gs1.ts';

/** The symbol that a text gets: its segments, at `level`, in a symbol of `version`. */
export interface SymbolPlan {
  /** In order; together they are the whole text. */
  readonly segments: readonly Segment[];
  /** Whether the designator of UTF-8 (ECI 26) stands in front. */
  readonly eci: boolean;
  /** Whether FNC1 stands in first position, and the segments are those of `messageOf` the text. */
  readonly fnc1: boolean;
  readonly level: ErrorCorrectionLevel;
  /** 1 to 40. */
  readonly version: number;
  /** Modules along one side, 21 to 177. */
  readonly moduleCount: number;
}

/**
 * Picks segments, level and version for a text, or says why no symbol can hold it. The function is pure and cheap,
 * since it builds no symbol: the gateway calls it before it queues a task. Levels are tried in the given order. The
 * first level at which the text fits is taken, at the requested version or, without one, at any version; with `boost`,
 * the highest level at which the text fits this version.
 *
 * Faults: `data` when the text is empty, is not well-formed Unicode, or fits no symbol of the requested levels;
 * `qrOptions.mode` when the requested mode cannot encode the text, or is requested together with optimal segments;
 * `qrOptions.typeNumber` when the text needs a larger version than requested.
 */
export const fitSymbol = (text: string, request: SymbolRequest): SymbolPlan | Fault => {
  if (text === '') return { field: 'data', message: 'must not be empty' };
  if (/\p{Surrogate}/u.test(text)) return { field: 'data', message: 'must be well-formed Unicode' };

  const fnc1 = request.gs1 === 'element-string';
  const encode = request.segments === 'optimal' ? optimalSegments : singleSegment;
  const encoder = encode(fnc1 ? messageOf(text) : text, request);
  if (isFault(encoder)) return encoder;
  for (const level of request.levels) {
    const version = smallestVersion(encoder, level, request.typeNumber);
    if (version === null) continue;
    const { segments, eci } = encoder.encodingIn(version);
    const isEnough = (candidate: ErrorCorrectionLevel): boolean => holds(encoder, candidate, version);
    const taken = request.boost ? LEVELS.findLast(isEnough)! : level;
    return { segments, eci, fnc1, level: taken, version, moduleCount: moduleCountOf(version) };
  }
  return tooLong(encoder, request);
};

const holds = (encoder: Encoder, level: ErrorCorrectionLevel, version: number): boolean => {
  const bits = dataCodewordsOf(version, level) * 8;
  return encoder.leastBits <= bits && encoder.encodingIn(version).bits <= bits;
};

/** Returns the smallest version that holds the text, or `null`. @param typeNumber The only version; 0 for any. */
const smallestVersion = (encoder: Encoder, level: ErrorCorrectionLevel, typeNumber = 0): number | null => {
  const last = typeNumber || MAX_VERSION;
  for (let version = typeNumber || 1; version <= last; version += 1) {
    if (holds(encoder, level, version)) return version;
  }
  return null;
};

const tooLong = (encoder: Encoder, { levels, typeNumber }: SymbolRequest): Fault => {
  const level = LEVELS.find((candidate) => levels.includes(candidate))!;
  const version = smallestVersion(encoder, level);
  if (version !== null) {
    const message = `version ${typeNumber} is too small: at level ${level} the text needs version ${version} or larger`;
    return { field: 'qrOptions.typeNumber', message };
  }
  const lower = LEVELS.findLast((candidate) => smallestVersion(encoder, candidate) !== null);
  const hint = lower === undefined ? '' : `; it would fit at level ${lower}`;
  return {
    field: 'data',
    message: `too long: a QR code holds at most ${encoder.describeLimit(level)}${hint}`,
  };
};
