/** Checks single values. */
import type { Charset, Identifier } from './dictionary.ts';
import { CHARSET_82 } from './digits.ts';
import type { Problem } from './fault.ts';

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
