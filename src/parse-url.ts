/**
 * Returns the URL, or `null` when the text is no URL. `URL.canParse` of Node 20 cannot be used: once it is compiled, it
 * refuses every text that has a letter of Latin-1 beyond ASCII, like `ü`.
 */
export const parseUrl = (text: string, base?: string): URL | null => {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
};
