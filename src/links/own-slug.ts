/** Slugs that people choose. */
import type { OwnSlug } from '../db/tables/links/own-slugs.ts';
import { ok, type Result, refused } from '../result.ts';
import { isSlug } from './slug.ts';

/**
 * Slugs that nobody may choose, because people would take the link for a page of the service, and slugs that look like
 * them. `skeletonOf` brings them to one form, so `log-in` and `L0GIN` are reserved with `login`.
 */
const RESERVED_SLUGS = `
  about abuse account accounts admin administrator api app assets auth billing callback codes contact
  dashboard docs download favicon folders health healthz help imprint index keys legal link links login logout
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
 * Returns a slug that somebody has chosen with its skeleton. It refuses one that is not a slug, or that looks like a
 * reserved one. The fault continues a sentence that begins with the name of the field. The slug may be taken.
 */
export const checkOwnSlug = (written: string): Result<OwnSlug, string> => {
  if (!isSlug(written)) {
    return refused(
      'must have 3 to 64 letters, digits, hyphens and underscores, with a letter or digit at both ends',
    );
  }
  const skeleton = skeletonOf(written);
  if (RESERVED.has(skeleton)) return refused('is reserved for the service; choose another one');
  return ok({ slug: written, skeleton });
};

/**
 * What is wrong with a slug that another link has, whoever owns that. It continues a sentence as the faults above do.
 */
export const SLUG_TAKEN = 'is taken, or looks like one that is; choose another one';
