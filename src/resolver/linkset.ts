/** Linksets (RFC 9264) and the resolver description file, as the published schemas have them. */
import type { ItemLink } from '../db/tables/items.ts';
import { bracketsOf, PRIMARY_KEYS } from './key.ts';
import { DEFAULT_LINK, DEFAULT_LINK_MULTI, GS1_NAMESPACE, iriOf } from './link-types.ts';
import type { FoundItem } from './resolve.ts';

/** The media type of linksets in JSON. */
export const LINKSET_TYPE = 'application/linkset+json';
/** Makes JSON-LD of a linkset. */
export const LINKSET_CONTEXT = 'https://ref.gs1.org/standards/resolver/linkset-context';

export interface LinksetTarget {
  readonly href: string;
  readonly title: string;
  readonly hreflang?: readonly string[];
  readonly type?: string;
  readonly context?: readonly string[];
}

/** Links of one item. */
export type LinksetEntry = {
  readonly anchor: string;
  readonly itemDescription: string;
} & Readonly<Record<string, string | readonly LinksetTarget[]>>;

export interface Linkset {
  readonly linkset: readonly LinksetEntry[];
}

const toTarget = ({ href, title, hreflang, type, context }: ItemLink): LinksetTarget => ({
  href,
  title,
  ...(hreflang.length > 0 && { hreflang }),
  ...(type !== null && { type }),
  ...(context.length > 0 && { context }),
});

/** The links of the default's type that a caller can choose by language or media type; none if there is only one. */
const multiOf = (links: readonly ItemLink[], rel: string): readonly ItemLink[] => {
  const multi = links.filter(
    (link) =>
      link.rel === rel && link.context.length === 0 && (link.hreflang.length > 0 || link.type !== null),
  );
  return multi.length > 1 ? multi : [];
};

const defaultOf = ({ links }: FoundItem): ItemLink | undefined => links.find(({ isDefault }) => isDefault);

/** @param isInForce Whether the URI leads to its default; another default is not chosen by the request's preferences. */
const toEntry = (item: FoundItem, root: string, isInForce: boolean): LinksetEntry => {
  const { path, links } = item;
  const byDefault = defaultOf(item);
  const multi = byDefault === undefined || !isInForce ? [] : multiOf(links, byDefault.rel);
  const rels = [...new Set(links.map(({ rel }) => rel))];
  return {
    anchor: root + path,
    itemDescription: byDefault?.title ?? bracketsOf(path),
    ...Object.fromEntries(
      rels.map((rel) => [iriOf(rel), links.filter((link) => link.rel === rel).map(toTarget)]),
    ),
    // 2.5.8: a title and nothing else.
    ...(byDefault && { [iriOf(DEFAULT_LINK)]: [{ href: byDefault.href, title: byDefault.title }] }),
    ...(multi.length > 0 && { [iriOf(DEFAULT_LINK_MULTI)]: multi.map(toTarget) }),
  };
};

/**
 * Returns the linkset of items, the most specific first.
 *
 * @param root What stands before the paths of URIs, without a slash at its end.
 */
export const linksetOf = (items: readonly FoundItem[], root: string): Linkset => {
  const inForce = items.find((item) => defaultOf(item) !== undefined);
  return { linkset: items.map((item) => toEntry(item, root, item === inForce)) };
};

/** Returns the resolver description file (3). @param root As above. */
export const descriptionOf = (root: string) => ({
  name: 'Tessera',
  resolverRoot: root,
  supportedPrimaryKeys: PRIMARY_KEYS,
  supportedLinkType: [{ namespace: GS1_NAMESPACE, prefix: 'gs1:' }],
  supportedContextValuesExternal: [
    { nameOfList: 'ISO 3166-1 alpha-2', url: 'https://www.iso.org/iso-3166-country-codes.html' },
  ],
  linkTypeDefaultCanBeLinkset: false,
  validatesAIcombinations: true,
  supportsCompression: false,
  jsonLdContextLocation: LINKSET_CONTEXT,
});
