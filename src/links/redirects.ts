import { LRUCache } from 'lru-cache';
import type { Log } from '../log.ts';
import { isRedirectable } from './destination.ts';
import { createLinkFinder, type Finding, type LinkFinderOptions } from './link-finder.ts';
import { isSlug } from './slug.ts';

export type Redirect =
  | { readonly kind: 'found'; readonly destination: string }
  /** Deleted; its account wants its dead links to lead here. */
  | { readonly kind: 'dead'; readonly destination: string }
  /** Never made, or deleted by an account that names no address for that. */
  | { readonly kind: 'unknown' }
  /** The database can't be asked and nothing usable is cached: a 503, never a 404. */
  | { readonly kind: 'unavailable' };

export interface RedirectOptions extends LinkFinderOptions {
  readonly changes: {
    /** While false, news of changes may be missing. */
    readonly live: boolean;
    /**
     * Tells of a `link` that was made, edited or deleted, of an `account` that was changed, and of `everything` when
     * news may have been missed.
     */
    subscribe(listener: (change: { readonly kind: string; readonly id?: string }) => void): () => void;
  };
  /** Known links kept; as many unknown slugs. */
  readonly maxEntries: number;
  /** For how long a known link is used unasked, while news of changes come. */
  readonly freshMs: number;
  /** For how long a slug is held for unknown, while news of changes come. */
  readonly unknownMs: number;
  /** For how long any answer is used while no news of changes come. */
  readonly freshWithoutNewsMs: number;
  /** For how long a known link is used while the database is away. */
  readonly staleMs: number;
  /** No caller waits longer for the database. */
  readonly lookupTimeoutMs: number;
  /** And who could be led to a known destination that no news has changed, no longer than this. */
  readonly knownLookupTimeoutMs: number;
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
 * An edited link is kept, to be asked for again: should the database go away just then, its old destination
 * serves a printed code better than an error.
 */
export const createRedirects = (options: RedirectOptions, log: Log): Redirects => {
  const { changes } = options;
  const known = new LRUCache<string, Finding>({ max: options.maxEntries });
  const unknown = new LRUCache<string, Finding>({ max: options.maxEntries });
  /** When accounts were last changed: what was asked of their dead links before is out of date. */
  const accountChangedMs = new LRUCache<string, number>({ max: options.maxEntries });

  const keep = (slug: string, finding: Finding) => {
    const kept = known.peek(slug) ?? unknown.peek(slug);
    // A look-up that news overtook may end after the one that came later.
    if (kept && kept.askedMs > finding.askedMs) return;
    const [home, other] = finding.destination === null ? [unknown, known] : [known, unknown];
    home.set(slug, finding);
    other.delete(slug);
  };
  const finder = createLinkFinder(options, keep, log);
  let hits = 0;
  let misses = 0;

  const unsubscribe = changes.subscribe(({ kind, id }) => {
    if (kind === 'everything') {
      finder.expire();
      for (const finding of known.values()) finding.current = false;
      unknown.clear();
    } else if (kind === 'link' && id !== undefined) {
      finder.expire(id);
      const finding = known.peek(id);
      if (finding) finding.current = false;
      unknown.delete(id);
    } else if (kind === 'account' && id !== undefined) {
      accountChangedMs.set(id, performance.now());
    }
  });

  const answerOf = (slug: string, { destination, dead }: Finding): Redirect => {
    const target = destination ?? dead?.leadsTo ?? null;
    if (target === null) return UNKNOWN;
    if (isRedirectable(target)) return { kind: dead === null ? 'found' : 'dead', destination: target };
    log.error({ slug }, 'a stored destination is not fit for a redirect');
    return UNKNOWN;
  };

  const isOutdated = ({ dead, askedMs }: Finding): boolean =>
    dead !== null && askedMs <= (accountChangedMs.get(dead.accountId) ?? Number.NEGATIVE_INFINITY);

  const isFresh = (finding: Finding): boolean => {
    const freshMs = finding.destination === null ? options.unknownMs : options.freshMs;
    const ageMs = performance.now() - finding.askedMs;
    if (!finding.current || ageMs >= (changes.live ? freshMs : options.freshWithoutNewsMs)) return false;
    return !isOutdated(finding);
  };

  const isUsable = ({ destination, askedMs }: Finding): boolean =>
    destination !== null && performance.now() - askedMs < options.staleMs;

  const keptOf = (slug: string): Finding | undefined => known.get(slug) ?? unknown.get(slug);

  const find: Redirects['find'] = (slug) => {
    if (!isSlug(slug)) return UNKNOWN;
    const kept = keptOf(slug);
    if (!kept || !isFresh(kept)) return undefined;
    hits += 1;
    return answerOf(slug, kept);
  };

  return {
    find,
    async lookUp(slug) {
      const found = find(slug);
      if (found) return found;
      const kept = keptOf(slug);
      const stale = kept && isUsable(kept) ? answerOf(slug, kept) : UNAVAILABLE;
      const isUnchanged = kept?.current === true && stale.kind === 'found';
      if (finder.away && isUnchanged) {
        hits += 1;
        finder.probe(slug, options.lookupTimeoutMs);
        return stale;
      }
      misses += 1;
      try {
        const timeoutMs = isUnchanged ? options.knownLookupTimeoutMs : options.lookupTimeoutMs;
        return answerOf(slug, await finder.find(slug, timeoutMs));
      } catch {
        // The finder has logged it.
        return stale;
      }
    },
    stats: () => ({ entries: known.size, hits, misses }),
    close: unsubscribe,
  };
};
