/** Check digits and check characters. */
import { COUNTRY_LETTERS } from './code-lists.ts';
import type { Problem } from './fault.ts';

/** Returns the check digit of the digits before the last: GS1 General Specifications, 7.9.1. */
export const checkDigitOf = (text: string): number => {
  let sum = 0;
  for (let i = text.length - 2, weight = 3; i >= 0; i -= 1, weight = 4 - weight) {
    sum += weight * (text.charCodeAt(i) - 48);
  }
  return (10 - (sum % 10)) % 10;
};

/** Checks the last digit. */
export const findDigitProblem = (text: string): Problem | null => {
  const expected = checkDigitOf(text);
  const offset = text.length - 1;
  if (text.charCodeAt(offset) - 48 === expected) return null;
  const message = `the check digit must be ${expected}, not ${text[offset]}; compare all digits with the source`;
  return { offset, message };
};

/** Character set 82 in the order of its values: GS1 General Specifications, figure 7.11-1. */
export const CHARSET_82 =
  '!"%&\'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const CHARSET_32 = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** The first primes: one for each character that an AI may have before its check character pair. */
const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83];

/** Returns the two check characters of a text: GS1 General Specifications, 7.9.5. */
export const checkPairOf = (text: string): string => {
  let sum = 0;
  for (let i = 0; i < text.length; i += 1) {
    sum += CHARSET_82.indexOf(text[i]!) * PRIMES[text.length - 1 - i]!;
  }
  const rest = sum % 1021;
  return CHARSET_32[rest >> 5]! + CHARSET_32[rest & 31]!;
};

/** Checks the last two characters. */
export const findPairProblem = (text: string): Problem | null => {
  if (text.length < 2) return { offset: 0, message: 'is too short for its two check characters' };
  const offset = text.length - 2;
  const expected = checkPairOf(text.slice(0, offset));
  const found = text.slice(offset);
  if (found === expected) return null;
  return { offset, message: `the check characters must be ${expected}, not ${found}` };
};

/** No IBAN has fewer characters: country, check digits, and an account number. */
const IBAN_MIN = 11;

/** Checks an IBAN: ISO 13616-1, with the check digits of ISO/IEC 7064 (MOD 97-10). */
export const findIbanProblem = (text: string): Problem | null => {
  const bad = text.search(/[^0-9A-Z]/);
  if (bad >= 0) return { offset: bad, message: 'an IBAN has only digits and capital letters' };
  if (!COUNTRY_LETTERS.has(text.slice(0, 2))) {
    return { offset: 0, message: 'an IBAN begins with the two letters of a country' };
  }
  if (text.length < IBAN_MIN) return { offset: text.length, message: 'is too short for an IBAN' };
  let rest = 0;
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value < 10 ? 10 : 100) + value) % 97;
  }
  return rest === 1
    ? null
    : { offset: 2, message: 'the check digits of the IBAN are wrong; compare it with the source' };
};
