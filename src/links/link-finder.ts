import type { LinkTarget } from '../db/tables/links.ts';
import type { Log } from '../log.ts';
import { within } from '../time-limit.ts';

export interface LinkFinderOptions {
  /** `null`: never made. Throws when the database can't be asked. */
  readonly find: (slug: string) => Promise<LinkTarget | null>;
  /** Look-ups under way. */
  readonly maxLookups: number;
  /** How often `probe` asks. */
  readonly retryMs: number;
}

/** What the database said of a slug. Times are the machine's monotonic clock. */
export interface Finding {
  /** `null`: deleted or never made. */
  readonly destination: string | null;
  /** Of a deleted link. */
  readonly dead: { readonly accountId: string; readonly leadsTo: string | null } | null;
  readonly askedMs: number;
  /** False once news came that the link may have changed since. */
  current: boolean;
}

const toFinding = (target: LinkTarget | null, askedMs: number, current: boolean): Finding => {
  if (target === null) return { destination: null, dead: null, askedMs, current };
  const { destination, accountId, deadLinkUrl } = target;
  const dead = destination === null ? { accountId, leadsTo: deadLinkUrl } : null;
  return { destination, dead, askedMs, current };
};

export interface LinkFinder {
  /** Whether the last look-up failed. */
  readonly away: boolean;
  /** @throws When there is no answer within `timeoutMs`, or too many others are waited for. */
  find(slug: string, timeoutMs: number): Promise<Finding>;
  /** Asks in the background, now and then, whether the database is back. */
  probe(slug: string, timeoutMs: number): void;
  /** Nobody joins the look-up under way any more, and what it finds is not current. Without a slug: all. */
  expire(slug?: string): void;
}

interface Lookup {
  readonly finding: Promise<Finding>;
  current: boolean;
}

/**
 * Asks the database for links, once at a time for a slug, bounded in time and number.
 *
 * @param onFound Told of every finding, also of one that came too late for those who waited.
 */
export const createLinkFinder = (
  options: LinkFinderOptions,
  onFound: (slug: string, finding: Finding) => void,
  log: Log,
): LinkFinder => {
  const lookups = new Map<string, Lookup>();
  let underWay = 0;
  let away = false;
  let probeAtMs = 0;

  const noteAway = (error: unknown) => {
    if (!away) log.warn({ err: error }, 'short links cannot be looked up: known ones are served from memory');
    away = true;
    probeAtMs = performance.now() + options.retryMs;
  };

  const noteBack = () => {
    if (away) log.info({}, 'short links can be looked up again');
    away = false;
  };

  const ask = async (slug: string, isCurrent: () => boolean): Promise<Finding> => {
    const askedMs = performance.now();
    underWay += 1;
    try {
      const target = await options.find(slug);
      noteBack();
      const finding = toFinding(target, askedMs, isCurrent());
      onFound(slug, finding);
      return finding;
    } finally {
      underWay -= 1;
    }
  };

  const begin = (slug: string): Lookup => {
    if (underWay >= options.maxLookups) throw new Error(`${underWay} look-ups are under way`);
    const lookup: Lookup = { current: true, finding: ask(slug, () => lookup.current) };
    lookups.set(slug, lookup);
    const end = () => {
      if (lookups.get(slug) === lookup) lookups.delete(slug);
    };
    lookup.finding.then(end, end);
    return lookup;
  };

  const find = async (slug: string, timeoutMs: number): Promise<Finding> => {
    const joined = lookups.get(slug);
    try {
      const { finding } = joined?.current ? joined : begin(slug);
      return await within(finding, timeoutMs, () => new Error(`no answer within ${timeoutMs} ms`));
    } catch (error) {
      noteAway(error);
      throw error;
    }
  };

  return {
    get away() {
      return away;
    },
    find,
    probe(slug, timeoutMs) {
      if (performance.now() < probeAtMs) return;
      probeAtMs = performance.now() + options.retryMs;
      // A failure is noted where it occurs.
      find(slug, timeoutMs).catch(() => {});
    },
    expire(slug) {
      const expired = slug === undefined ? lookups.values() : [lookups.get(slug)];
      for (const lookup of expired) if (lookup) lookup.current = false;
    },
  };
};
