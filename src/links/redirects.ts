import { LRUCache } from 'lru-cache';
import type { LinkGuard, LinkTarget, LinkWindow } from '../db/tables/rules/targets.ts';
import { targetKey } from '../db/tables/slugs.ts';
import type { Log } from '../log.ts';
import { createOutageCache, type OutageCacheOptions } from '../outage-cache/outage-cache.ts';
import { HREF_MAX, isRedirectable } from './destination.ts';
import { type Addresses, type Leads, prepareDestination, prepareDestinations, usesRest } from './forward.ts';
import type { ReadyRule } from './rules/decide.ts';
import { isSlug, withoutTail } from './slug.ts';
import type { Visit } from './visit.ts';

/** What is still to be decided by the visit itself; see `LinkGuard`. */
export interface ReadyGuard extends Omit<LinkGuard, 'rules'> {
  /** The key of its rules among those that are kept; `null`: it has none. */
  readonly rulesKey: string | null;
}

/** A target with its rules ready. */
export type ReadyTarget = Omit<LinkTarget, 'guard'> & { readonly guard: ReadyGuard | null };

/** What decides about a visit, within the times of a link. */
interface Guarded {
  readonly by: ReadyGuard;
  /** The answer once its limit is reached. */
  atLimit(): Redirect;
  /** The answer when a rule leads to an address. */
  leadTo(address: string): Redirect;
}

/** Where a slug leads now. */
export type Redirect =
  | {
      readonly kind: 'found';
      readonly destination: string;
      /** The slug under which scans are kept: the one that the link was made with. */
      readonly firstSlug: string;
      /** Decides whether it leads there; `null`: it always does. Before its start and after its end it has none. */
      readonly guard: Guarded | null;
      /** For how long a browser may repeat it without asking, in whole seconds; 0: not at all. */
      readonly maxAgeS: number;
    }
  /** The link is deleted or leads nowhere at this time, and its account has named an address for its dead links. */
  | { readonly kind: 'dead'; readonly destination: string }
  /** The link was never made. */
  | { readonly kind: 'unknown' }
  /** The link is deleted or leads nowhere at this time, and its account has named no address. */
  | { readonly kind: 'gone' }
  /** The address would become longer than `HREF_MAX` with what the visit adds to it. */
  | { readonly kind: 'long' }
  /** The database is unavailable and nothing usable is in memory: a 503, never a 404. */
  | { readonly kind: 'unavailable' };

/** Bounds as in `OutageCacheOptions`, and where news of changes comes from. */
export interface RedirectOptions
  extends Omit<
    OutageCacheOptions<ReadyTarget>,
    'what' | 'isLive' | 'isNegative' | 'isOutdated' | 'sizeOf' | 'whileFailing'
  > {
  /** Returns the rules under a key; `undefined`: they are no longer kept. Looking their link up again keeps them. */
  rulesOf(key: string): readonly ReadyRule[] | undefined;
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
const GONE: Redirect = { kind: 'gone' };
const LONG: Redirect = { kind: 'long' };
const UNAVAILABLE: Redirect = { kind: 'unavailable' };

/** Where a link leads by the clock of this gateway, `null` for nowhere, and for how many seconds that is so. */
const currentOf = ({
  destination,
  window,
}: ReadyTarget): { readonly address: string | null; readonly forS: number } => {
  if (window === null) return { address: destination, forS: Number.POSITIVE_INFINITY };
  const { fromMs, untilMs, before, after } = window;
  const nowMs = Date.now();
  const until = (endMs: number): number => Math.floor((endMs - nowMs) / 1000);
  if (nowMs < fromMs) return { address: before, forS: until(fromMs) };
  if (nowMs < untilMs) return { address: destination, forS: until(untilMs) };
  return { address: after, forS: Number.POSITIVE_INFINITY };
};

/** What makes a text behind a slug and a slash more than the end of a sentence: for a link that uses none, and one that does. */
const [ASCII_WORD, WORD] = [/[\da-z]/i, /[\p{L}\p{N}]/u];

/** A link in memory. */
type Loaded = ReadyTarget & {
  /** `null`: visits add nothing to its own addresses. */
  readonly addresses: Addresses | null;
  /** Whether one of its addresses, or of its rules, uses what stands behind the slug. */
  readonly takesRest: boolean;
};

const prepare = (target: ReadyTarget, rules: readonly ReadyRule[]): Loaded => {
  const { destination, window, guard, forward } = target;
  const own = [destination, window?.before, window?.after, guard?.after];
  const addresses = prepareDestinations(
    own.filter((each) => typeof each === 'string'),
    forward,
  );
  // Those of rules are prepared for each visit: links share them, and the memory for them has a bound.
  const takesRest =
    addresses?.takesRest === true || rules.some((rule) => usesRest(rule.destination, forward));
  return { ...target, addresses, takesRest };
};

/** Other gateways lead visitors too, so the count of a link with a limit is read again after so long. */
const LIMIT_FRESH_MS = 1000;

/** A visit of a link in memory. */
interface Asked {
  readonly slug: string;
  readonly rest: string;
  readonly visit: Visit;
  readonly target: Loaded;
}

const isWithin = (window: LinkWindow | null): boolean => {
  if (window === null) return true;
  const nowMs = Date.now();
  return nowMs >= window.fromMs && nowMs < window.untilMs;
};

/** What was written behind `/l/`: the slug without what people add to it, and what stands behind a slash. */
const readWritten = (written: string): { readonly slug: string; readonly rest: string } => {
  const slash = written.indexOf('/');
  if (slash < 0) return { slug: withoutTail(written), rest: '' };
  return { slug: withoutTail(written.slice(0, slash)), rest: written.slice(slash + 1) };
};

/** Longer addresses of a link count as several links, so that those in memory have some 100 MB, however long they are. */
const USUAL_LENGTH = 1000;

const lengthOf = (...parts: readonly (string | object | null | undefined)[]): number =>
  parts.reduce<number>(
    (sum, part) => sum + (typeof part === 'string' ? part : JSON.stringify(part ?? '')).length,
    0,
  );

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
export const createRedirects = (
  { changes, load, loadCopy, rulesOf, ...bounds }: RedirectOptions,
  log: Log,
) => {
  /** Earlier answers about the dead links of an account, and about all of its links, are out of date. */
  const [accountChanges, linkChanges] = [createChangeTimes(), createChangeTimes()];
  const toLoaded = (target: ReadyTarget | null): Loaded | null => {
    if (target === null) return null;
    const key = target.guard?.rulesKey ?? null;
    return prepare(target, key === null ? [] : (rulesOf(key) ?? []));
  };
  const cache = createOutageCache<Loaded>(
    {
      ...bounds,
      load: async (slug) => toLoaded(await load(slug)),
      loadCopy: loadCopy === undefined ? undefined : async (slug) => toLoaded(await loadCopy(slug)),
      what: 'short links',
      isLive: () => changes.live,
      isNegative: ({ destination }) => destination === null,
      sizeOf: ({ destination, window, guard, forward }) =>
        1 +
        Math.floor(
          lengthOf(destination, window?.before, window?.after, guard?.after, forward) / USUAL_LENGTH,
        ),
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
    (rulesKey !== null && rulesOf(rulesKey) === undefined) ||
    (visitLimit !== null && performance.now() - askedMs >= LIMIT_FRESH_MS);

  const unsubscribe = changes.subscribe(({ kind, id }) => {
    if (kind === 'everything') cache.outdateAll();
    else if (kind === 'link' && id !== undefined) cache.outdate(id);
    else if (kind === 'links-of' && id !== undefined) linkChanges.note(id);
    else if (kind === 'account' && id !== undefined) accountChanges.note(id);
  });

  /** Where an address of a link, or of its rules, leads a visit. @param leads `null`: it is as it stands. */
  const answerFor = (address: string, leads: Leads | null, to: Asked, maxAgeS = 0): Redirect => {
    const { slug, rest, visit, target } = to;
    const leadsTo = leads === null ? address : leads(slug, WORD.test(rest) ? visit : { ...visit, rest: '' });
    if (leads !== null && leadsTo.length > HREF_MAX) return LONG;
    if (isRedirectable(leadsTo))
      return { kind: 'found', destination: leadsTo, firstSlug: target.firstSlug, guard: null, maxAgeS };
    log.error({ slug }, 'stored destination is not a valid redirect target');
    return GONE;
  };

  const ownAnswer = (current: string | null, asked: Asked, maxAgeS = 0): Redirect => {
    const { addresses, deadLinkUrl, takesRest } = asked.target;
    if (current !== null && !takesRest && ASCII_WORD.test(asked.rest)) return UNKNOWN;
    if (current !== null) return answerFor(current, addresses?.leads.get(current) ?? null, asked, maxAgeS);
    if (deadLinkUrl === null) return GONE;
    const dead = answerFor(deadLinkUrl, null, asked);
    return dead.kind === 'found' ? { kind: 'dead', destination: dead.destination } : dead;
  };

  const guarded = (answer: Redirect, guard: ReadyGuard, asked: Asked): Redirect => {
    if (answer.kind !== 'found') return answer;
    const { kind, destination, firstSlug } = answer;
    const guarded: Guarded = {
      by: guard,
      atLimit: () => ownAnswer(guard.after, asked),
      leadTo: (address) => answerFor(address, prepareDestination(address, asked.target.forward), asked),
    };
    return { kind, destination, firstSlug, guard: guarded, maxAgeS: 0 };
  };

  const answerOf = (slug: string, rest: string, visit: Visit, target: Loaded | null): Redirect => {
    if (target === null) return UNKNOWN;
    const { window, guard, maxAgeS } = target;
    const asked = { slug, rest, visit, target };
    const { address, forS } = currentOf(target);
    const answer = ownAnswer(address, asked, Math.min(maxAgeS, forS));
    return guard === null || !isWithin(window) ? answer : guarded(answer, guard, asked);
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
