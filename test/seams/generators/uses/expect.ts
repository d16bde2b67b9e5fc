/** Throws when a value is not the expected one. */
export const equal = (found: unknown, wanted: unknown, what: string): void => {
  if (found !== wanted) throw new Error(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
};

/** Returns a value that must be there. */
export const present = <T>(found: T | null | undefined, what: string): T => {
  if (found === null || found === undefined) throw new Error(`${what} is missing`);
  return found;
};

/** Throws when a text is not the data URL of a PNG. */
export const isPicture = (text: string): void =>
  equal(text.slice(0, 22), 'data:image/png;base64,', 'the beginning of a picture');

/** The items of a bulk call. */
export const ITEMS = [{ data: 'https://example.com/1', dynamic: true }, { data: 'https://example.com/2' }];

/** The rows of a batch. */
export const CSV = 'data,name\nhttps://example.com/3,Cup 3\n';

/** The text of the error to which `{ data: '' }` leads. */
export const REFUSED = 'Invalid request body';
