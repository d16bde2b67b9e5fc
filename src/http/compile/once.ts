/** Returns a function that makes the value on the first call and returns the same value from then on. */
export const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
