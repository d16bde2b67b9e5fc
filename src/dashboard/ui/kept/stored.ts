/** Texts that the browser keeps for this dashboard. */

/** Returns what was kept under a key; `null` for nothing. */
export const readKept = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

/** Keeps a text under a key, if the browser lets it. */
export const keep = (key: string, text: string): void => {
  try {
    localStorage.setItem(key, text);
  } catch {}
};
