/** The order of a list of codes, and where one of its pages ends. */
import { type Cursor, decodeCursor, encodeCursor } from '../../cursor.ts';

/** `scans`: by the number of people who have scanned the short link since its creation. */
export const CODE_SORTS = ['newest', 'oldest', 'name', 'scans'] as const;
/** One of `CODE_SORTS`. */
export type CodeSort = (typeof CODE_SORTS)[number];

/** The position of a code in a list. */
export interface Place extends Cursor {
  /** Only in lists by name, in the part with the named codes. */
  readonly nameKey?: string | null;
  /** Both only in lists by scans, in the part with the scanned codes. */
  readonly people?: number | null;
  readonly slug?: string | null;
}

const isByAge = (sort: CodeSort): boolean => sort === 'newest' || sort === 'oldest';

/** The longest cursor: a key of 200 four-byte characters, and the rest, including what `closeCursor` adds. */
export const PLACE_MAX_CHARACTERS = 1906;

/** Encodes a place for use in a URL. Callers must treat it as opaque. */
export const encodePlace = (sort: CodeSort, place: Place): string => {
  if (isByAge(sort)) return encodeCursor(place);
  const { nameKey = null, people = null, slug = null } = place;
  return Buffer.from(JSON.stringify([sort, encodeCursor(place), nameKey, people, slug])).toString(
    'base64url',
  );
};

const parse = (text: string): readonly unknown[] => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
};

const isNullOr = <T>(value: unknown, is: (value: unknown) => value is T): value is T | null =>
  value === null || is(value);
const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0');
const isCount = (value: unknown): value is number => Number.isSafeInteger(value);

/** Reads a text that `encodePlace` wrote for the same order; `undefined` for any other. */
export const decodePlace = (sort: CodeSort, text: string): Place | undefined => {
  if (isByAge(sort)) return decodeCursor(text);
  const [writtenFor, cursor, nameKey, people, slug] = parse(text);
  if (writtenFor !== sort || typeof cursor !== 'string') return undefined;
  const end = decodeCursor(cursor);
  if (end === undefined) return undefined;
  if (!isNullOr(nameKey, isText) || !isNullOr(people, isCount) || !isNullOr(slug, isText)) return undefined;
  return { ...end, nameKey, people, slug };
};
