import { randomInt } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 8;
/** Of slugs that people choose, too: 3 to 64 characters. */
const SHAPE = /^[0-9A-Za-z][0-9A-Za-z_-]{1,62}[0-9A-Za-z]$/;

/**
 * Makes a slug: 8 characters of base62 (47.6 bits) from the system's cryptographic source, all equally likely. It may
 * already be taken; the caller that inserts it then tries another.
 */
export const createSlug = (): string =>
  Array.from({ length: LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');

/** Whether the text can be a slug. Any other text is unknown, without a look-up. */
export const isSlug = (text: string): boolean => SHAPE.test(text);

/**
 * Returns the text without what people and messengers add behind a slug: `/`, `)`, `.`, spaces, words of a language
 * without spaces. This is never ambiguous, because every slug ends with a letter or digit of ASCII.
 */
export const withoutTail = (text: string): string => {
  if (isSlug(text)) return text;
  let end = text.length;
  while (end > 0 && !BASE62.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
};

/** Bytes of 248 and more would make some characters more likely than others. */
const FAIR_BELOW = 248;

/** Returns the slug that random bytes give: one for each sequence. @param bytes At least 32. */
export const slugOf = (bytes: Uint8Array): string => {
  let slug = '';
  for (let i = 0; slug.length < LENGTH && i < bytes.length; i += 1)
    if (bytes[i]! < FAIR_BELOW) slug += BASE62[bytes[i]! % BASE62.length];
  // Fewer than 8 of 32 bytes are fair once in 10^33 times.
  return slug.padEnd(LENGTH, BASE62[0]);
};
