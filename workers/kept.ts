/** Returns the cached value of a key. On a miss it makes the value and caches it. */
export const getOrMake = <Key, Value>(
  cache: { get(key: Key): Value | undefined; set(key: Key, value: NoInfer<Value>): unknown },
  key: Key,
  make: () => NoInfer<Value>,
): Value => {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
};
