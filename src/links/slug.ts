/** Slugs: those that are drawn at random, and those that people choose. */
import { randomInt } from 'node:crypto';
import type { OwnSlug } from '../db/tables/slugs.ts';
import { ok, type Result, refused } from '../result.ts';

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

/**
 * Slugs that nobody may choose, because people would take the link for a page of the service, and slugs that look like
 * them. `skeletonOf` brings them to one form, so `log-in` and `L0GIN` are reserved with `login`.
 */
const RESERVED_SLUGS = `
  about abuse account accounts admin administrator api app assets auth billing callback codes contact
  dashboard docs download export favicon folders health healthz help imprint index keys legal link links login logout
  metrics null oauth openapi password pay payment privacy qr ready readyz register render robots root scans
  security settings signin signout signup sitemap static status support system terms tessera undefined usage
  verify webhook webhooks well-known www
`
  .trim()
  .split(/\s+/);

/** Characters that people take for one another, in lower case. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', i: 'l', 5: 's' };

/**
 * Returns what a slug looks like: in lower case and without separators, with `o` for 0, `l` for 1 and i, `s` for 5, `m`
 * for rn and `w` for vv. Of slugs with one skeleton, only one link can have any.
 */
export const skeletonOf = (slug: string): string =>
  slug
    .toLowerCase()
    .replace(/[-_]/g, '')
    .replace(/[01i5]/g, (character) => LOOK_ALIKES[character]!)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');

const RESERVED: ReadonlySet<string> = new Set(RESERVED_SLUGS.map(skeletonOf));

/**
 * Returns a slug that somebody has chosen for a link of a domain, with its skeleton. It refuses one that is not a slug,
 * or, on the shared domain, that looks like a reserved one. The fault continues a sentence that begins with the name of
 * the field. The slug may be taken.
 */
export const checkOwnSlug = (written: string, domainId: string | null): Result<OwnSlug, string> => {
  if (!isSlug(written)) {
    return refused(
      'must have 3 to 64 letters, digits, hyphens and underscores, with a letter or digit at both ends',
    );
  }
  if (domainId !== null) return ok({ slug: written, skeleton: null });
  const skeleton = skeletonOf(written);
  if (RESERVED.has(skeleton)) return refused('is reserved for the service; choose another one');
  return ok({ slug: written, skeleton });
};

/**
 * What is wrong with a slug that another link has, whoever owns that. It continues a sentence as the faults above do.
 */
export const SLUG_TAKEN = 'is taken, or looks like one that is; choose another one';
