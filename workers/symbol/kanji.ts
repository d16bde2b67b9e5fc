import toSjis from 'qrcode/helper/to-sjis.js';

/**
 * Shift-JIS values by UTF-16 code unit, filled on first use because the helper of `qrcode` searches its whole table
 * for every character. 0 means not looked up yet; `UNWRITABLE` means that there is no double-byte value.
 */
const known = new Uint16Array(0x10000);
const UNWRITABLE = 1;

/** Returns the double-byte Shift-JIS value (JIS X 0208) of a character, or `undefined` when it has none. */
export function shiftJisOf(character: string): number | undefined {
  const unit = character.charCodeAt(0);
  known[unit] ||= toSjis(character) ?? UNWRITABLE;
  return known[unit] === UNWRITABLE ? undefined : known[unit];
}

/**
 * Whether Kanji mode can encode the text (ISO/IEC 18004:2015, 7.4.6). Stops at the first character that it cannot
 * encode.
 */
export function isKanjiText(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    if (shiftJisOf(text[i]!) === undefined) return false;
  }
  return true;
}
