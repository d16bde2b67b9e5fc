/** A bounded number of places for each key. */
export interface Places {
  /** Runs `job` in one of the key's places. Returns `null`, without running it, when all are taken. */
  run<T>(key: string, job: () => Promise<T>): Promise<T | null>;
}

/** Creates the places: at most `maxPerKey` jobs of a key run at a time. Only keys with running jobs use memory. */
export const createPlaces = (maxPerKey: number): Places => {
  const taken = new Map<string, number>();
  return {
    async run(key, job) {
      const before = taken.get(key) ?? 0;
      if (before >= maxPerKey) return null;
      taken.set(key, before + 1);
      try {
        return await job();
      } finally {
        const others = taken.get(key)! - 1;
        if (others === 0) taken.delete(key);
        else taken.set(key, others);
      }
    },
  };
};
