/**
 * Linksets as they are sent, and as a page for people. Anybody may ask for one, so the texts are kept, also in the
 * codings that were asked for.
 */

import { LRUCache } from 'lru-cache';
import type { ItemLink } from '../db/tables/items.ts';
import { DEFAULT_LINK, DEFAULT_LINK_MULTI, iriOf } from '../resolver/link-types.ts';
import {
  LINKSET_CONTEXT,
  LINKSET_TYPE,
  type Linkset,
  type LinksetTarget,
  linksetOf,
} from '../resolver/linkset.ts';
import type { FoundItem } from '../resolver/resolve.ts';
import { compressWell, type Encoding } from './protocol/compression.ts';
import { pageOf } from './short-link-page.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const DEFAULTS: readonly string[] = [DEFAULT_LINK, DEFAULT_LINK_MULTI].map(iriOf);

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);

/** Each address, with each of its titles and languages. The defaults are also listed under their own types. */
const targetsOf = (linkset: Linkset): LinksetTarget[] => {
  const all = linkset.linkset.flatMap((entry) =>
    Object.entries(entry).flatMap(([rel, value]) =>
      typeof value === 'string' || DEFAULTS.includes(rel) ? [] : value,
    ),
  );
  const distinct = new Map(
    all.map((target) => [JSON.stringify([target.href, target.title, target.hreflang]), target] as const),
  );
  return [...distinct.values()];
};

const lineOf = ({ href, title, hreflang = [] }: LinksetTarget): string => {
  const [language] = hreflang;
  const lang = hreflang.length === 1 ? ` lang="${language}" hreflang="${language}"` : '';
  const languages = hreflang.length > 0 ? ` (${hreflang.join(', ')})` : '';
  return `<p><a href="${escapeHtml(href)}"${lang}>${escapeHtml(title)}</a>${escapeHtml(languages)}</p>`;
};

/** Returns a linkset with its context: JSON-LD. */
const toJsonLd = (linkset: Linkset) => ({ '@context': LINKSET_CONTEXT, ...linkset });

/** Writes the page of a linkset, with the linkset as JSON-LD in it: GS1-Conformant Resolver Standard, 2.10. */
const linksetPage = (linkset: Linkset): string => {
  const title = linkset.linkset[0]?.itemDescription ?? '';
  // Within a script, "<" could end it.
  const json = JSON.stringify(toJsonLd(linkset)).replaceAll('<', '\\u003c');
  const lines = targetsOf(linkset).map(lineOf);
  return pageOf(
    escapeHtml(title),
    `${lines.join('\n')}\n<script type="application/ld+json">${json}</script>`,
  );
};

/** The media types in which linksets are sent. */
export const LINKSET_FORMATS = [
  LINKSET_TYPE,
  'application/json',
  'application/ld+json',
  'text/html',
] as const;
/** One of them. */
export type LinksetFormat = (typeof LINKSET_FORMATS)[number];

/** Bytes of all texts that are kept, without their codings; a longer one is made each time. */
const KEPT_MAX_BYTES = 16 * 1024 * 1024;

/** A linkset as it is sent. */
interface LinksetText {
  readonly plain: Buffer;
  /** Returns its bytes in a coding, which are made once. */
  compressed(encoding: Encoding): Promise<Buffer>;
}

interface Kept extends LinksetText {
  /** The links that it was made of. An item that has changed has other ones. */
  readonly links: readonly (readonly ItemLink[])[];
}

const write = (format: LinksetFormat, items: readonly FoundItem[], root: string): string => {
  const linkset = linksetOf(items, root);
  if (format === 'text/html') return linksetPage(linkset);
  return JSON.stringify(format === 'application/ld+json' ? toJsonLd(linkset) : linkset);
};

const make = (format: LinksetFormat, items: readonly FoundItem[], root: string): Kept => {
  const plain = Buffer.from(write(format, items, root));
  const made = new Map<Encoding, Promise<Buffer>>();
  return {
    links: items.map(({ links }) => links),
    plain,
    compressed(encoding) {
      const bytes = made.get(encoding) ?? compressWell(encoding, plain);
      made.set(encoding, bytes);
      return bytes;
    },
  };
};

/** Creates the texts, of which none is made yet. Items are given the most specific first. */
export const createLinksetTexts = () => {
  const kept = new LRUCache<string, Kept>({
    maxSize: KEPT_MAX_BYTES,
    sizeCalculation: ({ plain }) => plain.length,
  });
  return (format: LinksetFormat, items: readonly FoundItem[], root: string): LinksetText => {
    const key = `${format} ${root} ${items.map(({ path }) => path).join(' ')}`;
    const known = kept.get(key);
    if (known?.links.every((links, at) => links === items[at]!.links)) return known;
    const made = make(format, items, root);
    kept.set(key, made);
    return made;
  };
};
