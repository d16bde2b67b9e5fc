/**
 * Decides what a request for an identifier gets, by the media type, language and context that it asks for:
 * GS1-Conformant Resolver Standard, 2.5.8 to 2.7. Pure.
 */
import type { ItemLink } from '../db/tables/items.ts';
import { encodeQuery } from '../links/template.ts';
import { DEFAULT_LINK, DEFAULT_LINK_MULTI } from './link-types.ts';
import type { Target } from './templates.ts';

/** The parts of a request that choose among links of one type: GS1-Conformant Resolver Standard, 2.6.3. */
export interface Preferences {
  /** `Accept` and `Accept-Language` as they were sent. */
  readonly accept: string | undefined;
  readonly language: string | undefined;
  /** The parameter `context`. */
  readonly context: string | null;
}

/** Whether anything is wished: what programs send by default does not count. */
const hasPreferences = ({ accept, language, context }: Preferences): boolean =>
  (accept !== undefined && accept !== '*/*') || language !== undefined || context !== null;

/** Returns how well a link fits: 0 not, 1 when it says nothing, above 2 when it is what was wished. */
type Rank = (link: ItemLink) => number;

/** Longer headers are not read; those of browsers have some 150 characters. */
const HEADER_MAX_CHARACTERS = 1000;
/** Of a header; further ones are ignored, as RFC 9110, 12.5 allows. */
const RANGES_MAX = 20;

interface Range {
  readonly name: string;
  /** 0 to 1: RFC 9110, 12.4.2. */
  readonly weight: number;
}

const readRanges = (header: string | undefined, form: RegExp): readonly Range[] =>
  header === undefined || header.length > HEADER_MAX_CHARACTERS
    ? []
    : header.split(',', RANGES_MAX).flatMap((part) => {
        const name = part.split(';', 1)[0]!.trim().toLowerCase();
        const [, weight = '1'] = /;[\t ]*q=([^;]*[^;\t ])/i.exec(part) ?? [];
        const isRead = form.test(name) && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight);
        return isRead ? [{ name, weight: Number(weight) }] : [];
      });

const saysNothing = (isSaid: boolean): number => (isSaid ? 0 : 1);

const rankOfType = (accept: string | undefined): Rank => {
  const ranges = readRanges(accept, /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/);
  const isNamed = ranges.some(({ name }) => !name.includes('*'));
  return ({ type }) => {
    if (type === null || !isNamed) return saysNothing(type !== null);
    const named = ranges.find(({ name }) => name === type);
    if (named !== undefined) return named.weight === 0 ? 0 : 2 + named.weight;
    const ofKind = `${type.split('/', 1)[0]}/*`;
    const wild = ranges.find(({ name }) => name === '*/*' || name === ofKind);
    // What a caller takes among anything else counts less than a link that may have a type that it named.
    return (wild?.weight ?? 0) / 2;
  };
};

const languageOf = (tag: string): string => tag.split('-', 1)[0]!;

/** How near two tags of one language are: equal, one a prefix of the other (RFC 4647, 3.4), or neither. */
const nearness = (range: string, tag: string): number => {
  if (range === tag) return 3;
  return range.startsWith(`${tag}-`) || tag.startsWith(`${range}-`) ? 2 : 1;
};

/**
 * The first range of a tag's language decides, by weight and then in their order; then how near the tag is. A tag is
 * compared with that range alone, because anybody may ask with many ranges for an item with many languages.
 */
const rankOfLanguage = (header: string | undefined): Rank => {
  const ranges = readRanges(header, /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/)
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  const firstOf = new Map<string, { readonly name: string; readonly rank: number }>();
  for (const [i, { name }] of ranges.entries()) {
    const language = languageOf(name);
    if (!firstOf.has(language)) firstOf.set(language, { name, rank: 2 + ranges.length - i });
  }
  const rankOfTag = (written: string): number => {
    const tag = written.toLowerCase();
    const first = firstOf.get(languageOf(tag));
    return first === undefined ? 0 : first.rank + nearness(first.name, tag) / 10;
  };
  return ({ hreflang }) =>
    hreflang.length === 0 || ranges.length === 0
      ? saysNothing(hreflang.length > 0)
      : Math.max(...hreflang.map(rankOfTag));
};

const rankOfContext =
  (wanted: string | null): Rank =>
  ({ context }) =>
    wanted !== null && context.includes(wanted) ? 3 : saysNothing(context.length > 0);

/** Returns the ranks by media type, language and context, in the order in which they decide. */
export const ranksOf = ({ accept, language, context }: Preferences): readonly Rank[] => [
  rankOfType(accept),
  rankOfLanguage(language),
  rankOfContext(context),
];

/** Returns the links that fit best: those of the first rank, of these the ones of the next, and so on. */
export const chooseLinks = (links: readonly Target[], ranks: readonly Rank[]): readonly Target[] =>
  ranks.reduce((left, rank) => {
    if (left.length < 2) return left;
    const fits = left.map(rank);
    const best = Math.max(...fits);
    return left.filter((_, i) => fits[i] === best);
  }, links);

/** An item at one level of the URI that was asked for. */
export interface FoundItem {
  readonly path: string;
  /** Under which its scans are kept. */
  readonly slug: string;
  readonly accountId: string;
  readonly links: readonly Target[];
}

/** What a request gets. */
type Answer =
  | { readonly kind: 'link'; readonly link: Target }
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

/** Chooses the default, or a link of its type that fits the caller's preferences. */
const chooseDefault = (items: readonly FoundItem[], preferences: Preferences): Answer => {
  for (const { links } of items) {
    const link = links.find(({ isDefault }) => isDefault);
    if (link === undefined) continue;
    const alike = links.filter(({ rel }) => rel === link.rel);
    if (alike.length === 1 || !hasPreferences(preferences)) return { kind: 'link', link };
    const ranks = ranksOf(preferences);
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
const chooseOfType = (items: readonly FoundItem[], wanted: string, preferences: Preferences): Answer => {
  for (const item of items) {
    const links = item.links.filter(({ rel }) => rel === wanted);
    if (links.length === 0) continue;
    if (links.length === 1) return { kind: 'link', link: links[0]! };
    const ranks = ranksOf(preferences);
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
export const resolve = (
  items: readonly FoundItem[],
  linkType: string | null,
  preferences: Preferences,
): Answer =>
  linkType === null || linkType === DEFAULT_LINK || linkType === DEFAULT_LINK_MULTI
    ? chooseDefault(items, preferences)
    : chooseOfType(items, linkType, preferences);

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
  return `${address}${joined}${encodeQuery(passed)}${fragment}`;
};
