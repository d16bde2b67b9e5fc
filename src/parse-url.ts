/**
 * Returns the URL, or `null` when the text is not one. `URL.canParse` of Node 20 cannot be used: once compiled, it
 * rejects every text with a Latin-1 letter outside ASCII, such as `ü`.
 */
export const parseUrl = (text: string, base?: string): URL | null => {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
};
