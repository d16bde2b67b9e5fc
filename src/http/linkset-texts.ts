/** Linksets as they are sent. Anybody may ask for one, so the texts are kept, also in the codings that were asked for. */
import { LRUCache } from 'lru-cache';
import type { ItemLink } from '../db/tables/resolver/items.ts';
import { LINKSET_TYPE, linksetOf } from '../resolver/linkset.ts';
import type { FoundItem } from '../resolver/resolve.ts';
import { linksetPage, toJsonLd } from './linkset-page.ts';
import { compressWell, type Encoding } from './protocol/compression.ts';

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
export interface LinksetText {
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
