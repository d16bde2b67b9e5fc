import { LRUCache } from 'lru-cache';
import type { LinkTarget, LinkWindow } from '../db/tables/links.ts';
import { targetKey } from '../db/tables/slugs.ts';
import type { Log } from '../log.ts';
import { createOutageCache, type OutageCacheOptions } from '../outage-cache/outage-cache.ts';
import { HREF_MAX, isRedirectable } from './destination.ts';
import { type Addresses, prepareDestinations } from './forward.ts';
import { isSlug, withoutTail } from './slug.ts';
import type { Visit } from './visit.ts';

/** Where a slug leads now. */
export type Redirect =
  | {
      readonly kind: 'found';
      readonly destination: string;
      /** The slug under which scans are kept: the one that the link was made with. */
      readonly firstSlug: string;
    }
  /** The link is deleted or leads nowhere at this time, and its account has named an address for its dead links. */
  | { readonly kind: 'dead'; readonly destination: string }
  /** The link was never made; or it is deleted or leads nowhere at this time, and its account has named no address. */
  | { readonly kind: 'unknown' }
  /** The address would become longer than `HREF_MAX` with what the visit adds to it. */
  | { readonly kind: 'long' }
  /** The database is unavailable and nothing usable is in memory: a 503, never a 404. */
  | { readonly kind: 'unavailable' };

/** Bounds as in `OutageCacheOptions`, and where news of changes comes from. */
export interface RedirectOptions
  extends Omit<
    OutageCacheOptions<LinkTarget>,
    'what' | 'isLive' | 'isNegative' | 'isOutdated' | 'whileFailing'
  > {
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
const LONG: Redirect = { kind: 'long' };
const UNAVAILABLE: Redirect = { kind: 'unavailable' };

/** Where a link with a start or an end leads by the clock of this gateway; `null`: nowhere. */
const currentOf = (
  { destination }: LinkTarget,
  { fromMs, untilMs, before, after }: LinkWindow,
): string | null => {
  const nowMs = Date.now();
  if (nowMs < fromMs) return before;
  return nowMs < untilMs ? destination : after;
};

/** What makes a text behind a slug and a slash more than the end of a sentence: for a link that uses none, and one that does. */
const [ASCII_WORD, WORD] = [/[\da-z]/i, /[\p{L}\p{N}]/u];

/** A link in memory. */
interface Loaded extends LinkTarget {
  /** `null`: visits add nothing to its addresses. */
  readonly addresses: Addresses | null;
}

const prepare = (target: LinkTarget): Loaded => {
  const { destination, window, forward } = target;
  const all = [destination, window?.before, window?.after].filter((each) => typeof each === 'string');
  return { ...target, addresses: prepareDestinations(all, forward) };
};

/** What was written behind `/l/`: the slug without what people add to it, and what stands behind a slash. */
const readWritten = (written: string): { readonly slug: string; readonly rest: string } => {
  const slash = written.indexOf('/');
  if (slash < 0) return { slug: withoutTail(written), rest: '' };
  return { slug: withoutTail(written.slice(0, slash)), rest: written.slice(slash + 1) };
};

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
export const createRedirects = ({ changes, load, ...bounds }: RedirectOptions, log: Log) => {
  /** Earlier answers about the dead links of an account, and about all of its links, are out of date. */
  const [accountChanges, linkChanges] = [createChangeTimes(), createChangeTimes()];
  const cache = createOutageCache<Loaded>(
    {
      ...bounds,
      load: async (slug) => {
        const target = await load(slug);
        return target && prepare(target);
      },
      what: 'short links',
      isLive: () => changes.live,
      isNegative: ({ destination }) => destination === null,
      isOutdated: ({ destination, accountId, window }, askedMs) =>
        linkChanges.isChangedSince(accountId, askedMs) ||
        ((destination === null || window !== null) && accountChanges.isChangedSince(accountId, askedMs)),
      whileFailing: 'ask',
    },
    log,
  );

  const unsubscribe = changes.subscribe(({ kind, id }) => {
    if (kind === 'everything') cache.outdateAll();
    else if (kind === 'link' && id !== undefined) cache.outdate(id);
    else if (kind === 'links-of' && id !== undefined) linkChanges.note(id);
    else if (kind === 'account' && id !== undefined) accountChanges.note(id);
  });

  const answerOf = (slug: string, rest: string, visit: Visit, target: Loaded | null): Redirect => {
    if (target === null) return UNKNOWN;
    const { addresses } = target;
    const current = target.window === null ? target.destination : currentOf(target, target.window);
    if (current !== null && !addresses?.takesRest && ASCII_WORD.test(rest)) return UNKNOWN;
    const leads = current === null ? undefined : addresses?.leads.get(current);
    const leadsTo =
      leads === undefined
        ? (current ?? target.deadLinkUrl)
        : leads(slug, WORD.test(rest) ? visit : { ...visit, rest: '' });
    if (leadsTo === null) return UNKNOWN;
    if (leads !== undefined && leadsTo.length > HREF_MAX) return LONG;
    if (!isRedirectable(leadsTo)) {
      log.error({ slug }, 'stored destination is not a valid redirect target');
      return UNKNOWN;
    }
    if (current === null) return { kind: 'dead', destination: leadsTo };
    return { kind: 'found', destination: leadsTo, firstSlug: target.firstSlug };
  };

  return {
    /**
     * Returns the answer from memory while it is fresh; `undefined` when the database must be asked.
     *
     * @param written A slug, perhaps with characters behind it that no slug ends with, and perhaps a slash and more.
     * @param domainId The own domain at which it is asked for; `null`: the shared one.
     */
    find(written: string, visit: Visit, domainId: string | null = null): Redirect | undefined {
      const { slug, rest } = readWritten(written);
      if (!isSlug(slug)) return UNKNOWN;
      const key = targetKey(slug, domainId);
      const target = cache.peek(key);
      return target === undefined ? undefined : answerOf(slug, rest, visit, target);
    },
    /** Does what `find` does, but asks the database when it must. Never throws. */
    async lookUp(written: string, visit: Visit, domainId: string | null = null): Promise<Redirect> {
      const { slug, rest } = readWritten(written);
      if (!isSlug(slug)) return UNKNOWN;
      const key = targetKey(slug, domainId);
      try {
        return answerOf(slug, rest, visit, await cache.get(key));
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
