/** Element strings: in brackets, `(01)09506000134352(10)AB`, and as scanners send them, with U+001D for FNC1. */
import { fixedLengthOf, joinElements, SEPARATOR, startOf } from '../../workers/symbol/gs1.ts';
import { digitsOf, identifierOf } from './dictionary.ts';
import { FAULTS_MAX, type Gs1Fault, shorten } from './fault.ts';

/** One AI with its value, and where it stood in the text that was sent. */
export interface Element {
  readonly ai: string;
  /** The value that is checked: without escapes, and a GTIN with 14 digits. */
  readonly value: string;
  /** As it was sent. */
  readonly raw: string;
  /** Where `raw` begins in the text, from 0. */
  readonly start: number;
}

/** Returns the place in the text, from 1, of a character of the value. */
export const placeOf = ({ raw, value, start }: Element, offset: number): number => {
  if (raw === value) return start + offset + 1;
  const written = raw.match(/%[0-9A-Fa-f]{2}|\\\(|[\s\S]/g) ?? [];
  // A GTIN may have been sent without its leading zeros.
  const before = Math.max(0, offset - (value.length - written.length));
  return start + written.slice(0, before).join('').length + 1;
};

/** The elements of a text, and its faults. With faults the elements may be incomplete. */
export interface Parsed {
  readonly elements: readonly Element[];
  readonly faults: readonly Gs1Fault[];
}

const unknown = (ai: string, position: number): Gs1Fault => ({
  ai: shorten(ai),
  position,
  message: 'is not a GS1 AI; compare it with the list of application identifiers',
});

/** Where a value in brackets ends: at the next bracket that no backslash precedes. */
const endOfValue = (text: string, start: number): number => {
  for (let i = start; ; i += 1) {
    i = text.indexOf('(', i);
    if (i < 0) return text.length;
    if (text[i - 1] !== '\\' || i === start) return i;
  }
};

/** Reads an element string with its AIs in brackets. In values `(` is written as `\(`. */
export const parseBrackets = (text: string): Parsed => {
  const elements: Element[] = [];
  const faults: Gs1Fault[] = [];
  for (let at = 0; at < text.length && faults.length < FAULTS_MAX; ) {
    const close = text.indexOf(')', at);
    if (text[at] !== '(' || close < 0) {
      const message = 'an AI in brackets must stand here, such as "(01)"';
      return { elements, faults: [...faults, { ai: null, position: at + 1, message }] };
    }
    const ai = text.slice(at + 1, close);
    const start = close + 1;
    const end = endOfValue(text, start);
    const raw = text.slice(start, end);
    if (identifierOf(ai) === undefined) faults.push(unknown(ai, at + 2));
    else elements.push({ ai, value: raw.includes('\\') ? raw.replaceAll('\\(', '(') : raw, raw, start });
    at = end;
  }
  return { elements, faults };
};

/** Reads an element string as scanners send it. It stops at the first unknown AI, whose length is unknown too. */
export const parseFnc1 = (text: string): Parsed => {
  const elements: Element[] = [];
  for (let at = startOf(text); at < text.length; ) {
    const digits = digitsOf(text.slice(at, at + 2)) ?? 2;
    const ai = text.slice(at, at + digits);
    if (identifierOf(ai) === undefined) return { elements, faults: [unknown(ai, at + 1)] };
    const start = at + digits;
    const separator = text.indexOf(SEPARATOR, start);
    const next = separator < 0 ? text.length : separator;
    const end = Math.min(next, at + (fixedLengthOf(ai) ?? text.length));
    const value = text.slice(start, end);
    elements.push({ ai, value, raw: value, start });
    at = end === next ? end + 1 : end;
  }
  return { elements, faults: [] };
};

/** Writes an element string with its AIs in brackets. */
export const writeBrackets = (elements: readonly Pick<Element, 'ai' | 'value'>[]): string =>
  elements.map(({ ai, value }) => `(${ai})${value.replaceAll('(', '\\(')}`).join('');

/** Writes elements as people read them: the AI in parentheses, and the value as it is. GS1 General Specifications, 4.14. */
export const writeReadable = (elements: readonly Element[]): readonly string[] =>
  elements.map(({ ai, value }) => `(${ai})${value}`);

/** Writes an element string as scanners send it, with U+001D for the FNC1 in first position. */
export const writeFnc1 = (elements: readonly Element[]): string => SEPARATOR + joinElements(elements);
