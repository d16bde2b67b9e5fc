/** A bounded number of things that are open at a time, in all and for each key. */
export interface OpenPlaces {
  /** Takes a place. Returns `null` when all are taken, or else a function that gives the place back; call it once. */
  enter(key: string): (() => void) | null;
}

/** Creates the places. Only keys with open things use memory. */
export const createOpenPlaces = (max: number, maxPerKey: number): OpenPlaces => {
  const openOf = new Map<string, number>();
  let open = 0;
  return {
    enter(key) {
      const own = openOf.get(key) ?? 0;
      if (open >= max || own >= maxPerKey) return null;
      open += 1;
      openOf.set(key, own + 1);
      return () => {
        const others = openOf.get(key)! - 1;
        open -= 1;
        if (others === 0) openOf.delete(key);
        else openOf.set(key, others);
      };
    },
  };
};
