import { within } from '../execution/time-limits.ts';
import type { Log } from '../log.ts';
import { createEntries, createLoads, type Entry, type Loads, type Outage, watchOutage } from './loads.ts';

/** What is looked up, and the bounds of the cache in time and number. */
export interface OutageCacheOptions<V> {
  /** What is looked up, as the log calls it, for example `keys`. */
  readonly what: string;
  /** Asks the database. Returns `null` when it has no such thing, and throws when it is unavailable. */
  load(key: string): Promise<V | null>;
  /**
   * Asks a copy of the database, which may be behind, for what is not in memory while the database is unavailable.
   * What it finds is never fresh, and what it lacks stays unknown. Absent: there is no copy.
   */
  readonly loadCopy?: ((key: string) => Promise<V | null>) | undefined;
  /**
   * Whether a value counts as a negative answer, like `null`. Negative answers are fresh for `unknownMs` only, are
   * never used while the database is unavailable, and are kept apart, so that many of them evict no values. Absent:
   * never.
   */
  isNegative?(value: V): boolean;
  /**
   * Whether a value that was asked for at `askedMs` is out of date for another reason than `outdate`. Absent: never.
   */
  isOutdated?(value: V, askedMs: number): boolean;
  /** Whether news of changes arrives. While some may be missing, answers are fresh for `freshWithoutNewsMs` only. */
  isLive(): boolean;
  /** Greatest number of values; of negative answers too, up to 10,000. */
  readonly max: number;
  /** As how many values a large one counts, a whole number from 1. Absent: each counts as one. */
  sizeOf?(value: V): number;
  /** How long a value is used without asking again. */
  readonly freshMs: number;
  /** How long a negative answer is used without asking again. */
  readonly unknownMs: number;
  readonly freshWithoutNewsMs: number;
  /** How long a value may be used while the database is unavailable. */
  readonly staleMs: number;
  /** Greatest number of loads in flight. Further ones fail at once. */
  readonly maxLoads: number;
  /** Longest wait for a load. */
  readonly loadTimeoutMs: number;
  /** Longest wait of a caller when memory holds a value for it that no news has outdated. */
  readonly refreshTimeoutMs: number;
  /** How often a load is tried in the background while loads fail. */
  readonly retryMs: number;
  /**
   * What callers do while loads fail. `ask`: a caller without a value, or with an outdated one, still asks the
   * database. `spare`: only one caller every `retryMs` asks; others get the value in memory, outdated or not, or an
   * error at once.
   */
  readonly whileFailing: 'ask' | 'spare';
}

const isOutdated = <V>({ value, askedMs }: Entry<V>, options: OutageCacheOptions<V>): boolean =>
  value !== null && options.isOutdated?.(value, askedMs) === true;

const isFresh = <V>(entry: Entry<V>, options: OutageCacheOptions<V>): boolean => {
  const { askedMs, current, isCopy } = entry;
  const freshMs = entry.isNegative ? options.unknownMs : options.freshMs;
  const ageMs = performance.now() - askedMs;
  if (!current || isCopy || ageMs >= (options.isLive() ? freshMs : options.freshWithoutNewsMs)) return false;
  return !isOutdated(entry, options);
};

const usableOf = <V>(kept: Entry<V> | undefined, staleMs: number): V | null =>
  kept !== undefined && performance.now() - kept.askedMs < staleMs ? kept.value : null;

/** Asks the database, and notes a failure. @throws When the load fails or takes longer than `timeoutMs`. */
const askWith =
  <V extends object>(loads: Loads<V>, outage: Outage, options: OutageCacheOptions<V>) =>
  async (key: string, timeoutMs: number): Promise<V | null> => {
    const startMs = performance.now();
    const answer = () =>
      within(loads.join(key), timeoutMs, () => new Error(`no answer within ${timeoutMs} ms`));
    try {
      const asked = await answer();
      // It joined a load from before the news.
      return (asked.askedMs < startMs && isOutdated(asked, options) ? await answer() : asked).value;
    } catch (error) {
      outage.noteFailure(error);
      throw error;
    }
  };

/**
 * Makes a function that asks for what is not in memory: the database, and its copy once that fails. While look-ups
 * fail, nobody waits for the database unless the copy lacks the key.
 */
const askCold =
  <V extends object>(
    ask: (key: string, timeoutMs: number) => Promise<V | null>,
    copies: Loads<V>,
    outage: Outage,
    { loadTimeoutMs }: OutageCacheOptions<V>,
  ) =>
  async (key: string): Promise<V | null> => {
    const askDatabase = () => ask(key, loadTimeoutMs);
    const askCopy = async (): Promise<V> => {
      const late = () => new Error(`no answer of the copy within ${loadTimeoutMs} ms`);
      const { value, isNegative } = await within(copies.join(key), loadTimeoutMs, late);
      if (value === null || isNegative) throw new Error('the copy has no such thing');
      return value;
    };
    if (!outage.failing) {
      return askDatabase().catch((error: unknown) =>
        askCopy().catch(() => {
          throw error;
        }),
      );
    }
    // `ask` has noted the failure.
    if (outage.isProbe()) askDatabase().catch(() => {});
    return askCopy().catch(askDatabase);
  };

/**
 * Makes a cache in front of the database that outlives its outage. At most one current load runs for a key, and the
 * number of loads is bounded. A caller waits for a bounded time, but an answer that arrives later is kept. An answer
 * never replaces one that was asked for later.
 */
export const createOutageCache = <V extends object>(
  options: OutageCacheOptions<V>,
  log: Pick<Log, 'info' | 'warn'>,
) => {
  const { what, whileFailing } = options;
  const outage = watchOutage(what, options.retryMs, log);
  const entries = createEntries<V>(options.max, options.sizeOf?.bind(options) ?? (() => 1));
  const loads = createLoads<V>({
    load: (key) => options.load(key),
    isNegative: (value) => options.isNegative?.(value) ?? false,
    onAnswer: outage.noteSuccess,
    keep: entries.keep,
    isCopy: false,
    max: options.maxLoads,
  });
  const ask = askWith(loads, outage, options);
  const { loadCopy } = options;
  const copies =
    loadCopy === undefined
      ? null
      : createLoads<V>({
          load: loadCopy,
          isNegative: (value) => options.isNegative?.(value) ?? false,
          onAnswer: () => {},
          keep(key, entry) {
            const isCold = usableOf(entries.findValue(key), options.staleMs) === null;
            if (isCold && !entry.isNegative) entries.keep(key, entry);
          },
          isCopy: true,
          max: options.maxLoads,
        });
  const askForCold = copies === null ? null : askCold(ask, copies, outage, options);
  let hits = 0;
  let misses = 0;

  const peek = (key: string): V | null | undefined => {
    const kept = entries.find(key);
    if (kept === undefined || !isFresh(kept, options)) return undefined;
    hits += 1;
    return kept.value;
  };

  const get = async (key: string): Promise<V | null> => {
    const fresh = peek(key);
    if (fresh !== undefined) return fresh;
    const kept = entries.findValue(key);
    const usable = usableOf(kept, options.staleMs);
    const isUnchanged = usable !== null && kept?.current === true && !isOutdated(kept, options);
    if (outage.failing && usable !== null && (isUnchanged || whileFailing === 'spare')) {
      hits += 1;
      // `ask` has noted the failure.
      if (outage.isProbe()) ask(key, options.loadTimeoutMs).catch(() => {});
      return usable;
    }
    misses += 1;
    if (usable === null && askForCold !== null) return askForCold(key);
    if (outage.failing && whileFailing === 'spare' && !outage.isProbe()) {
      throw new Error(`${what} cannot be looked up at the moment`);
    }
    const timeoutMs = isUnchanged ? options.refreshTimeoutMs : options.loadTimeoutMs;
    return ask(key, timeoutMs).catch((error: unknown) => {
      if (usable === null) throw error;
      return usable;
    });
  };

  const has = (key: string): boolean => {
    const none = entries.peekNegative(key);
    return entries.hasValue(key) || (none !== undefined && isFresh(none, options));
  };

  return {
    /** Returns the answer from memory while it is fresh; `undefined` when the database must be asked. */
    peek,
    /** Returns the answer. @throws When the database gives none in time and no value in memory is usable. */
    get,
    /** Whether a value, fresh or not, or a fresh negative answer is in memory. */
    has,
    /** Notes that the key's answer may have changed. Its value is then used only while the database is unavailable. */
    outdate(key: string): void {
      loads.outdate(key);
      copies?.outdate(key);
      entries.outdate(key);
    },
    /** Does the same for all keys: call it when news may have been missed. */
    outdateAll(): void {
      loads.outdateAll();
      copies?.outdateAll();
      entries.outdateAll();
    },
    /** Forgets the values that match, and all negative answers. */
    drop(matches: (value: V) => boolean): void {
      loads.disown();
      copies?.disown();
      entries.drop(matches);
    },
    /** Values in memory, and look-ups that were answered from it (`hits`) or asked the database (`misses`). */
    stats: () => ({ entries: entries.size, hits, misses }),
  };
};
