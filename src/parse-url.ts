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
