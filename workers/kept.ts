/** Returns what a cache holds for a key; makes it and keeps it where there is none. */
export function getOrMake<Key, Value>(
  cache: { get(key: Key): Value | undefined; set(key: Key, value: NoInfer<Value>): unknown },
  key: Key,
  make: () => NoInfer<Value>,
): Value {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
}
