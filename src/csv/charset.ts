/** Names of encodings: WHATWG's Encoding Standard, as far as the runtime decodes it. */
import { ok, type Result, refused } from '../result.ts';

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

/** All of the standard that Node decodes. */
export const ENCODINGS: readonly string[] = [
  ...['utf-8', 'utf-16le', 'utf-16be', 'ibm866', 'iso-8859-2', 'iso-8859-3', 'iso-8859-4', 'iso-8859-5'],
  ...['iso-8859-6', 'iso-8859-7', 'iso-8859-8', 'iso-8859-8-i', 'iso-8859-10', 'iso-8859-13', 'iso-8859-14'],
  ...['iso-8859-15', 'koi8-r', 'koi8-u', 'macintosh', 'windows-874', 'windows-1250', 'windows-1251'],
  ...['windows-1252', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-1257'],
  ...['windows-1258', 'x-mac-cyrillic', 'gbk', 'gb18030', 'big5', 'euc-jp', 'iso-2022-jp', 'shift_jis', 'euc-kr'],
];

/** The encodings in which people save tables, by the languages of Windows first; the likeliest win ties. */
export const COMMON = [
  ...['windows-1252', 'windows-1251', 'windows-1250', 'shift_jis', 'gb18030', 'big5', 'euc-kr', 'euc-jp'],
  ...['windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-1257', 'windows-1258'],
  ...['windows-874', 'koi8-r', 'ibm866', 'macintosh', 'iso-8859-2', 'iso-8859-15'],
] as const;
