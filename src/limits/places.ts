export interface Places {
  /** Runs `job` in one of the key's places; `null`: all are taken, and the job was not run. */
  run<T>(key: string, job: () => Promise<T>): Promise<T | null>;
}

/** Bounds what runs at a time for each key. Only keys for which something runs are remembered. */
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
