/** Texts that are recognised and written everywhere alike: UUIDs, URLs and plurals. */

/** The form of a UUID in lower case (RFC 9562, 4), for regular expressions. Postgres and `randomUUID` write this one. */
export const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';

/** Any UUID that every store reads: upper case too, but neither `urn:uuid:` nor braces. */
export const ANY_UUID = new RegExp(`^${UUID}$`, 'i');

const LOWER_CASE_UUID = new RegExp(`^${UUID}$`);

/** Whether the text is a UUID in lower case. */
export const isUuid = (text: string): boolean => LOWER_CASE_UUID.test(text);

/**
 * Returns the URL, or `null` when the text is not one. `URL.canParse` of Node 20 cannot be used: once compiled, it
 * rejects every text with a Latin-1 letter outside ASCII, such as `ü`.
 */
export const parseUrl = (text: string, base?: string): URL | null => {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
};

/**
 * What copying from documents leaves around a URL unseen: white space, soft hyphens, byte order marks, and zero-width
 * and directional marks. Joiners are kept, because words and emoji may end with one.
 */
const AROUND = /[\s\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069]/;

const isAround = (character: string): boolean => character <= ' ' || AROUND.test(character);

/** Returns a pasted URL without what surrounds it unseen, and without C0 controls and spaces (WHATWG URL, 4.4). */
export const trimUrl = (pasted: string): string => {
  let start = 0;
  let end = pasted.length;
  while (start < end && isAround(pasted[start]!)) start += 1;
  while (end > start && isAround(pasted[end - 1]!)) end -= 1;
  return pasted.slice(start, end);
};

/** Writes a count with its noun, as in `1 batch` and `2 batches`. */
export const pluralise = (count: number, one: string, many: string = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
