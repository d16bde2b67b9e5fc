/** Encodings: WHATWG's Encoding Standard, as far as the runtime decodes it. */
import { ok, type Result, refused } from '../../result.ts';

/** With a byte order mark, this label leaves the order of bytes to it. */
export const UTF_16 = 'utf-16';

/** Returns the name of the encoding of a label, or says that there is none. */
export const readEncoding = (label: string): Result<string, string> => {
  const written = label.trim().toLowerCase();
  if (written === UTF_16) return ok(UTF_16);
  try {
    return ok(new TextDecoder(written).encoding);
  } catch {
    const shown = JSON.stringify(label.slice(0, 40));
    return refused(`${shown} is no encoding that can be read; name one of the WHATWG Encoding Standard`);
  }
};

/** The encodings in which people save tables, by the languages of Windows first; the likeliest win ties. */
export const COMMON = [
  ...['windows-1252', 'windows-1251', 'windows-1250', 'shift_jis', 'gb18030', 'big5', 'euc-kr', 'euc-jp'],
  ...['windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-1257', 'windows-1258'],
  ...['windows-874', 'koi8-r', 'ibm866', 'macintosh', 'iso-8859-2', 'iso-8859-15'],
] as const;

const WINDOWS_1252 = 'windows-1252';
/** The characters of its bytes 0x80 to 0x9f. Five have none: they stay controls. */
const HIGH = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Decodes bytes strictly. Windows-1252 is decoded here, because Node 20 takes it for Latin-1.
 *
 * @param isCut Whether the last character may be incomplete; it is left out.
 * @throws {TypeError} for bytes that are not in the encoding.
 */
export const decodeStrictly = (bytes: Uint8Array, encoding: string, isCut: boolean): string => {
  if (encoding !== WINDOWS_1252)
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  const text = new TextDecoder('latin1').decode(bytes);
  return text.replace(/[\u0080-\u009f]/g, (byte: string) => HIGH[byte.charCodeAt(0) - 0x80]!);
};
