import { ok, type Result, refused } from '../../result.ts';

const MAX_CHARACTERS = 200;

/**
 * Returns a folder name in its stored form: Unicode NFC, trimmed, 1 to 200 characters, no control characters.
 *
 * @returns The name, or what is wrong with it.
 */
export const toFolderName = (text: string): Result<string, string> => {
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) {
    return refused('must be well-formed text without control characters');
  }
  const name = text.normalize('NFC').trim();
  const length = [...name].length;
  if (length < 1 || length > MAX_CHARACTERS) {
    return refused(`must have 1 to ${MAX_CHARACTERS} characters besides white space at its ends`);
  }
  return ok(name);
};

const RESTORED_MAX = 100;

/** Returns candidate names for a restored folder, the best first: `<name>`, `<name> (restored)` and so on. */
export const listRestoredNames = (name: string): readonly string[] => {
  const characters = [...name];
  const withEnding = (ending: string): string =>
    characters
      .slice(0, MAX_CHARACTERS - ending.length)
      .join('')
      .trimEnd() + ending;
  const numbered = Array.from({ length: RESTORED_MAX - 1 }, (_, i) => withEnding(` (restored ${i + 2})`));
  return [name, withEnding(' (restored)'), ...numbered];
};

/** Returns the default folder name for bulk calls and batches: `Bulk Import` and the UTC day. */
export const defaultFolderName = (now: Date): string => `Bulk Import ${now.toISOString().slice(0, 10)}`;
