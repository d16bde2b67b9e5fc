import type { ErrorCorrectionLevel, Fault, SymbolMode, SymbolRequest } from '../protocol.ts';
import { capacityOf, MAX_VERSION, moduleCountOf, smallestVersion } from './capacity.ts';
import { isKanjiText } from './kanji.ts';

/** What symbol a text gets: one segment in `mode`, at `level`, in a symbol of `version`. */
export interface SymbolPlan {
  readonly mode: SymbolMode;
  readonly level: ErrorCorrectionLevel;
  /** 1 to 40. */
  readonly version: number;
  /** Modules a side, 21 to 177. */
  readonly moduleCount: number;
}

/** From the most room to the least. */
const BY_CAPACITY: readonly ErrorCorrectionLevel[] = ['L', 'M', 'Q', 'H'];

const WRITABLE: Readonly<Record<SymbolMode, (text: string) => boolean>> = {
  Numeric: (text) => /^[0-9]*$/.test(text),
  Alphanumeric: (text) => /^[0-9A-Z $%*+\-./:]*$/.test(text),
  Byte: () => true,
  Kanji: isKanjiText,
};

/**
 * Picks mode, level and version for a text, or says why no symbol can hold it. Pure and cheap (no symbol is
 * made), so that the gateway can ask before it queues. Levels are tried in the order given; the first at
 * which the text fits, at the asked version or else at any, is taken.
 *
 * Faults: `data` for a text that no symbol of the asked levels can hold, that is empty or that isn't
 * well-formed Unicode; `qrOptions.mode` for a text the asked mode can't write; `qrOptions.typeNumber` for
 * one that needs a larger version than asked.
 */
export function fitSymbol(text: string, request: SymbolRequest): SymbolPlan | Fault {
  if (text === '') return { field: 'data', message: 'must not be empty' };
  if (/\p{Surrogate}/u.test(text)) return { field: 'data', message: 'must be well-formed Unicode' };

  const mode = request.mode ?? modeOf(text);
  const count = mode === 'Byte' ? Buffer.byteLength(text) : text.length;
  // Length first: it bounds how many characters are looked at.
  if (holds(count, 'L', mode, MAX_VERSION) && !WRITABLE[mode](text)) {
    return { field: 'qrOptions.mode', message: `${mode} mode can't write this text` };
  }
  const level = request.levels.find((candidate) => holds(count, candidate, mode, request.typeNumber));
  if (level === undefined) return tooLong(count, mode, request);

  const version = request.typeNumber || smallestVersion(count, level, mode)!;
  return { mode, level, version, moduleCount: moduleCountOf(version) };
}

/** The mode that `qrcode-generator` takes for a text (design of the browser library): never Kanji. */
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
