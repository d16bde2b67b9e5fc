import type { Entry } from './entries.ts';

/** How values are loaded, and how many loads may run. */
export interface LoadOptions<V> {
  /** Asks the database. Returns `null` when it has no such thing, and throws when it is unavailable. */
  load(key: string): Promise<V | null>;
  /** Whether a value counts as a negative answer, like `null`. */
  isNegative(value: V): boolean;
  /** Called when the database has answered. */
  onAnswer(): void;
  /** Called with each answer that may be kept, also with one that nobody waits for. */
  keep(key: string, entry: Entry<V>): void;
  /** Greatest number of loads in flight. */
  readonly max: number;
}

interface Load<V> {
  readonly entry: Promise<Entry<V>>;
  /** False once news has arrived: nobody joins the load, and what it finds is outdated. */
  current: boolean;
  /** False once values were dropped, because what it finds may be one of them. */
  isKept: boolean;
}

/** Loads in flight; see `createLoads`. */
export type Loads<V extends object> = ReturnType<typeof createLoads<V>>;

/** Creates the loads of one cache. At most one current load runs for a key. */
export const createLoads = <V extends object>(options: LoadOptions<V>) => {
  const loads = new Map<string, Load<V>>();
  let underWay = 0;

  const load = async (key: string, self: () => Load<V>): Promise<Entry<V>> => {
    const askedMs = performance.now();
    underWay += 1;
    try {
      const value = await options.load(key);
      options.onAnswer();
      const isNegative = value === null || options.isNegative(value);
      const { current, isKept } = self();
      const entry = { value, isNegative, askedMs, current };
      if (isKept) options.keep(key, entry);
      return entry;
    } finally {
      underWay -= 1;
    }
  };

  const begin = (key: string): Load<V> => {
    if (underWay >= options.max) throw new Error(`${underWay} look-ups are under way`);
    const begun: Load<V> = { current: true, isKept: true, entry: load(key, () => begun) };
    loads.set(key, begun);
    const end = () => {
      if (loads.get(key) === begun) loads.delete(key);
    };
    begun.entry.then(end, end);
    return begun;
  };

  return {
    /** Returns the answer of the key's current load, and begins one if there is none. @throws When too many run. */
    join(key: string): Promise<Entry<V>> {
      const joined = loads.get(key);
      return (joined?.current ? joined : begin(key)).entry;
    },
    /** Notes news about the key: nobody joins its load afterwards, and what that load finds is outdated. */
    outdate(key: string): void {
      const load = loads.get(key);
      if (load) load.current = false;
    },
    /** Does the same for all keys. */
    outdateAll(): void {
      for (const load of loads.values()) load.current = false;
    },
    /** Does the same when values were dropped: what the loads find is not kept either, as it may be one of these. */
    disown(): void {
      for (const load of loads.values()) {
        load.current = false;
        load.isKept = false;
      }
    },
  };
};
