/** Finds the items of a request, from memory when it can, within bounds. */
import type { Changes } from '../db/changes.ts';
import type { Database } from '../db/database.ts';
import { findEntry, type ItemEntry } from '../db/tables/items.ts';
import { isOwnUrl, isRedirectable } from '../links/destination.ts';
import { splitAddress } from '../links/template.ts';
import type { Log } from '../log.ts';
import { createOutageCache, type OutageCacheOptions } from '../outage-cache/outage-cache.ts';
import { type Result, refused } from '../result.ts';
import { type Asked, type ItemKey, PRIMARY_KEYS } from './key.ts';
import type { FoundItem } from './resolve.ts';
import { prepareLinks, type Target } from './templates.ts';

/** Bounds as in `OutageCacheOptions`, and where news of changes comes from. */
export interface LookupOptions
  extends Omit<
    OutageCacheOptions<ItemEntry>,
    'what' | 'isLive' | 'isNegative' | 'isOutdated' | 'whileFailing'
  > {
  /** Calls its listeners with kind `item` for the path of each item or primary key that is changed. */
  readonly changes: Pick<Changes, 'live' | 'subscribe'>;
}

/** An entry in memory. */
interface Loaded extends ItemEntry {
  readonly links: readonly Target[] | null;
}

/** Finds items; see `createLookup`. */
type ItemLookup = ReturnType<typeof createLookup>;

const NONE: readonly FoundItem[] = [];

/**
 * Caches items in memory, each by its path, as `createRedirects` caches short links. A level at which the primary key
 * has no items needs no look-up. While the database is unavailable, a level that is not in memory is skipped when
 * another one has an item: a printed code leads to its product rather than nowhere.
 */
export const createLookup = ({ changes, load, ...bounds }: LookupOptions, log: Log) => {
  const cache = createOutageCache<Loaded>(
    {
      ...bounds,
      load: async (path) => {
        const entry = await load(path);
        return entry && { ...entry, links: entry.links && prepareLinks(entry.links) };
      },
      what: 'items of the resolver',
      isLive: () => changes.live,
      whileFailing: 'ask',
    },
    log,
  );
  const unsubscribe = changes.subscribe((change) => {
    if (change.kind === 'everything') cache.outdateAll();
    else if (change.kind === 'item') cache.outdate(change.id);
  });

  const itemOf = (path: string, entry: Loaded | null): FoundItem | null => {
    if (entry === null || entry.slug === null || entry.links === null) return null;
    const { slug, links, accountId } = entry;
    if (links.every(({ href }) => isRedirectable(href))) return { path, slug, accountId, links };
    log.error({ path }, 'stored link of an item is not a valid redirect target');
    return { path, slug, accountId, links: links.filter(({ href }) => isRedirectable(href)) };
  };

  const mayHave = ({ shapes }: ItemEntry, { shape }: ItemKey): boolean =>
    shape === '' || shapes?.includes(shape) === true;

  const gather = ({ levels }: Asked, key: Loaded, entries: readonly (Loaded | null)[]) => {
    const found: FoundItem[] = [];
    let next = 0;
    for (const level of levels) {
      if (!mayHave(key, level)) continue;
      const item = itemOf(level.asked, level.shape === '' ? key : entries[next++]!);
      if (item !== null) found.push(item);
    }
    return found;
  };

  return {
    /** Returns the items from memory, the most specific first; `undefined` when the database must be asked. */
    find(asked: Asked): readonly FoundItem[] | undefined {
      const key = cache.peek(asked.keyPath);
      if (key === undefined) return undefined;
      if (key === null) return NONE;
      const entries: (Loaded | null)[] = [];
      for (const level of asked.levels) {
        if (level.shape === '' || !mayHave(key, level)) continue;
        const entry = cache.peek(level.path);
        if (entry === undefined) return undefined;
        entries.push(entry);
      }
      return gather(asked, key, entries);
    },
    /** Does what `find` does, but asks the database when it must. Returns `null` when that gives no answer in time. */
    async lookUp(asked: Asked): Promise<readonly FoundItem[] | null> {
      try {
        const key = await cache.get(asked.keyPath);
        if (key === null) return NONE;
        const levels = asked.levels.filter((level) => level.shape !== '' && mayHave(key, level));
        const answers = await Promise.allSettled(levels.map(({ path }) => cache.get(path)));
        const entries = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null));
        const found = gather(asked, key, entries);
        const isWhole = answers.every(({ status }) => status === 'fulfilled');
        return found.length > 0 || isWhole ? found : null;
      } catch {
        // The cache has logged it.
        return null;
      }
    },
    /** Entries in memory, and look-ups that were answered from it (`hits`) or asked the database (`misses`). */
    stats: cache.stats,
    close: unsubscribe,
  };
};

/** As for short links. */
const LOOKUP = {
  maxLoads: 200,
  loadTimeoutMs: 2000,
  refreshTimeoutMs: 250,
  retryMs: 1000,
  freshMs: 60_000,
  unknownMs: 10_000,
  freshWithoutNewsMs: 900,
  staleMs: 24 * 3_600_000,
};

/** Opens the memory of items. Sends the database no query before the first request. @param max Entries. */
export const openItems = ({ sql, changes }: Database, max: number, log: Log): ItemLookup =>
  createLookup({ ...LOOKUP, max, load: (path) => findEntry(sql, path), changes }, log);

const OF_ITEM = new RegExp(`^/(?:${PRIMARY_KEYS.join('|')})/`);

/** What the routes of items use. */
export interface Resolver {
  /** What stands before the paths of URIs, without a slash at its end. */
  root(): string;
  /** Returns a target as the WHATWG URL standard writes it, or what is wrong with it. */
  checkHref(href: string): Result<string, string>;
  /** Items that an account may have. */
  readonly itemsMax: number;
  /** `null`: the resolver is off, and no URI is answered. */
  readonly lookup: ItemLookup | null;
}

/**
 * Makes the rules of items.
 *
 * @param checkDestination The rules of short links, which hold for targets too, with the placeholders of targets.
 */
export const createResolver = (
  root: () => string,
  checkDestination: (url: string) => Result<string, string>,
  lookup: ItemLookup | null,
  itemsMax: number,
): Resolver => ({
  root,
  lookup,
  itemsMax,
  checkHref(href) {
    const checked = checkDestination(href);
    if (!checked.ok) return checked;
    const isFilled = splitAddress(checked.value).before.includes('{');
    if (isFilled && isOwnUrl(new URL(checked.value), root(), /^/))
      return refused(
        'must not fill in the path of our own address, because it could become a URI of our resolver',
      );
    if (!isOwnUrl(new URL(checked.value), root(), OF_ITEM)) return checked;
    return refused('must not be a URI of our own resolver');
  },
});
