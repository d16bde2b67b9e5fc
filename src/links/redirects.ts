import { LRUCache } from 'lru-cache';
import type { LinkGuard, LinkTarget, LinkWindow } from '../db/tables/links.ts';
import type { Log } from '../log.ts';
import { createOutageCache, type OutageCacheOptions } from '../outage-cache/outage-cache.ts';
import { isRedirectable } from './destination.ts';
import { isSlug, withoutTail } from './slug.ts';

/** What is still to be decided by the visit itself; see `LinkGuard`. */
export interface ReadyGuard extends Omit<LinkGuard, 'rules'> {
  /** The key of its rules among those that are kept; `null`: it has none. */
  readonly rulesKey: string | null;
}

/** A target with its rules ready. */
export type ReadyTarget = Omit<LinkTarget, 'guard'> & { readonly guard: ReadyGuard | null };

/** Where a slug leads now. */
export type Redirect =
  | {
      readonly kind: 'found';
      readonly destination: string;
      /** The slug under which scans are kept: the one that the link was made with. */
      readonly firstSlug: string;
      /** Decides whether it leads there; `null`: it always does. Before its start and after its end it has none. */
      readonly guard: ReadyGuard | null;
      /** The answer once its limit is reached. */
      readonly atLimit: Redirect;
    }
  /** The link is deleted or leads nowhere at this time, and its account has named an address for its dead links. */
  | { readonly kind: 'dead'; readonly destination: string }
  /** The link was never made; or it is deleted or leads nowhere at this time, and its account has named no address. */
  | { readonly kind: 'unknown' }
  /** The database is unavailable and nothing usable is in memory: a 503, never a 404. */
  | { readonly kind: 'unavailable' };

/** Bounds as in `OutageCacheOptions`, and where news of changes comes from. */
export interface RedirectOptions
  extends Omit<
    OutageCacheOptions<ReadyTarget>,
    'what' | 'isLive' | 'isNegative' | 'isOutdated' | 'whileFailing'
  > {
  /** Whether the rules under a key are kept; otherwise their link is looked up again, which keeps them. */
  hasRules(key: string): boolean;
  readonly changes: {
    /** `false` while news of changes may be missing. */
    readonly live: boolean;
    /**
     * Calls the listener with kind `link` for each slug of a link that is edited or deleted, with `links-of` and an
     * account when many of its links are, with `account` when an account is changed, and with `everything` when news
     * may have been missed. Returns a function that unsubscribes.
     */
    subscribe(listener: (change: { readonly kind: string; readonly id?: string }) => void): () => void;
  };
}

/** Finds where short links lead. */
export type Redirects = ReturnType<typeof createRedirects>;

const UNKNOWN: Redirect = { kind: 'unknown' };
const UNAVAILABLE: Redirect = { kind: 'unavailable' };

/** Where a link with a start or an end leads by the clock of this gateway; `null`: nowhere. */
const currentOf = (
  { destination }: ReadyTarget,
  { fromMs, untilMs, before, after }: LinkWindow,
): string | null => {
  const nowMs = Date.now();
  if (nowMs < fromMs) return before;
  return nowMs < untilMs ? destination : after;
};

/** Other gateways lead visitors too, so the count of a link with a limit is read again after so long. */
const LIMIT_FRESH_MS = 1000;

/** The last times of so many accounts are kept. */
const CHANGED_ACCOUNTS_MAX = 10_000;

/**
 * Remembers when each account was last changed. When there are too many, it forgets the one whose change is the longest
 * ago, and then takes every account for changed at that time.
 */
const createChangeTimes = () => {
  let forgottenMs = Number.NEGATIVE_INFINITY;
  const times = new LRUCache<string, number>({
    max: CHANGED_ACCOUNTS_MAX,
    dispose: (changedMs, _, reason) => {
      if (reason === 'evict') forgottenMs = Math.max(forgottenMs, changedMs);
    },
  });
  return {
    note: (accountId: string) => void times.set(accountId, performance.now()),
    isChangedSince: (accountId: string, askedMs: number): boolean =>
      askedMs <= Math.max(forgottenMs, times.peek(accountId) ?? Number.NEGATIVE_INFINITY),
  };
};

/**
 * Caches short links in memory. An edit takes effect as soon as the gateway is notified. A known link is served while
 * the database is unavailable. An unknown slug is looked up again after `unknownMs`.
 *
 * An edited link stays in memory and is looked up again. If the database is unavailable at that moment, its old
 * destination serves a printed code better than an error.
 */
export const createRedirects = ({ changes, hasRules, ...bounds }: RedirectOptions, log: Log) => {
  /** Earlier answers about the dead links of an account, and about all of its links, are out of date. */
  const [accountChanges, linkChanges] = [createChangeTimes(), createChangeTimes()];
  const cache = createOutageCache<ReadyTarget>(
    {
      ...bounds,
      what: 'short links',
      isLive: () => changes.live,
      isNegative: ({ destination }) => destination === null,
      isOutdated: ({ destination, accountId, window, guard }, askedMs) =>
        linkChanges.isChangedSince(accountId, askedMs) ||
        ((destination === null || window !== null || guard !== null) &&
          accountChanges.isChangedSince(accountId, askedMs)) ||
        (guard !== null && isGuardOutdated(guard, askedMs)),
      whileFailing: 'ask',
    },
    log,
  );

  const isGuardOutdated = ({ rulesKey, visitLimit }: ReadyGuard, askedMs: number): boolean =>
    (rulesKey !== null && !hasRules(rulesKey)) ||
    (visitLimit !== null && performance.now() - askedMs >= LIMIT_FRESH_MS);

  const unsubscribe = changes.subscribe(({ kind, id }) => {
    if (kind === 'everything') cache.outdateAll();
    else if (kind === 'link' && id !== undefined) cache.outdate(id);
    else if (kind === 'links-of' && id !== undefined) linkChanges.note(id);
    else if (kind === 'account' && id !== undefined) accountChanges.note(id);
  });

  /** The answer for a slug that leads to an address; `null`: nowhere. */
  const answerWith = (slug: string, target: ReadyTarget, current: string | null): Redirect => {
    const leadsTo = current ?? target.deadLinkUrl;
    if (leadsTo === null) return UNKNOWN;
    if (!isRedirectable(leadsTo)) {
      log.error({ slug }, 'stored destination is not a valid redirect target');
      return UNKNOWN;
    }
    if (current === null) return { kind: 'dead', destination: leadsTo };
    const { firstSlug, guard } = target;
    if (guard === null || current !== target.destination)
      return { kind: 'found', destination: leadsTo, firstSlug, guard: null, atLimit: UNKNOWN };
    const atLimit =
      guard.visitLimit === null ? UNKNOWN : answerWith(slug, { ...target, guard: null }, guard.after);
    return { kind: 'found', destination: leadsTo, firstSlug, guard, atLimit };
  };

  const answerOf = (slug: string, target: ReadyTarget | null): Redirect => {
    if (target === null) return UNKNOWN;
    return answerWith(
      slug,
      target,
      target.window === null ? target.destination : currentOf(target, target.window),
    );
  };

  return {
    /**
     * Returns the answer from memory while it is fresh; `undefined` when the database must be asked.
     *
     * @param written A slug, and perhaps characters behind it that no slug ends with.
     */
    find(written: string): Redirect | undefined {
      const slug = withoutTail(written);
      if (!isSlug(slug)) return UNKNOWN;
      const target = cache.peek(slug);
      return target === undefined ? undefined : answerOf(slug, target);
    },
    /** Does what `find` does, but asks the database when it must. Never throws. */
    async lookUp(written: string): Promise<Redirect> {
      const slug = withoutTail(written);
      if (!isSlug(slug)) return UNKNOWN;
      try {
        return answerOf(slug, await cache.get(slug));
      } catch {
        // The cache has logged it.
        return UNAVAILABLE;
      }
    },
    /** Links in memory, and look-ups that were answered from it (`hits`) or waited for the database (`misses`). */
    stats: cache.stats,
    close: unsubscribe,
  };
};
