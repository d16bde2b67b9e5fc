const MAX_CHARACTERS = 200;

/**
 * A folder name as it is stored: Unicode NFC, trimmed, 1 to 200 characters, no control characters.
 *
 * @returns The name, or what is wrong with it.
 */
export const toFolderName = (text: string): { readonly name: string } | { readonly message: string } => {
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) {
    return { message: 'must be well-formed text without control characters' };
  }
  const name = text.normalize('NFC').trim();
  const length = [...name].length;
  if (length < 1 || length > MAX_CHARACTERS) {
    return { message: `must have 1 to ${MAX_CHARACTERS} characters besides white space at its ends` };
  }
  return { name };
};

/** The folder of a batch that names none: one a day. */
export const defaultFolderName = (now: Date): string => `Bulk Import ${now.toISOString().slice(0, 10)}`;
