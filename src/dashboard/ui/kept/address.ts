/** What a person has chosen on a screen, kept in its address: Back, a reload and a shared link show the same. */
import { useLocation } from 'preact-iso';

/** A choice adds an entry to the history, so that Back leads to what was shown before it; typing changes the entry. */
type How = 'chosen' | 'typed';

/**
 * Returns what the query of the address says under these names, and a function that changes some of it. A value that is
 * the default is left out of the address.
 *
 * @param known The values that a name may have, as `Options` lists them. Any other counts as its default.
 */
export const useAddressed = <T extends Readonly<Record<string, string>>>(
  defaults: T,
  known: { readonly [K in keyof T]?: readonly (readonly [value: T[K], ...unknown[]])[] } = {},
): readonly [values: T, change: (changed: Partial<T>, how?: How) => void] => {
  const { query, route } = useLocation();
  const entries = Object.entries(defaults).map(([name, byDefault]) => {
    const value = query[name] ?? byDefault;
    const isKnown = known[name]?.some(([option]) => option === value) ?? true;
    return [name, isKnown ? value : byDefault];
  });
  const change = (changed: Partial<T>, how: How = 'chosen'): void => {
    // The query of the last rendering would forget another change of the same moment.
    const asked = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changed)) {
      if (value === undefined || value === defaults[name]) asked.delete(name);
      else asked.set(name, value);
    }
    const search = asked.size === 0 ? '' : `?${asked}`;
    if (search !== location.search) route(`${location.pathname}${search}`, how === 'typed');
  };
  return [Object.fromEntries(entries) as T, change];
};
