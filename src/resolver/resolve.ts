/** Decides what a request for an identifier gets: GS1-Conformant Resolver Standard, 2.5.8 to 2.7. Pure. */
import type { ItemLink } from '../db/tables/resolver/items.ts';
import { DEFAULT_LINK, DEFAULT_LINK_MULTI } from './link-types.ts';
import { chooseLinks, hasWishes, ranksOf, type Wishes } from './wishes.ts';

/** An item at one level of the URI that was asked for. */
export interface FoundItem {
  readonly path: string;
  /** Under which its scans are kept. */
  readonly slug: string;
  readonly links: readonly ItemLink[];
}

/** What a request gets. */
export type Answer =
  | { readonly kind: 'link'; readonly link: ItemLink }
  /** Links that the request cannot tell apart, all of one item. */
  | { readonly kind: 'choices'; readonly item: FoundItem }
  /** There is no link of this type, or no item. */
  | { readonly kind: 'none' };

const NONE: Answer = { kind: 'none' };

const sameAttributes = (one: ItemLink, other: ItemLink): boolean =>
  one.type === other.type &&
  one.hreflang.join() === other.hreflang.join() &&
  one.context.join() === other.context.join();

const isBare = ({ type, hreflang, context }: ItemLink): boolean =>
  type === null && hreflang.length === 0 && context.length === 0;

/** Chooses the default, or a link of its type that fits the caller's wishes. */
const chooseDefault = (items: readonly FoundItem[], wishes: Wishes): Answer => {
  for (const { links } of items) {
    const link = links.find(({ isDefault }) => isDefault);
    if (link === undefined) continue;
    const alike = links.filter(({ rel }) => rel === link.rel);
    if (alike.length === 1 || !hasWishes(wishes)) return { kind: 'link', link };
    const ranks = ranksOf(wishes);
    const [best, ...others] = chooseLinks(alike, ranks);
    const isWished = others.length === 0 && ranks.some((rank) => rank(best!) > 2);
    return { kind: 'link', link: isWished ? best! : link };
  }
  return NONE;
};

/**
 * Chooses among the links of a type at the most specific level that has any. Those that differ in nothing that a
 * request can say are all returned; of others that the request leaves open, the default.
 */
const chooseOfType = (items: readonly FoundItem[], wanted: string, wishes: Wishes): Answer => {
  for (const item of items) {
    const links = item.links.filter(({ rel }) => rel === wanted);
    if (links.length === 0) continue;
    if (links.length === 1) return { kind: 'link', link: links[0]! };
    const ranks = ranksOf(wishes);
    const best = chooseLinks(links, ranks);
    const isWished = best.some((link) => ranks.some((rank) => rank(link) > 2));
    const isOpen = best.some((link) => !sameAttributes(link, best[0]!));
    const left = isWished || best.every(isBare) ? (isOpen ? best : []) : links;
    const byDefault = left.find(({ isDefault }) => isDefault);
    if (byDefault !== undefined) return { kind: 'link', link: byDefault };
    if (best.length === 1) return { kind: 'link', link: best[0]! };
    return { kind: 'choices', item: { ...item, links: best } };
  }
  return NONE;
};

/**
 * Decides what a request gets.
 *
 * @param items Those of all levels of the URI, the most specific first.
 * @param linkType As `toAskedRel` returns it; `null`: none was asked for.
 */
export const resolve = (items: readonly FoundItem[], linkType: string | null, wishes: Wishes): Answer =>
  linkType === null || linkType === DEFAULT_LINK || linkType === DEFAULT_LINK_MULTI
    ? chooseDefault(items, wishes)
    : chooseOfType(items, linkType, wishes);

const NO_URI_CHARACTERS = /(?:[^\x21-\x7e]|["<>\\^`{|}])+/g;

/**
 * Returns the address of a link with the whole query of the request (2.12). Parameters `linkType` and `context` are
 * left out where the address has its own. Characters that no URI may have (RFC 3986, 2) are percent-encoded.
 */
export const addressOf = (href: string, query: string): string => {
  if (query === '') return href;
  const [, address = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(href) ?? [];
  const own = /\?(.*)$/s.exec(address)?.[1];
  const names = own?.split('&').map((parameter) => parameter.split('=', 1)[0]!.toLowerCase()) ?? [];
  const passed =
    own === undefined
      ? query
      : query
          .split('&')
          .filter((parameter) => {
            const name = parameter.split('=', 1)[0]!.toLowerCase();
            return !((name === 'linktype' || name === 'context') && names.includes(name));
          })
          .join('&');
  if (passed === '') return href;
  const joined = own === undefined ? '?' : own === '' ? '' : '&';
  return `${address}${joined}${passed.replace(NO_URI_CHARACTERS, encodeURIComponent)}${fragment}`;
};
