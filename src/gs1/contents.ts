/**
 * Checks of the content of values, by the names of the table. Each is given text of the right characters and length.
 * Coupons of North America: GS1 US, North American Coupon Application Guideline Using GS1 DataBar Expanded.
 */
import { findDigitProblem, findIbanProblem, findPairProblem } from './check-digits.ts';
import { COUNTRY_LETTERS, COUNTRY_NUMBERS, CURRENCIES, PACKAGE_TYPES } from './code-lists.ts';
import type { Problem } from './fault.ts';

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/**
 * Makes a check of dates. Years of two digits are in 51 years around the current one (GS1 General Specifications, 7.12),
 * in which every fourth year is a leap year.
 *
 * @param mayBeMonth Whether the day 00 is allowed, which leaves the day open.
 */
const findDayProblem =
  (form: 'YYMMDD' | 'YYYYMMDD', mayBeMonth: boolean) =>
  (text: string): Problem | null => {
    const digits = form.length - 4;
    const month = Number(text.slice(digits, digits + 2));
    const day = Number(text.slice(digits + 2));
    if (month < 1 || month > 12) {
      return {
        offset: digits,
        message: `month ${text.slice(digits, digits + 2)} does not exist: write ${form}`,
      };
    }
    if (day === 0) {
      if (mayBeMonth) return null;
      return { offset: digits + 2, message: 'the day must not be 00 here: write the day' };
    }
    const year = Number(text.slice(0, digits)) + (digits === 2 ? 2000 : 0);
    const days = month === 2 && isLeap(year) ? 29 : DAYS[month - 1]!;
    if (day <= days) return null;
    return { offset: digits + 2, message: `day ${day} does not exist in that month: write ${form}` };
  };

const LAST = { hour: 23, minute: 59, second: 59 } as const;

/** Makes a check of parts of a time of day, of two digits each. */
const findTimeProblem =
  (parts: readonly (keyof typeof LAST)[]) =>
  (text: string): Problem | null => {
    for (const [i, part] of parts.entries()) {
      const offset = 2 * i;
      if (Number(text.slice(offset, offset + 2)) > LAST[part]) {
        return { offset, message: `the ${part} must be 00 to ${LAST[part]}` };
      }
    }
    return null;
  };

/** A field: so many `digits`; or a date; or a digit that says how many digits follow it, to which `more` is added. */
interface Field {
  readonly name: string;
  readonly digits?: number;
  readonly isDate?: true;
  /** What the first digit may be; absent: any. */
  readonly first?: string;
  /** Absent: the first digit is all. */
  readonly more?: number;
  /** The first digit after which nothing follows. */
  readonly none?: string;
}

const prefixOf = (name: string): Field => ({ name, first: '0123456', more: 6 });
const requirementOf = (which: string): readonly Field[] => [
  { name: `${which} purchase requirement`, first: '12345', more: 0 },
  { name: `${which} purchase requirement code`, first: '012349' },
  { name: `${which} purchase family code`, digits: 3 },
];
/** For the second and third purchase, 9 means no company prefix. */
const otherPrefixOf = (which: string): Field => ({
  name: `company prefix of the ${which} purchase`,
  first: '01234569',
  more: 6,
  none: '9',
});

const OFFER_CODE: Field = { name: 'offer code', digits: 6 };
const SERIAL: Field = { name: 'serial number', more: 6 };

const COUPON: readonly Field[] = [
  prefixOf('company prefix'),
  OFFER_CODE,
  { name: 'save value', first: '12345', more: 0 },
  ...requirementOf('first'),
];

/** Fields that may follow, each group after its digit, in this order. */
const OPTIONAL: readonly (readonly [digit: string, fields: readonly Field[]])[] = [
  [
    '1',
    [
      { name: 'additional purchase rules', first: '0123' },
      ...requirementOf('second'),
      otherPrefixOf('second'),
    ],
  ],
  ['2', [...requirementOf('third'), otherPrefixOf('third')]],
  ['3', [{ name: 'expiration date', isDate: true }]],
  ['4', [{ name: 'start date', isDate: true }]],
  ['5', [SERIAL]],
  ['6', [{ name: 'company prefix or GLN of the retailer', first: '1234567', more: 6 }]],
  [
    '9',
    [
      { name: 'save value code', first: '01256' },
      { name: 'item that the save value applies to', first: '012' },
      { name: 'store coupon flag', digits: 1 },
      { name: "don't multiply flag", first: '01' },
    ],
  ],
];

const OFFER: readonly Field[] = [{ name: 'format', first: '01' }, prefixOf('funder'), OFFER_CODE, SERIAL];

const findDateProblem = findDayProblem('YYMMDD', false);

/** Returns where a field ends, or what is wrong with it. */
const readField = (text: string, at: number, { name, first: choices, ...field }: Field): number | Problem => {
  const first = text[at];
  if (first === undefined) return { offset: at, message: `ends before its ${name}` };
  if (choices !== undefined && !choices.includes(first)) {
    return { offset: at, message: `the ${name} must begin with one of ${choices}` };
  }
  const counted = field.more === undefined || first === field.none ? 0 : Number(first) + field.more;
  const end = at + (field.isDate ? 6 : (field.digits ?? 1 + counted));
  if (end > text.length) return { offset: at, message: `ends within its ${name}` };
  const problem = field.isDate ? findDateProblem(text.slice(at, end)) : null;
  return problem === null ? end : { offset: at + problem.offset, message: `${name}: ${problem.message}` };
};

const readFields = (text: string, start: number, fields: readonly Field[]): number | Problem => {
  let at = start;
  for (const field of fields) {
    const end = readField(text, at, field);
    if (typeof end !== 'number') return end;
    at = end;
  }
  return at;
};

const findNonDigit = (text: string): Problem | null => {
  const offset = text.search(/\D/);
  return offset < 0 ? null : { offset, message: 'must be only digits' };
};

/** Checks a coupon code, AI 8110. */
const findCouponProblem = (text: string): Problem | null => {
  const nonDigit = findNonDigit(text);
  if (nonDigit !== null) return nonDigit;
  let at = readFields(text, 0, COUPON);
  let expires: string | null = null;
  for (const [digit, fields] of OPTIONAL) {
    if (typeof at !== 'number') return at;
    if (text[at] !== digit) continue;
    const start = at + 1;
    at = readFields(text, start, fields);
    if (typeof at !== 'number') return at;
    if (digit === '3') expires = text.slice(start, at);
    if (digit === '4' && expires !== null && text.slice(start, at) > expires) {
      return { offset: start, message: 'the coupon starts after its expiration date' };
    }
  }
  if (typeof at !== 'number') return at;
  if (at === text.length) return null;
  return { offset: at, message: 'optional fields are 1, 2, 3, 4, 5, 6 and 9, in this order' };
};

/** Checks a positive offer file coupon, AI 8112. */
const findOfferProblem = (text: string): Problem | null => {
  const nonDigit = findNonDigit(text);
  if (nonDigit !== null) return nonDigit;
  const end = readFields(text, 0, OFFER);
  if (typeof end !== 'number') return end;
  return end === text.length ? null : { offset: end, message: 'must end after its serial number' };
};

/** Returns what is wrong with a part of a value; `null`: nothing. */
export type ContentCheck = (text: string) => Problem | null;

/** GS1 General Specifications, glossary: a GS1 Company Prefix has 4 to 12 digits. */
const PREFIX_MIN_DIGITS = 4;

const problemAt = (offset: number, message: string): Problem => ({ offset, message });

const matches =
  (pattern: RegExp, message: string): ContentCheck =>
  (text) =>
    pattern.test(text) ? null : problemAt(0, message);

const isIn =
  (codes: ReadonlySet<string>, what: string): ContentCheck =>
  (text) =>
    codes.has(text) ? null : problemAt(0, `"${text}" is not ${what}`);

const isAtMost =
  (limit: number, what: string): ContentCheck =>
  (text) =>
    Number(text) > limit ? problemAt(0, `${what} is at most ${limit}`) : null;

/** @param skipped Characters before the prefix. */
const beginsWithPrefix =
  (skipped: number): ContentCheck =>
  (text) => {
    for (let i = skipped; i < skipped + PREFIX_MIN_DIGITS; i += 1) {
      if (!(text[i]! >= '0' && text[i]! <= '9')) {
        return problemAt(i, `must begin with a GS1 Company Prefix, of at least ${PREFIX_MIN_DIGITS} digits`);
      }
    }
    return null;
  };

const findPercentProblem: ContentCheck = (text) => {
  const offset = text.search(/%(?![0-9A-Fa-f]{2})/);
  return offset < 0
    ? null
    : problemAt(offset, '"%" must be followed by two hexadecimal digits; write "%" itself as "%25"');
};

/** A piece number and the total number of pieces, each half of the digits. */
const findPieceProblem: ContentCheck = (text) => {
  const half = text.length / 2;
  const [piece, total] = [Number(text.slice(0, half)), Number(text.slice(half))];
  if (piece === 0) return problemAt(0, 'pieces are counted from 1');
  if (total === 0) return problemAt(half, 'the number of all pieces must not be 0');
  return piece > total ? problemAt(0, `piece ${piece} is more than all pieces, ${total}`) : null;
};

/** A place in an order, such as `2/3`. */
const findPlaceProblem: ContentCheck = (text) => {
  const [, place, end] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text) ?? [];
  if (end === undefined) return problemAt(0, 'must be a place and the number of all places, as in "1/2"');
  return Number(place) > Number(end) ? problemAt(0, `place ${place} is after the last, ${end}`) : null;
};

const findCountriesProblem: ContentCheck = (text) =>
  text === '999' ? null : isIn(COUNTRY_NUMBERS, 'the number of a country (ISO 3166-1), nor 999')(text);

/** 01 to 10 and 80 to 99: ICCBBA, table RT018. */
const MEDIA = /^(?:0[1-9]|10|[89]\d)$/;

/** The checks by their names in the table. */
export const CONTENT_CHECKS = {
  digit: findDigitProblem,
  pair: findPairProblem,
  prefix: beginsWithPrefix(0),
  prefix2: beginsWithPrefix(1),
  month: findDayProblem('YYMMDD', true),
  day: findDayProblem('YYMMDD', false),
  birth: findDayProblem('YYYYMMDD', false),
  time: findTimeProblem(['hour', 'minute']),
  hour: findTimeProblem(['hour']),
  minute: findTimeProblem(['minute']),
  second: findTimeProblem(['second']),
  country: isIn(COUNTRY_NUMBERS, 'the number of a country (ISO 3166-1)'),
  countries: findCountriesProblem,
  alpha2: isIn(COUNTRY_LETTERS, 'the two letters of a country (ISO 3166-1)'),
  currency: isIn(CURRENCIES, 'the number of a currency (ISO 4217)'),
  package: isIn(PACKAGE_TYPES, 'a type of package (UN/CEFACT Recommendation 21)'),
  media: matches(MEDIA, 'must be a media type of ICCBBA: 01 to 10, or 80 to 99'),
  sex: matches(/^[0129]$/, 'must be 0, 1, 2 or 9 (ISO/IEC 5218)'),
  yesno: matches(/^[01]$/, 'must be 0 for no or 1 for yes'),
  winding: matches(/^[019]$/, 'must be 0, 1 or 9, the winding direction'),
  zero: matches(/^0+$/, 'must be 0'),
  nonzero: matches(/[1-9]/, 'must not be 0'),
  plain: matches(/^(?!0)/, 'must not begin with 0'),
  nondigit: matches(/\D/, 'must not be only digits'),
  hyphen: matches(/^-+$/, 'must be "-", for below zero, or absent'),
  importer: matches(/^[-\w]$/, 'must be a letter, a digit, "-" or "_", the importer index'),
  latitude: isAtMost(1_800_000_000, 'a latitude'),
  longitude: isAtMost(3_600_000_000, 'a longitude'),
  percent: findPercentProblem,
  piece: findPieceProblem,
  position: findPlaceProblem,
  iban: findIbanProblem,
  coupon: findCouponProblem,
  offer: findOfferProblem,
} satisfies Record<string, ContentCheck>;

/** Whether a check has this name. */
export const isContentCheck = (name: string): name is keyof typeof CONTENT_CHECKS =>
  Object.hasOwn(CONTENT_CHECKS, name);
