/** Which of several encodings people of a language use. */
import type { Reading } from '../../../../csv/charset.ts';

/** All of WHATWG's Encoding Standard that the service decodes. */
export const ENCODINGS: readonly string[] = [
  ...['utf-8', 'utf-16le', 'utf-16be', 'ibm866', 'iso-8859-2', 'iso-8859-3', 'iso-8859-4', 'iso-8859-5'],
  ...['iso-8859-6', 'iso-8859-7', 'iso-8859-8', 'iso-8859-8-i', 'iso-8859-10', 'iso-8859-13', 'iso-8859-14'],
  ...['iso-8859-15', 'koi8-r', 'koi8-u', 'macintosh', 'windows-874', 'windows-1250', 'windows-1251'],
  ...['windows-1252', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-1257'],
  ...[
    'windows-1258',
    'x-mac-cyrillic',
    'gbk',
    'gb18030',
    'big5',
    'euc-jp',
    'iso-2022-jp',
    'shift_jis',
    'euc-kr',
  ],
];

const OF_LANGUAGES: Readonly<Record<string, string>> = {
  ...{ ja: 'shift_jis', ko: 'euc-kr', zh: 'gb18030', 'zh-tw': 'big5', 'zh-hk': 'big5', 'zh-hant': 'big5' },
  ...{ ru: 'windows-1251', uk: 'windows-1251', bg: 'windows-1251', sr: 'windows-1251', mk: 'windows-1251' },
  ...{ be: 'windows-1251', kk: 'windows-1251', pl: 'windows-1250', cs: 'windows-1250', sk: 'windows-1250' },
  ...{ hu: 'windows-1250', sl: 'windows-1250', hr: 'windows-1250', ro: 'windows-1250', bs: 'windows-1250' },
  ...{ sq: 'windows-1250', el: 'windows-1253', tr: 'windows-1254', az: 'windows-1254', he: 'windows-1255' },
  ...{ ar: 'windows-1256', fa: 'windows-1256', ur: 'windows-1256', et: 'windows-1257', lv: 'windows-1257' },
  ...{ lt: 'windows-1257', vi: 'windows-1258', th: 'windows-874' },
};
const WESTERN = 'windows-1252';

/** Returns the encoding that Windows has in a language, such as `de-CH`. */
const encodingOf = (language: string): string => {
  const tag = language.toLowerCase();
  const [name = ''] = tag.split('-');
  return OF_LANGUAGES[tag] ?? OF_LANGUAGES[tag.split('-', 2).join('-')] ?? OF_LANGUAGES[name] ?? WESTERN;
};

/**
 * Returns the encoding to begin with: that of the first language in which the row can be read, else the likeliest.
 *
 * @param languages Those of the browser, the preferred one first.
 */
export const preselect = (readings: readonly Reading[], languages: readonly string[]): string => {
  const usual = languages
    .map(encodingOf)
    .find((encoding) => readings.some((one) => one.encoding === encoding));
  return usual ?? readings[0]?.encoding ?? WESTERN;
};
