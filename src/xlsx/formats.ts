/** What cells show by their number formats (ECMA-376, 18.8.30). Cells store dates and times as counts of days. */

import { addLocale, format, getFormatInfo } from 'numfmt';
import { ok, type Result, refused } from '../result.ts';
import { readXml } from './xml.ts';

/** Which parts of a moment a number format shows. */
interface MomentParts {
  readonly hasDate: boolean;
  readonly hasTime: boolean;
  /** Decimals of a second. */
  readonly decimals: number;
}

const DAY_S = 86_400;
/** 31 December 9999. */
const DAY_MAX = 2_958_465;
/** Days between the epochs of the 1900 and the 1904 date systems. */
const TO_1904 = 1462;
/** The 1900 date system has a 29 February 1900, which never existed. */
const LEAP_FAULT = 60;

const dayText = (day: number): string => {
  const firstDay = day < LEAP_FAULT ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30);
  return new Date(firstDay + day * DAY_S * 1000).toISOString().slice(0, 10);
};

const timeText = (units: number, decimals: number): string => {
  const scale = 10 ** decimals;
  const time = new Date(Math.floor(units / scale) * 1000).toISOString().slice(11, 19);
  return decimals === 0 ? time : `${time}.${String(units % scale).padStart(decimals, '0')}`;
};

/**
 * Converts a day count to the parts that its format shows, in ISO 8601. A date at midnight has no time.
 *
 * @returns Refused with what is wrong with it, as the end of a sentence.
 */
export const toIsoMoment = (
  days: number,
  is1904: boolean,
  { hasDate, hasTime, decimals }: MomentParts,
): Result<string, string> => {
  const dayUnits = DAY_S * 10 ** decimals;
  const units = Math.round((is1904 ? days + TO_1904 : days) * dayUnits);
  const day = Math.floor(units / dayUnits);
  if (!(day >= 0 && day <= DAY_MAX)) return refused('has a date or time that spreadsheets show as ####');
  const time = timeText(units - day * dayUnits, decimals);
  if (!hasDate) return ok(time);
  if (day === 0) return refused('has a date that does not exist, 0 January 1900; give it a format of times');
  if (day === LEAP_FAULT) return refused('has a date that does not exist, 29 February 1900');
  return ok(hasTime && units % dayUnits !== 0 ? `${dayText(day)}T${time}` : dayText(day));
};

/** How cells of a style show numbers and texts. Refused: with what is wrong, as the end of a sentence. */
export interface CellFormat {
  showNumber(written: string): Result<string, string>;
  showText(text: string): Result<string, string>;
}

/** The format of a style: its id, and its definition unless it is built in. */
interface StoredFormat {
  readonly id: number;
  readonly code: string | null;
}

const GENERAL = 'General';
/** Excel has no longer ones. */
const CODE_MAX_LENGTH = 255;
/** Numbers have 15 digits in spreadsheets; further ones become zeros. */
const DIGITS = 15;

/** The built-in formats that mean the same everywhere. */
const BUILT_IN: Readonly<Record<number, string>> = {
  0: GENERAL,
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'm/d/yy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yy h:mm',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  41: '#,##0;-#,##0;"-"',
  43: '#,##0.00;-#,##0.00;"-"',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
};
/** Dates or times, depending on the language of the program. */
const isEastAsian = (id: number): boolean => (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
/** Their currency is that of the computer. */
const CURRENCIES: readonly number[] = [5, 6, 7, 8, 42, 44];

/** Separators depend on the computer too, so the decimal one is a point, and thousands have none. */
const LOCALE = 'zxx';
addLocale({ group: '', decimal: '.' }, LOCALE);

/** Leaves out colours, and languages, whose separators would be used; keeps currencies. */
const withoutLanguages = (code: string): string =>
  code
    .replace(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, (_, symbol: string) =>
      symbol === '' ? '' : `"${symbol.replaceAll('"', '')}"`,
    )
    .replace(/\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\]/gi, '');

/** Leaves out literals, and what is as wide as a character or fills the cell. */
const tokensOf = (code: string): string => code.replace(/"[^"]*"?|\\.|_.|\*./g, '');

const tidy = (shown: string): string => shown.replace(/\s+/g, ' ').trim();

const toNumber = (written: string): Result<number, string> => {
  const value = written.trim() === '' ? Number.NaN : Number(written);
  if (!Number.isFinite(value)) return refused('has a number that cannot be read');
  return Math.abs(value) >= 10 ** DIGITS
    ? refused(`has a number of more than ${DIGITS} digits, which spreadsheets round; enter it as text`)
    : ok(value);
};

/** Writes a number without the digits that are artefacts of binary fractions, and without an exponent. */
const plainText = (value: number): string => {
  const text = String(Number(value.toPrecision(DIGITS)));
  const [, sign, whole, decimals = '', zeros] = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? [];
  return zeros === undefined ? text : `${sign}0.${'0'.repeat(Number(zeros) - 1)}${whole}${decimals}`;
};

type Show = (value: number) => Result<string, string>;

const UNREADABLE = 'has a number format that cannot be read; give it the format Number or Text';

const showGeneral: Show = (value) => ok(plainText(value));

/** Spreadsheets round the decimal digits, so that 1.005 is 1.01; the next binary fraction does too. */
const roundable = (value: number): number => (Number.isInteger(value) ? value : value * (1 + Number.EPSILON));

const showBy =
  (code: string): Show =>
  (value) => {
    let shown: string;
    try {
      shown = tidy(format(code, roundable(value), { locale: LOCALE }));
    } catch {
      return refused(UNREADABLE);
    }
    if (shown.includes('###')) return refused('has a number that spreadsheets show as ####');
    return shown === '' && value !== 0 ? refused('has a number that its format hides') : ok(shown);
  };

/** Whole numbers in the most frequent formats. */
const showWhole = (code: string): Show => {
  const rest = showBy(code);
  const digits = code.replace(/[^0]/g, '').length;
  return (value) =>
    Number.isInteger(value) && value >= 0 && digits > 0
      ? ok(String(value).padStart(digits, '0'))
      : rest(value);
};

const showMoment =
  (partsOf: (value: number) => MomentParts, is1904: boolean): Show =>
  (value) =>
    toIsoMoment(value, is1904, partsOf(value));

const isBoth = (value: number): MomentParts => ({
  hasDate: value >= 1,
  hasTime: !Number.isInteger(value),
  decimals: 0,
});

const refuse =
  (message: string): Show =>
  () =>
    refused(message);

const showNumberOf = (code: string, is1904: boolean): Show => {
  const tokens = tokensOf(code);
  if (/\[(?:dbnum|natnum)/i.test(tokens)) return refuse('has a number in a format with other digits');
  const { type } = getFormatInfo(code);
  if (/^general$/i.test(tokens) || type === 'text') return tokens === code ? showGeneral : showBy(code);
  if (/\[(?:h+|m+|s+)\]/i.test(tokens))
    return (value) => (value < 0 ? refused('has a negative duration') : showBy(code)(value));
  if (type === 'date' || type === 'time' || type === 'datetime') {
    const [, decimals = ''] = /s\.(0+)/i.exec(tokens) ?? [];
    const parts = { hasDate: type !== 'time', hasTime: type !== 'date', decimals: decimals.length };
    return showMoment(() => parts, is1904);
  }
  if (type === 'scientific')
    return refuse('is shown with an exponent, which loses digits; give it the format Number or Text');
  return /^[#0,]*[#0]$/.test(code) ? showWhole(code) : showBy(code);
};

/** Returns the section of a format for texts, if it adds to them or hides them. */
const showTextOf = (code: string): CellFormat['showText'] => {
  const sections = tokensOf(code).split(';');
  const isForText = sections.length > 3 || tokensOf(code).includes('@');
  const sample = isForText ? tidy(format(code, 'x', { locale: LOCALE })) : 'x';
  if (sample === 'x') return ok;
  if (sample === '') return (text) => (text === '' ? ok('') : refused('has a text that its format hides'));
  return (text) => ok(text === '' ? '' : tidy(format(code, text, { locale: LOCALE })));
};

const compile = ({ id, code: own }: StoredFormat, is1904: boolean): CellFormat => {
  const written = own ?? BUILT_IN[id] ?? null;
  if (written === null && isEastAsian(id)) return toFormat(showMoment(isBoth, is1904));
  if (written === null && CURRENCIES.includes(id))
    return toFormat(refuse('has a currency that depends on the computer; choose one, or the format Number'));
  const code = withoutLanguages(written ?? GENERAL);
  try {
    if (code.length > CODE_MAX_LENGTH) throw new Error('its format is too long');
    return toFormat(showNumberOf(code, is1904), showTextOf(code));
  } catch {
    return toFormat(refuse(UNREADABLE));
  }
};

const toFormat = (show: Show, showText: CellFormat['showText'] = ok): CellFormat => ({
  showNumber(written) {
    const value = toNumber(written);
    return value.ok ? show(value.value) : value;
  },
  showText,
});

/** Returns a function that finds the format of a style. Each is prepared when a cell has it. */
export const createFormats = (stored: readonly StoredFormat[], is1904: boolean) => {
  const known = new Map<StoredFormat | undefined, CellFormat>();
  return (style: number): CellFormat => {
    const own = stored[style];
    const found = known.get(own) ?? compile(own ?? { id: 0, code: null }, is1904);
    known.set(own, found);
    return found;
  };
};

/** Returns the number format of each style of cells. @throws {XlsxFault}. */
export const readStyles = async (chunks: AsyncIterable<Buffer>): Promise<readonly StoredFormat[]> => {
  const formats = new Map<number, StoredFormat>();
  const styles: StoredFormat[] = [];
  let isInCells = false;
  await readXml(chunks, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      const id = Number(numFmtId);
      if (name === 'numFmt') formats.set(id, { id, code: formatCode });
      else if (name === 'cellXfs') isInCells = true;
      else if (name === 'xf' && isInCells) {
        const format = formats.get(id) ?? { id, code: null };
        // Styles that differ in other ways share it.
        formats.set(id, format);
        styles.push(format);
      }
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
    text() {},
  });
  return styles;
};
