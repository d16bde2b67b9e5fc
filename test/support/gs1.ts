/** Random GS1 data with fixed seeds: valid elements, and typical errors of people and programs. */

import { CHARSET_82, checkDigitOf, checkPairOf } from '../../src/gs1/check-digits.ts';
import { COUNTRY_LETTERS, COUNTRY_NUMBERS, CURRENCIES, PACKAGE_TYPES } from '../../src/gs1/code-lists.ts';
import { CONTENT_CHECKS } from '../../src/gs1/contents.ts';
import { type Component, type Identifier, identifierOf, listIdentifiers } from '../../src/gs1/dictionary.ts';

/** An AI with its value. */
export interface Pair {
  readonly ai: string;
  readonly value: string;
}

/** Returns a whole number from 0 up to, but not including, `below`. */
export type Random = (below: number) => number;

/** Returns a seeded generator of random numbers (mulberry32). */
export const createRandom = (seed: number): Random => {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

/** Returns a random element. */
export const pick = <T>(random: Random, things: readonly T[] | string): T =>
  things[random(things.length)] as T;

const CHARACTERS = {
  N: '0123456789',
  X: CHARSET_82,
  Y: '#-/0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  Z: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
};

const textOf = (random: Random, characters: string, length: number): string =>
  Array.from({ length }, () => pick<string>(random, characters)).join('');

const digits = (random: Random, length: number): string => textOf(random, CHARACTERS.N, length);
const two = (value: number): string => String(value).padStart(2, '0');
const counted = (random: Random, choices: string, more: number): string => {
  const first = pick<string>(random, choices);
  return first + digits(random, Number(first) + more);
};
const LAST_DAYS = ['0131', '0228', '0229', '0430', '1231'];
const yymmdd = (random: Random): string =>
  digits(random, 2) + (random(3) === 0 ? pick(random, LAST_DAYS) : two(1 + random(12)) + two(1 + random(28)));
const requirement = (random: Random): string =>
  counted(random, '12345', 0) + pick<string>(random, '012349') + digits(random, 3);
const otherPrefix = (random: Random): string => (random(3) === 0 ? '9' : counted(random, '0123456', 6));

const coupon = (random: Random): string => {
  const some = (text: () => string): string => (random(3) === 0 ? text() : '');
  return [
    counted(random, '0123456', 6) + digits(random, 6) + counted(random, '12345', 0) + requirement(random),
    some(() => `1${pick<string>(random, '0123')}${requirement(random)}${otherPrefix(random)}`),
    some(() => `2${requirement(random)}${otherPrefix(random)}`),
    some(() => `3${yymmdd(random)}`),
    some(() => `4${yymmdd(random)}`),
    some(() => `5${counted(random, '0123456789', 6)}`),
    some(() => `6${counted(random, '1234567', 6)}`),
    some(() => `9${pick<string>(random, '01256')}${random(3)}${random(10)}${random(2)}`),
  ].join('');
};

const offer = (random: Random): string =>
  random(2) + counted(random, '0123456', 6) + digits(random, 6) + counted(random, '0123456789', 6);

const iban = (random: Random): string => {
  const country = pick<string>(random, [...COUNTRY_LETTERS]);
  const account = textOf(random, CHARACTERS.N + CHARACTERS.Y.slice(13), 11 + random(20));
  const numbers = [...`${account}${country}00`].map((each) => Number.parseInt(each, 36)).join('');
  return country + two(98 - Number(BigInt(numbers) % 97n)) + account;
};

type Check = keyof typeof CONTENT_CHECKS;
/** Generators of content that is rarely valid by chance. */
const MAKERS: Partial<Record<Check, (random: Random, length: number) => string>> = {
  month: (random) => (random(3) === 0 ? `${yymmdd(random).slice(0, 4)}00` : yymmdd(random)),
  day: yymmdd,
  birth: (random) => pick<string>(random, ['19', '20']) + yymmdd(random),
  time: (random) => two(random(24)) + two(random(60)),
  country: (random) => pick(random, [...COUNTRY_NUMBERS]),
  countries: (random) => pick(random, [...COUNTRY_NUMBERS, '999']),
  alpha2: (random) => pick(random, [...COUNTRY_LETTERS]),
  currency: (random) => pick(random, [...CURRENCIES]),
  package: (random) => pick(random, [...PACKAGE_TYPES]),
  latitude: (random) => `0${digits(random, 9)}`,
  longitude: (random) => `${random(3)}${digits(random, 9)}`,
  percent: (random, length) =>
    textOf(random, CHARSET_82.replace('%', ''), length).replace(/^(..)...(..)/, '$1%2F$2'),
  piece: (random) => `${two(1 + random(9))}${two(9 + random(90))}`,
  position: (random) => `${1 + random(4)}/${4 + random(6)}`,
  zero: () => '0',
  hyphen: () => '-',
  iban,
  coupon,
  offer,
};

const NAMES = new Map(Object.entries(CONTENT_CHECKS).map(([name, check]) => [check, name as Check]));

const partOf = (random: Random, { charset, min, max, checks }: Component): string => {
  const names = checks.map((check) => NAMES.get(check)!);
  const maker = names.map((name) => MAKERS[name]).find((each) => each !== undefined);
  for (;;) {
    const length = min + random(max - min + 1);
    let text = maker?.(random, length) ?? textOf(random, CHARACTERS[charset], length);
    if (charset === 'Z' && random(3) === 0)
      text = text.replace(random(2) ? /.$/ : /..$/, (end) => '='.repeat(end.length));
    const needsPrefix = names.some((name) => name.startsWith('prefix'));
    if (needsPrefix && charset !== 'N') text = digits(random, 4) + text.slice(4);
    if (names.includes('digit')) text = text.slice(0, -1) + checkDigitOf(text);
    if (names.includes('pair')) text = text.slice(0, -2) + checkPairOf(text.slice(0, -2));
    if (text.length >= min && text.length <= max && checks.every((check) => check(text) === null))
      return text;
  }
};

const contentOf = (random: Random, { components }: Identifier): string => {
  let value = '';
  for (const component of components) {
    if (component.isOptional && random(2) === 0) break;
    value += partOf(random, component);
  }
  return value;
};

const ALL = listIdentifiers().map(({ ai }) => ai);
const COMMON = ['00', '01', '10', '17', '21', '3103', '37', '414', '8003', '8004', '8006', '3922', '4300'];

/** Returns an AI with a valid value. */
export const pairOf = (random: Random, ai: string): Pair => ({
  ai,
  value: contentOf(random, identifierOf(ai)!),
});

const realAi = (random: Random, pattern: string): string => {
  const fitting = ALL.filter((ai) => identifierOf(ai)!.patterns.includes(pattern));
  return pick(random, fitting);
};

/** Returns elements with those that they require; the combination is mostly valid. */
export const pairsOf = (random: Random): readonly Pair[] => {
  const pairs = new Map<string, Pair>();
  const add = (ai: string): void => {
    if (pairs.has(ai) || pairs.size > 8) return;
    pairs.set(ai, pairOf(random, ai));
    for (const groups of identifierOf(ai)!.requires) {
      const group = groups.find((each) => each.every((other) => pairs.has(other))) ?? pick(random, groups);
      for (const pattern of group) add(realAi(random, pattern));
    }
  };
  for (let i = 0, count = 1 + random(3); i < count; i += 1) add(pick(random, random(2) ? ALL : COMMON));
  const all = [...pairs.values()];
  return random(2) ? all : all.reverse();
};

const NOISE = `${CHARSET_82}#$@ [\\]{|}~\u001d0123456789`;

/** May break a text by adding, removing or changing a character. */
export const damage = (random: Random, text: string): string => {
  const at = random(text.length + 1);
  const character = pick<string>(random, NOISE);
  const kind = random(4);
  if (kind === 0) return text.slice(0, at) + character + text.slice(at);
  if (kind === 1) return text.slice(0, at) + text.slice(at + 1);
  if (kind === 2) return text.slice(0, at) + random(10) + text.slice(at + 1);
  return text.slice(0, at) + character + text.slice(at + 1);
};

/** May break elements by adding, removing or duplicating one, or changing a value. */
export const damagePairs = (random: Random, pairs: readonly Pair[]): readonly Pair[] => {
  const at = random(pairs.length);
  const { ai, value } = pairs[at]!;
  const kind = random(5);
  if (kind === 0) return pairs.toSpliced(at, 1);
  if (kind === 1) return [...pairs, pairOf(random, pick(random, ALL))];
  if (kind === 2) return [...pairs, random(2) ? pairs[at]! : pairOf(random, ai)];
  if (kind === 3) return pairs.with(at, { ai, value: damage(random, value) });
  return pairs.with(at, { ai: random(2) ? pick(random, ALL) : damage(random, ai), value });
};
