import { LRUCache } from 'lru-cache';
import type { LinkTarget } from '../db/tables/links.ts';
import type { Log } from '../log.ts';
import { createOutageCache, type OutageCacheOptions } from '../outage-cache.ts';
import { isRedirectable } from './destination.ts';
import { isSlug } from './slug.ts';

export type Redirect =
  | { readonly kind: 'found'; readonly destination: string }
  /** Deleted; its account wants its dead links to lead here. */
  | { readonly kind: 'dead'; readonly destination: string }
  /** Never made, or deleted by an account that names no address for that. */
  | { readonly kind: 'unknown' }
  /** The database can't be asked and nothing usable is cached: a 503, never a 404. */
  | { readonly kind: 'unavailable' };

export interface RedirectOptions
  extends Pick<
    OutageCacheOptions<LinkTarget>,
    | 'load'
    | 'max'
    | 'freshMs'
    | 'unknownMs'
    | 'freshWithoutNewsMs'
    | 'staleMs'
    | 'maxLoads'
    | 'loadTimeoutMs'
    | 'refreshTimeoutMs'
    | 'retryMs'
  > {
  readonly changes: {
    /** While false, news of changes may be missing. */
    readonly live: boolean;
    /**
     * Tells of a `link` that was made, edited or deleted, of an `account` that was changed, and of `everything` when
     * news may have been missed.
     */
    subscribe(listener: (change: { readonly kind: string; readonly id?: string }) => void): () => void;
  };
}

export interface Redirects {
  /** What is in memory and fresh; `undefined` when the database is to be asked. */
  find(slug: string): Redirect | undefined;
  lookUp(slug: string): Promise<Redirect>;
  /** Known links kept, and look-ups by whether they waited for the database. */
  stats(): { readonly entries: number; readonly hits: number; readonly misses: number };
  close(): void;
}

const UNKNOWN: Redirect = { kind: 'unknown' };
const UNAVAILABLE: Redirect = { kind: 'unavailable' };

/**
 * Short links in memory, in front of the database: an edit is seen as soon as news of it comes, a known link is
 * served through an outage, an unknown slug is asked for now and then. Never throws.
 *
 * An edited link is kept, to be asked for again: if the database becomes unavailable just then, its old destination
 * serves a printed code better than an error.
 */
export const createRedirects = ({ changes, ...bounds }: RedirectOptions, log: Log): Redirects => {
  /** When accounts were last changed: what was asked of their dead links before is out of date. */
  const accountChangedMs = new LRUCache<string, number>({ max: bounds.max });
  const cache = createOutageCache<LinkTarget>(
    {
      ...bounds,
      what: 'short links',
      isLive: () => changes.live,
      isNegative: ({ destination }) => destination === null,
      isOutdated: ({ destination, accountId }, askedMs) =>
        destination === null && askedMs <= (accountChangedMs.get(accountId) ?? Number.NEGATIVE_INFINITY),
      whileFailing: 'ask',
    },
    log,
  );

  const unsubscribe = changes.subscribe(({ kind, id }) => {
    if (kind === 'everything') cache.outdateAll();
    else if (kind === 'link' && id !== undefined) cache.outdate(id);
    else if (kind === 'account' && id !== undefined) accountChangedMs.set(id, performance.now());
  });

  const answerOf = (slug: string, target: LinkTarget | null): Redirect => {
    const leadsTo = target === null ? null : (target.destination ?? target.deadLinkUrl);
    if (target === null || leadsTo === null) return UNKNOWN;
    if (isRedirectable(leadsTo)) {
      return { kind: target.destination === null ? 'dead' : 'found', destination: leadsTo };
    }
    log.error({ slug }, 'a stored destination is not fit for a redirect');
    return UNKNOWN;
  };

  return {
    find(slug) {
      if (!isSlug(slug)) return UNKNOWN;
      const target = cache.peek(slug);
      return target === undefined ? undefined : answerOf(slug, target);
    },
    async lookUp(slug) {
      if (!isSlug(slug)) return UNKNOWN;
      try {
        return answerOf(slug, await cache.get(slug));
      } catch {
        // The cache has logged it.
        return UNAVAILABLE;
      }
    },
    stats: cache.stats,
    close: unsubscribe,
  };
};
