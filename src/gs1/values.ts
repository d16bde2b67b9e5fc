/**
 * Checks single values, and AIs against each other: GS1 General Specifications, 4.13 (invalid pairs, mandatory
 * associations).
 */

import { CHARSET_82 } from './check-digits.ts';
import { type Charset, type Identifier, identifierOf } from './dictionary.ts';
import { type Element, placeOf } from './element-string.ts';
import { type Gs1Fault, type Problem, shorten } from './fault.ts';

const tableOf = (characters: string): Uint8Array => {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
};

const DIGITS = '0123456789';
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** GS1 General Specifications, figures 7.11-1 to 7.11-3. */
const CHARSETS: Readonly<Record<Charset, { readonly table: Uint8Array; readonly name: string }>> = {
  N: { table: tableOf(DIGITS), name: 'only digits are allowed' },
  X: { table: tableOf(CHARSET_82), name: 'only the 82 characters of GS1 are allowed' },
  Y: {
    table: tableOf(`${DIGITS}${CAPITALS}#-/`),
    name: 'only capital letters, digits, "#", "-" and "/" are allowed',
  },
  Z: {
    table: tableOf(`${DIGITS}${CAPITALS}${CAPITALS.toLowerCase()}-_=`),
    name: 'only the characters of base64url are allowed',
  },
};

const show = (character: string): string =>
  character === ' '
    ? 'a space'
    : /[\x21-\x7e]/.test(character)
      ? `"${character}"`
      : `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

const findCharacterProblem = (text: string, charset: Charset): Problem | null => {
  const { table, name } = CHARSETS[charset];
  for (let i = 0; i < text.length; i += 1) {
    if (table[text.charCodeAt(i)] === 1) continue;
    return {
      offset: i,
      message: `${show(String.fromCodePoint(text.codePointAt(i)!))} is not allowed: ${name}`,
    };
  }
  return charset === 'Z' ? findPaddingProblem(text) : null;
};

/** One or two padding signs at the end fill up groups of three characters, as the dictionary has it. */
const findPaddingProblem = (text: string): Problem | null => {
  const offset = text.indexOf('=');
  if (offset < 0) return null;
  const isRight = /^={1,2}$/.test(text.slice(offset)) && text.length % 3 === 0;
  return isRight ? null : { offset, message: 'the padding is wrong: leave out every "="' };
};

const lengthsOf = ({ min, max }: Identifier): string => (min === max ? `${min}` : `${min} to ${max}`);

const wrongLength = (identifier: Identifier, value: string): Problem => ({
  offset: Math.min(value.length, identifier.max),
  message: `has ${value.length} characters, but ${identifier.title || 'this AI'} needs ${lengthsOf(identifier)}`,
});

/** Returns the first thing that is wrong with a value: its length, then its parts in order. `null`: nothing. */
export const findValueProblem = (identifier: Identifier, value: string): Problem | null => {
  const { min, max, components } = identifier;
  if (value.length < min || value.length > max) return wrongLength(identifier, value);
  let at = 0;
  for (const component of components) {
    if (at === value.length) break;
    const part = value.slice(at, at + component.max);
    if (part.length < component.min) {
      const message = `has ${part.length} characters after the first ${at}, but ${component.min} are needed there`;
      return { offset: at, message };
    }
    const problem = findPartProblem(part, component.charset, component.checks);
    if (problem !== null) return { ...problem, offset: at + problem.offset };
    at += part.length;
  }
  return null;
};

const findPartProblem = (
  part: string,
  charset: Charset,
  checks: Identifier['components'][number]['checks'],
): Problem | null => {
  const problem = findCharacterProblem(part, charset);
  if (problem !== null) return problem;
  for (const check of checks) {
    const found = check(part);
    if (found !== null) return found;
  }
  return null;
};

/** How many different AIs there are, by the AI and by its patterns, such as `310n` and `31nn`. */
type Counts = ReadonlyMap<string, number>;

const countOf = (ais: Iterable<string>): Counts => {
  const counts = new Map<string, number>();
  for (const ai of ais) {
    for (const pattern of identifierOf(ai)!.patterns) counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  }
  return counts;
};

/** Whether the pattern matches an AI other than this one. */
const hasOther = (counts: Counts, pattern: string, { patterns }: Identifier): boolean => {
  const count = counts.get(pattern);
  return count !== undefined && (count > 1 || !patterns.includes(pattern));
};

const inWords = (groups: readonly (readonly string[])[]): string =>
  groups.map((group) => group.map((ai) => `(${ai})`).join(' with ')).join(', or ');

const findPairFault = (
  element: Element,
  counts: Counts,
  values: ReadonlyMap<string, string>,
): Gs1Fault | null => {
  const { ai } = element;
  const identifier = identifierOf(ai)!;
  const { excludes, requires, serials } = identifier;
  const position = placeOf(element, 0);
  const excluded = excludes.find((pattern) => hasOther(counts, pattern, identifier));
  if (excluded !== undefined) {
    return { ai, position, message: `must not be used together with (${excluded}): leave one of them out` };
  }
  for (const groups of requires) {
    if (groups.some((group) => group.every((pattern) => hasOther(counts, pattern, identifier)))) continue;
    return { ai, position, message: `needs another AI: add ${inWords(groups)}` };
  }
  const bare = serials.find((other) => values.get(other)?.length === identifierOf(other)!.min);
  if (bare !== undefined)
    return {
      ai,
      position,
      message: `needs a key of one unit: add the serial number to the value of (${bare})`,
    };
  return null;
};

/** Returns the faults of AIs that are repeated, exclude each other or lack one that they need. All must be known. */
export const findPairFaults = (elements: readonly Element[]): readonly Gs1Fault[] => {
  const faults: Gs1Fault[] = [];
  const values = new Map<string, string>();
  const first: Element[] = [];
  for (const element of elements) {
    const { ai, value } = element;
    const known = values.get(ai);
    if (known === undefined) {
      values.set(ai, value);
      first.push(element);
    } else if (known !== value) {
      const message = `occurs twice, with "${shorten(known)}" and "${shorten(value)}": keep one`;
      faults.push({ ai, position: placeOf(element, 0), message });
    }
  }
  const counts = countOf(values.keys());
  for (const element of first) {
    const fault = findPairFault(element, counts, values);
    if (fault !== null) faults.push(fault);
  }
  return faults;
};
