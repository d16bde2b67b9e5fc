/** Returns a function that makes the value when it is first asked for, and returns the same ever after. */
export const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
