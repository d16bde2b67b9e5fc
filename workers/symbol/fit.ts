import type { ErrorCorrectionLevel, Fault, SymbolMode, SymbolRequest } from '../protocol.ts';
import { capacityOf, MAX_VERSION, moduleCountOf, smallestVersion } from './capacity.ts';
import { isKanjiText } from './kanji.ts';

/** The symbol that a text gets: one segment in `mode`, at `level`, in a symbol of `version`. */
export interface SymbolPlan {
  readonly mode: SymbolMode;
  readonly level: ErrorCorrectionLevel;
  /** 1 to 40. */
  readonly version: number;
  /** Modules along one side, 21 to 177. */
  readonly moduleCount: number;
}

/** From the highest capacity to the lowest. */
const BY_CAPACITY: readonly ErrorCorrectionLevel[] = ['L', 'M', 'Q', 'H'];

/** Whether a mode can encode the text. */
const WRITABLE: Readonly<Record<SymbolMode, (text: string) => boolean>> = {
  Numeric: (text) => /^[0-9]*$/.test(text),
  Alphanumeric: (text) => /^[0-9A-Z $%*+\-./:]*$/.test(text),
  Byte: () => true,
  Kanji: isKanjiText,
};

/**
 * Picks mode, level and version for a text, or says why no symbol can hold it. The function is pure and cheap,
 * since it builds no symbol: the gateway calls it before it queues a task. Levels are tried in the given order. The
 * first level at which the text fits is taken, at the requested version or, without one, at any version.
 *
 * Faults: `data` when the text is empty, is not well-formed Unicode, or fits no symbol of the requested levels;
 * `qrOptions.mode` when the requested mode cannot encode the text; `qrOptions.typeNumber` when the text needs a
 * larger version than requested.
 */
export function fitSymbol(text: string, request: SymbolRequest): SymbolPlan | Fault {
  if (text === '') return { field: 'data', message: 'must not be empty' };
  if (/\p{Surrogate}/u.test(text)) return { field: 'data', message: 'must be well-formed Unicode' };

  const mode = request.mode ?? modeOf(text);
  const count = mode === 'Byte' ? Buffer.byteLength(text) : text.length;
  // The length is checked first, so that `WRITABLE` reads a bounded number of characters.
  if (holds(count, 'L', mode, MAX_VERSION) && !WRITABLE[mode](text)) {
    return { field: 'qrOptions.mode', message: `${mode} mode cannot encode this text` };
  }
  const level = request.levels.find((candidate) => holds(count, candidate, mode, request.typeNumber));
  if (level === undefined) return tooLong(count, mode, request);

  const version = request.typeNumber || smallestVersion(count, level, mode)!;
  return { mode, level, version, moduleCount: moduleCountOf(version) };
}

/** Returns the mode that `qrcode-generator`, which the browser library uses, takes for a text: never Kanji. */
function modeOf(text: string): SymbolMode {
  if (WRITABLE.Numeric(text)) return 'Numeric';
  return WRITABLE.Alphanumeric(text) ? 'Alphanumeric' : 'Byte';
}

function holds(count: number, level: ErrorCorrectionLevel, mode: SymbolMode, typeNumber: number): boolean {
  return capacityOf(typeNumber || MAX_VERSION, level, mode) >= count;
}

function tooLong(count: number, mode: SymbolMode, { levels, typeNumber }: SymbolRequest): Fault {
  const level = BY_CAPACITY.find((candidate) => levels.includes(candidate))!;
  const unit = mode === 'Byte' ? 'bytes' : 'characters';
  const limit = `${capacityOf(MAX_VERSION, level, mode)} ${unit} in ${mode} mode at level ${level}`;
  const has = `the text has ${count}`;

  if (holds(count, level, mode, MAX_VERSION)) {
    const version = smallestVersion(count, level, mode);
    const message = `version ${typeNumber} is too small: at level ${level} the text needs version ${version} or larger`;
    return { field: 'qrOptions.typeNumber', message };
  }
  if (holds(count, 'L', mode, MAX_VERSION)) {
    const lower = BY_CAPACITY.findLast((candidate) => holds(count, candidate, mode, MAX_VERSION));
    const message = `too long: a QR code holds at most ${limit}, ${has}; it would fit at level ${lower}`;
    return { field: 'data', message };
  }
  return { field: 'data', message: `too long: a QR code holds at most ${limit}, ${has}` };
}
