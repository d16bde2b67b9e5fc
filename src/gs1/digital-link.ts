/** GS1 Digital Link URIs, uncompressed: GS1 Digital Link Standard, URI Syntax 1.6.0. */
import { identifierOf } from './dictionary.ts';
import type { Element, Parsed } from './element-string.ts';
import { type Gs1Fault, shorten } from './fault.ts';

/** What precedes the path of canonical URIs: URI Syntax, "Canonical GS1 Digital Link URIs". */
export const CANONICAL_STEM = 'https://id.gs1.org';

/** A URI whose elements are known. */
export interface ParsedUri extends Parsed {
  /** Everything before the primary key, without the slash. */
  readonly stem: string;
}

const refuse = (message: string, position = 1, ai: string | null = null): ParsedUri => ({
  stem: '',
  elements: [],
  faults: [{ ai, position, message }],
});

/** Characters that a URI may not have, and a percent sign without its digits: RFC 3986, 2. */
const NO_URI = /[^!#-;=?-[\]_a-z~]|%(?![0-9A-Fa-f]{2})/;
/** Scheme, host with port, path, query. The fragment says nothing about the item: RFC 3986, 3.5. */
const PARTS = /^(https?:\/\/)([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:\d*)?(\/[^?#]*)(?:\?([^#]*))?(?:#|$)/i;

/** Whether a text can stand before the path of a URI: scheme and host, and perhaps a path without a slash at its end. */
export const isStem = (text: string): boolean => {
  const [, , , , path] = PARTS.exec(`${text}/`) ?? [];
  return path !== undefined && !/[?#]|\/$/.test(text) && !NO_URI.test(text);
};

/** Whether a text is meant as a URI. */
export const isUri = (text: string): boolean => /^https?:/i.test(text);

const decode = (raw: string): string =>
  raw.includes('%')
    ? raw.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : raw;

/** In this AI, a GTIN of 8, 12 or 13 digits is filled up to 14: GS1 General Specifications, 3.3.2. */
const toValue = (ai: string, raw: string): string => {
  const value = decode(raw);
  return ai === '01' && /^(?:\d{8}|\d{12,13})$/.test(value) ? value.padStart(14, '0') : value;
};

/** Whether the AIs after the key are a subsequence of one of its qualifier sequences. */
const isInOrder = (ais: readonly string[], sequences: readonly (readonly string[])[]): boolean =>
  sequences.some((sequence) => {
    let next = 0;
    for (const qualifier of sequence) if (qualifier === ais[next]) next += 1;
    return next === ais.length;
  });

/** Says why an AI of the path is misplaced. */
const pathFault = (ai: string, position: number, key: string): Gs1Fault => {
  const { qualifiers } = identifierOf(key)!;
  const sequences = qualifiers!
    .filter((sequence) => sequence.length > 0)
    .map((all) => `(${all.join('), (')})`);
  const message =
    identifierOf(ai)?.isAttribute && !qualifiers!.some((sequence) => sequence.includes(ai))
      ? `is not a qualifier of (${key}): write it in the query, as "?${ai}="`
      : sequences.length === 0
        ? `(${key}) has no qualifiers: leave it out`
        : `the qualifiers of (${key}) are ${sequences.join(' or ')}, in this order`;
  return { ai: shorten(ai), position, message };
};

const readPath = (path: string, offset: number): ParsedUri => {
  const segments = path.slice(1).split('/');
  // The primary key is the last that is followed by pairs only: what is before belongs to the stem.
  let key = segments.length - 2;
  while (key >= 0 && !identifierOf(segments[key]!)?.qualifiers) key -= 2;
  if (key < 0) {
    const message =
      path.length > 1 && path.endsWith('/')
        ? 'the path must not end with "/": end it with the last value'
        : 'the path must have a primary key with its value, such as "/01/09506000134352"';
    return refuse(message, offset + 1);
  }
  let start = offset + 1 + segments.slice(0, key).reduce((sum, segment) => sum + segment.length + 1, 0);
  const stem = path.slice(0, start - offset - 1);
  const { qualifiers } = identifierOf(segments[key]!)!;
  const elements: Element[] = [];
  const ais: string[] = [];
  for (let i = key; i < segments.length; i += 2) {
    const ai = segments[i]!;
    const raw = segments[i + 1]!;
    if (i > key) ais.push(ai);
    if (!isInOrder(ais, qualifiers!)) {
      return { stem, elements, faults: [pathFault(ai, start + 1, segments[key]!)] };
    }
    start += ai.length + 1;
    elements.push({ ai, value: toValue(ai, raw), raw, start });
    start += raw.length + 1;
  }
  return { stem, elements, faults: [] };
};

/** Whether an AI of the query can stand in the path, and therefore must. */
const belongsInPath = (ai: string, path: readonly Element[]): boolean => {
  const { qualifiers } = identifierOf(path[0]!.ai)!;
  if (!qualifiers!.some((sequence) => sequence.includes(ai))) return false;
  const ais = path.slice(1).map((element) => element.ai);
  return Array.from({ length: ais.length + 1 }, (_, i) => ais.toSpliced(i, 0, ai)).some((each) =>
    isInOrder(each, qualifiers!),
  );
};

const attributeFault = (ai: string, position: number, path: readonly Element[]): Gs1Fault | null => {
  const identifier = identifierOf(ai);
  if (identifier === undefined) {
    const message = 'is not a GS1 AI; in the query, names that are only digits are reserved for AIs';
    return { ai: shorten(ai), position, message };
  }
  if (belongsInPath(ai, path)) {
    return { ai, position, message: `belongs in the path, as "/${ai}/", not in the query` };
  }
  if (identifier.isAttribute) return null;
  return { ai, position, message: 'must not be in the query of a Digital Link URI: leave it out' };
};

/** Reads the attributes. Parameters whose names are not all digits are ignored. */
const readQuery = (query: string, offset: number, path: readonly Element[]): Parsed => {
  const elements: Element[] = [];
  const faults: Gs1Fault[] = [];
  let at = offset;
  for (const parameter of query.split('&')) {
    const [ai] = /^\d+(?==)/.exec(parameter) ?? [];
    if (ai !== undefined) {
      const fault = attributeFault(ai, at + 1, path);
      const raw = parameter.slice(ai.length + 1);
      // In a query, "+" is a space: WHATWG URL, 5.1.
      const value = toValue(ai, raw.replaceAll('+', ' '));
      if (fault === null) elements.push({ ai, value, raw, start: at + ai.length + 1 });
      else faults.push(fault);
    }
    at += parameter.length + 1;
  }
  return { elements, faults };
};

/** A URI has each AI once, even if the values are equal: URI Syntax, "GS1 Digital Link URI semantics". */
const repeatFaults = (elements: readonly Element[]): readonly Gs1Fault[] => {
  const seen = new Set<string>();
  return elements.flatMap(({ ai, start }) => {
    if (!seen.has(ai)) {
      seen.add(ai);
      return [];
    }
    return [
      { ai, position: start - ai.length, message: 'occurs twice: a Digital Link URI has each AI once' },
    ];
  });
};

/** Reads a URI. The fragment is ignored. */
export const parseUri = (text: string): ParsedUri => {
  const bad = text.search(NO_URI);
  if (bad >= 0) {
    const message =
      text[bad] === '%' ? '"%" must be followed by two hexadecimal digits' : 'must be percent-encoded';
    return refuse(message, bad + 1);
  }
  const parts = PARTS.exec(text);
  if (parts === null) {
    return refuse('a Digital Link URI has a host and a path, such as "https://id.gs1.org/01/09506000134352"');
  }
  const [, scheme, host, port = '', path, query] = parts;
  const origin = `${scheme}${host}${port}`;
  const read = readPath(path!, origin.length);
  const stem = origin + read.stem;
  if (query === undefined || read.faults.length > 0) return { ...read, stem };
  const more = readQuery(query, origin.length + path!.length + 1, read.elements);
  const elements = [...read.elements, ...more.elements];
  return { stem, elements, faults: [...more.faults, ...repeatFaults(elements)] };
};

/** Percent-encodes all but unreserved characters, as canonical URIs have it. */
export const encodeSegment = (value: string): string =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Returns the elements of a URI with this key and these qualifiers; `null`: another element has no place in it. */
const arrange = (
  key: Element,
  sequence: readonly string[],
  others: readonly Element[],
): readonly [readonly Element[], readonly Element[]] | null => {
  const path = sequence.flatMap((ai) => others.find((element) => element.ai === ai) ?? []);
  const rest = others.filter((element) => !path.includes(element));
  const whole = [key, ...path];
  return rest.every(({ ai }) => attributeFault(ai, 0, whole) === null) ? [whole, rest] : null;
};

/** Writes a key and its qualifiers as the path of a canonical URI. */
export const writePath = (elements: readonly Pick<Element, 'ai' | 'value'>[]): string =>
  elements.map(({ ai, value }) => `/${ai}/${encodeSegment(value)}`).join('');

/**
 * Writes elements that are valid together as a URI, in canonical order: the key, its qualifiers, then the attributes by
 * their AIs. The first AI that can be the primary key becomes it. Returns `null` when there is no such URI.
 *
 * @param stem What stands before the path, without a slash at its end.
 */
export const writeUri = (elements: readonly Element[], stem: string): string | null => {
  const distinct = [...new Map(elements.map((element) => [element.ai, element])).values()];
  for (const key of distinct) {
    const others = distinct.filter((element) => element !== key);
    for (const sequence of identifierOf(key.ai)?.qualifiers ?? []) {
      const arranged = arrange(key, sequence, others);
      if (arranged === null) continue;
      const [path, attributes] = arranged;
      const sorted = attributes.toSorted((a, b) => (a.ai < b.ai ? -1 : 1));
      const query = sorted.map(({ ai, value }) => `${ai}=${encodeSegment(value)}`).join('&');
      return `${stem}${writePath(path)}${query && `?${query}`}`;
    }
  }
  return null;
};
