import { setTimeout as sleep } from 'node:timers/promises';

/** Returns a function that makes the value on the first call and returns the same value from then on. */
export type Once = <T>(make: () => T) => () => T;

/** While values are made before they are needed, the gateway rests this many times as long as each took. */
const REST_FACTOR = 3;

/** Creates what makes values at their first use, or before it. */
export const createOnce = () => {
  const unmade = new Set<() => unknown>();
  const once: Once = (make) => {
    let made: ReturnType<typeof make> | undefined;
    const get = () => {
      if (made === undefined) {
        made = make();
        unmade.delete(get);
      }
      return made;
    };
    unmade.add(get);
    return get;
  };
  return {
    once,
    /** Makes what nobody has needed yet, one value in a turn. @throws When aborted, or as what makes a value does. */
    async makeAll(signal: AbortSignal): Promise<void> {
      for (const get of unmade) {
        const startedMs = performance.now();
        get();
        await sleep(REST_FACTOR * (performance.now() - startedMs), undefined, { signal });
      }
    },
  };
};
