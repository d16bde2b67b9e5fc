/** The table of AIs, read once. */
import { CONTENT_CHECKS, type ContentCheck, isContentCheck } from './contents.ts';
import { TABLE } from './table.ts';

/** The characters of a component: digits, character sets 82 and 39, base64url. */
export type Charset = 'N' | 'X' | 'Y' | 'Z';

/** A part of a value. */
export interface Component {
  readonly charset: Charset;
  readonly min: number;
  readonly max: number;
  /** Whether the value may end before it. */
  readonly isOptional: boolean;
  readonly checks: readonly ContentCheck[];
}

/** An application identifier. */
export interface Identifier {
  readonly ai: string;
  /** What rules may call it: itself, and patterns such as `310n` and `31nn`. */
  readonly patterns: readonly string[];
  readonly title: string;
  readonly components: readonly Component[];
  /** Characters of the whole value. */
  readonly min: number;
  readonly max: number;
  /** Whether it may be an attribute in the query of a Digital Link URI. */
  readonly isAttribute: boolean;
  /** The sequences of qualifiers that a primary key may have; `null`: it is not a primary key. */
  readonly qualifiers: readonly (readonly string[])[] | null;
  /** AIs, or patterns such as `310n` and `31nn`, that must be absent. */
  readonly excludes: readonly string[];
  /** AIs whose optional component must be present where they are. */
  readonly serials: readonly string[];
  /** Of each of these, one group of AIs must be present. */
  readonly requires: readonly (readonly (readonly string[])[])[];
}

const componentOf = (text: string): Component => {
  const [, open, charset, range, length, checks] = /^(\[?)([NXYZ])(\.\.)?(\d+)\]?((?::\w+)*)$/.exec(text)!;
  return {
    charset: charset as Charset,
    min: range === undefined ? Number(length) : 1,
    max: Number(length),
    isOptional: open === '[',
    checks: checks!
      .split(':')
      .filter(isContentCheck)
      .map((name) => CONTENT_CHECKS[name]),
  };
};

const valuesOf = (rules: readonly string[], name: string): readonly string[] =>
  rules.filter((rule) => rule.startsWith(`${name}=`)).map((rule) => rule.slice(name.length + 1));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const patternsOf = (ai: string): readonly string[] =>
  ai.length === 4 ? [ai, `${ai.slice(0, 3)}n`, `${ai.slice(0, 2)}nn`] : [ai];

const readRow = (row: string): readonly Identifier[] => {
  const [ais, use, written, ruled, title] = row.split(' |').map((cell) => cell.trim());
  const components = written!.split(' ').map(componentOf);
  const rules = ruled!.split(' ');
  const [key] = valuesOf(rules, 'key');
  const described = {
    title: title!,
    components,
    min: sum(components.map(({ min, isOptional }) => (isOptional ? 0 : min))),
    max: sum(components.map(({ max }) => max)),
    isAttribute: use === '?',
    qualifiers: rules.includes('key') ? [[]] : (key?.split('|').map((each) => each.split(',')) ?? null),
    excludes: valuesOf(rules, 'ex').flatMap((value) => value.split(',')),
    serials: valuesOf(rules, 'serial').flatMap((value) => value.split(',')),
    requires: valuesOf(rules, 'req').map((value) => value.split(',').map((group) => group.split('+'))),
  };
  const [first, last = first] = ais!.split('-');
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => {
    const ai = String(Number(first) + i).padStart(first!.length, '0');
    return { ...described, ai, patterns: patternsOf(ai) };
  });
};

const ALL: ReadonlyMap<string, Identifier> = new Map(
  TABLE.trim()
    .split('\n')
    .flatMap(readRow)
    .map((identifier) => [identifier.ai, identifier]),
);

/** Returns an AI by its digits; `undefined`: GS1 has none with these. */
export const identifierOf = (ai: string): Identifier | undefined => ALL.get(ai);

/** All AIs, in the order of their digits. */
export const listIdentifiers = (): readonly Identifier[] => [...ALL.values()];

/** Digits of an AI by its first two. No AI begins with another. */
const DIGITS = new Map([...ALL.keys()].map((ai) => [ai.slice(0, 2), ai.length]));

/** Returns how many digits an AI has that begins with these two; `undefined`: none does. */
export const digitsOf = (start: string): number | undefined => DIGITS.get(start);
