/** Texts that are recognised and written everywhere alike: UUIDs, URLs, plurals and names of files. */

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

/** Characters that are special in a header or a file system. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;
/** What Windows takes for a device, whatever follows the point. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[\d\u00b9\u00b2\u00b3])(?=\.|$)/i;

/** Length in UTF-8 of a character. */
const bytesOf = (character: string): number => {
  const code = character.codePointAt(0)!;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
};

/**
 * Returns the name of a file without its extension from a name that a person wrote: at most so many bytes, safe in a
 * header and on every file system. Unsafe characters become `_`; it is never empty, hidden or a device.
 */
export const toFileStem = (name: string, maxBytes: number): string => {
  const safe = name.trim().replace(UNSAFE, '_').replace(/^\./, '_').replace(DEVICE, '$&_');
  let left = maxBytes;
  let end = 0;
  for (const character of safe) {
    left -= bytesOf(character);
    if (left < 0) break;
    end += character.length;
  }
  return safe.slice(0, end).trimEnd() || '_';
};
