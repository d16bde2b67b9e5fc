/** Finds the items of a request, from memory when it can. */
import type { Changes } from '../db/changes.ts';
import type { ItemEntry } from '../db/tables/resolver/entries.ts';
import { isRedirectable } from '../links/destination.ts';
import type { Log } from '../log.ts';
import { createOutageCache, type OutageCacheOptions } from '../outage-cache/outage-cache.ts';
import type { Asked, ItemKey } from './key.ts';
import type { FoundItem } from './resolve.ts';

/** Bounds as in `OutageCacheOptions`, and where news of changes comes from. */
export interface LookupOptions
  extends Omit<
    OutageCacheOptions<ItemEntry>,
    'what' | 'isLive' | 'isNegative' | 'isOutdated' | 'whileFailing'
  > {
  /** Calls its listeners with kind `item` for the path of each item or primary key that is changed. */
  readonly changes: Pick<Changes, 'live' | 'subscribe'>;
}

/** Finds items; see `createLookup`. */
export type ItemLookup = ReturnType<typeof createLookup>;

const NONE: readonly FoundItem[] = [];

/**
 * Caches items in memory, each by its path, as `createRedirects` caches short links. A level at which the primary key
 * has no items needs no look-up. While the database is unavailable, a level that is not in memory is skipped when
 * another one has an item: a printed code leads to its product rather than nowhere.
 */
export const createLookup = ({ changes, ...bounds }: LookupOptions, log: Log) => {
  const cache = createOutageCache<ItemEntry>(
    { ...bounds, what: 'items of the resolver', isLive: () => changes.live, whileFailing: 'ask' },
    log,
  );
  const unsubscribe = changes.subscribe((change) => {
    if (change.kind === 'everything') cache.outdateAll();
    else if (change.kind === 'item') cache.outdate(change.id);
  });

  const itemOf = (path: string, entry: ItemEntry | null): FoundItem | null => {
    if (entry === null || entry.slug === null || entry.links === null) return null;
    const { slug, links } = entry;
    if (links.every(({ href }) => isRedirectable(href))) return { path, slug, links };
    log.error({ path }, 'stored link of an item is not a valid redirect target');
    return { path, slug, links: links.filter(({ href }) => isRedirectable(href)) };
  };

  const mayHave = ({ shapes }: ItemEntry, { shape }: ItemKey): boolean =>
    shape === '' || shapes?.includes(shape) === true;

  const gather = ({ levels }: Asked, key: ItemEntry, entries: readonly (ItemEntry | null)[]) => {
    const found: FoundItem[] = [];
    let next = 0;
    for (const level of levels) {
      if (!mayHave(key, level)) continue;
      const item = itemOf(level.path, level.shape === '' ? key : entries[next++]!);
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
      const entries: (ItemEntry | null)[] = [];
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
