/** One AI with its value, and where it stood in the text that was sent. */
export interface Element {
  readonly ai: string;
  /** The value that is checked: without escapes, and a GTIN with 14 digits. */
  readonly value: string;
  /** As it was sent. */
  readonly raw: string;
  /** Where `raw` begins in the text, from 0. */
  readonly start: number;
}

/** Returns the place in the text, from 1, of a character of the value. */
export const placeOf = ({ raw, value, start }: Element, offset: number): number => {
  if (raw === value) return start + offset + 1;
  const written = raw.match(/%[0-9A-Fa-f]{2}|\\\(|[\s\S]/g) ?? [];
  // A GTIN may have been sent without its leading zeros.
  const before = Math.max(0, offset - (value.length - written.length));
  return start + written.slice(0, before).join('').length + 1;
};
