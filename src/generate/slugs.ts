/** The slugs of short links: their rules, and what is done about one that is taken. */
import type { LinkDomain } from '../db/tables/domains/served.ts';
import type { OwnSlug } from '../db/tables/slugs.ts';
import type { Result } from '../result.ts';

/** What dynamic codes need to know about short links. */
export interface LinkRules {
  /** Returns a new random slug, which may be taken already. */
  createSlug(): string;
  /** @param place What short URLs of an own domain begin with; `null`: the shared domain. */
  shortUrl(slug: string, place: string | null): string;
  /** Returns the URL as the WHATWG URL standard writes it, or what is wrong with it. */
  checkDestination(url: string): Result<string, string>;
  /** Does the same for an address in which nothing is filled in. */
  checkPlainUrl(url: string): Result<string, string>;
}

/** The same for links on one domain. */
export interface DomainLinkRules extends Omit<LinkRules, 'shortUrl'> {
  /** `null`: the shared domain. */
  readonly domainId: string | null;
  shortUrl(slug: string): string;
}

/** Returns the rules of links on a domain. */
export const linksOn = (
  links: LinkRules,
  domain: Pick<LinkDomain, 'id' | 'place'> | null,
): DomainLinkRules => ({
  ...links,
  domainId: domain?.id ?? null,
  shortUrl: (slug) => links.shortUrl(slug, domain?.place ?? null),
});

/** The rules of slugs that people choose. */
export interface OwnSlugRules {
  /** Returns a slug that somebody has chosen for a link of a domain, or what is wrong with it. */
  check(written: string, domainId: string | null): Result<OwnSlug, string>;
  /** What is wrong with one that is taken. */
  readonly taken: string;
}

/** There are 62^8 slugs: five clashes in a row mean that something else is wrong. */
const ATTEMPTS_MAX = 5;

/**
 * Makes and saves pictures, again with other short links while those that they show are taken.
 *
 * @param save Returns `again` with the pictures to make next.
 */
export const untilSlugsAreFree = async <Pictures, M extends { readonly kind: string }>(
  first: Pictures,
  save: (pictures: Pictures) => Promise<M | { readonly kind: 'again'; readonly pictures: Pictures }>,
): Promise<M> => {
  let pictures = first;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const saved = await save(pictures);
    if (!('pictures' in saved)) return saved;
    pictures = saved.pictures;
  }
  throw new Error('no free slug was found');
};
