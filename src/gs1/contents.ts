/** Checks of the content of values, by the names of the table. Each is given text of the right characters and length. */

import { findCouponProblem, findOfferProblem } from './coupon.ts';
import { findDayProblem, findTimeProblem } from './dates.ts';
import {
  COUNTRY_LETTERS,
  COUNTRY_NUMBERS,
  CURRENCIES,
  findDigitProblem,
  findIbanProblem,
  findPairProblem,
  PACKAGE_TYPES,
} from './digits.ts';
import type { Problem } from './fault.ts';

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
  nondigit: matches(/\D/, 'must not be digits alone'),
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
