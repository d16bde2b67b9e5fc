/**
 * Addresses with placeholders in braces, such as `https://example.com/{serial}`, which every visit fills in. A
 * placeholder stands behind the host only, and its value is percent-encoded, so it changes neither the host nor how the
 * address is divided. A text of other form in braces is none, nor is one in `%7B` and `%7D`.
 */
import { findNearest } from '../csv/match.ts';
import { ok, type Result, refused } from '../result.ts';

/** Which placeholders there are. */
export interface Placeholders {
  /** Whether one is filled in. @param name Without its braces. */
  has(name: string): boolean;
  /** Names for the list in messages, with the braces. */
  readonly shown: string;
  /** Names that a misspelt one is compared with. */
  readonly names: readonly string[];
  /** Whether other names in `%7B` and `%7D` are refused, too. */
  readonly refusesEncoded: boolean;
}

/** For addresses in which nothing is filled in. */
export const NO_PLACEHOLDERS: Placeholders = {
  has: () => false,
  shown: 'none here',
  names: [],
  refusesEncoded: false,
};

/** Braces around a name, as they are or percent-encoded. A GUID in braces is no name. */
const BRACES = /(\{|%7B)(?![\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b)([\w.:~ -]+)(\}|%7D)/gi;

/** What of an address names its host. */
const HOST = /^https?:\/\/[^/\\?#]*/i;

/** Of a template; each is looked for in every visit. */
const PLACES_MAX = 50;

const SHOWN_MAX = 60;

const faultOf = (written: string, name: string, isEncoded: boolean, known: Placeholders): string | null => {
  const shown = written.slice(0, SHOWN_MAX);
  if (known.has(name))
    return isEncoded
      ? `must not contain ${shown}: write {${name}} to have it filled in; to send the braces themselves, percent-encode a letter between them`
      : null;
  if (isEncoded && !known.refusesEncoded) return null;
  const near = findNearest(name.toLowerCase().slice(0, SHOWN_MAX), known.names);
  const hint = near === null ? '' : `; did you mean {${near}}?`;
  const literal =
    isEncoded || known.refusesEncoded ? '' : '; write braces that are meant as such as %7B and %7D';
  return `must not contain the placeholder ${shown}: there are ${known.shown}${literal}${hint}`;
};

/** An address whose placeholders are replaced with letters and digits, so that it can be parsed as a URL. */
export interface Masked {
  readonly text: string;
  /** Returns a text in which they are written again. */
  unmask(text: string): string;
  /** Whether a part of the parsed address has one. */
  isIn(part: string): boolean;
}

/** Finds the placeholders of an address, or says what is wrong with them. Returns `null` when it has none. */
export const maskTemplate = (address: string, known: Placeholders): Result<Masked | null, string> => {
  const names: string[] = [];
  let mark = 'zq';
  while (address.toLowerCase().includes(mark)) mark += 'q';
  const hostEnd = HOST.exec(address)?.[0].length ?? 0;
  let fault: string | null = null;
  const text = address.replace(BRACES, (written, open: string, name: string, close: string, at: number) => {
    const isEncoded = open !== '{' || close !== '}';
    fault ??= faultOf(written, name, isEncoded, known);
    if (isEncoded || !known.has(name)) return written;
    if (at < hostEnd) fault ??= `must have {${name}} behind its host only`;
    if (address[at - 1] === '{') fault ??= `must have {${name}} in single braces`;
    names.push(name);
    return `${mark}${names.length - 1}z`;
  });
  if (fault !== null) return refused(fault);
  if (names.length > PLACES_MAX) return refused(`must have at most ${PLACES_MAX} placeholders`);
  if (names.length === 0) return ok(null);
  const masks = new RegExp(`${mark}(\\d+)z`, 'g');
  return ok({
    text,
    // A parser may turn letters of a host into those of a mark, as it does with `ｚｑ`.
    unmask: (masked) => {
      const [host = ''] = HOST.exec(masked) ?? [];
      return host + masked.slice(host.length).replace(masks, (_, at: string) => `{${names[Number(at)]}}`);
    },
    isIn: (part) => part.includes(mark),
  });
};

/** The part of an address in which a placeholder stands. */
export type Place = 'path' | 'query' | 'fragment';

interface Placeholder {
  readonly name: string;
  readonly place: Place;
}

/** Literal texts and placeholders. */
export type Parts = readonly (string | Placeholder)[];

/** Splits a part of an address that `maskTemplate` has found nothing wrong with. */
export const partsOf = (text: string, place: Place, known: Placeholders): Parts => {
  const parts: (string | Placeholder)[] = [];
  let from = 0;
  for (const { 0: written, 1: open, 2: name, 3: close, index } of text.matchAll(BRACES)) {
    if (open !== '{' || close !== '}' || !known.has(name!)) continue;
    if (index > from) parts.push(text.slice(from, index));
    parts.push({ name: name!, place });
    from = index + written.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
};

/** Returns the value of a placeholder, percent-encoded for its place; '' where there is none. */
export type Fill = (name: string, place: Place) => string;

/** Returns a fill that finds each value once, for addresses that name a placeholder many times. */
export const onceEach = (fill: Fill): Fill => {
  const values = new Map<string, string>();
  return (name, place) => {
    const key = `${place} ${name}`;
    const value = values.get(key) ?? fill(name, place);
    values.set(key, value);
    return value;
  };
};

/** Fills in the placeholders of a part. */
export const fillParts = (parts: Parts, fill: Fill): string => {
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : fill(part.name, part.place);
  return text;
};

/** Whether a part has no placeholder. */
export const isFixed = (parts: Parts): boolean => parts.every((part) => typeof part === 'string');

/** Splits an address into what is before the query, the query without its mark, and the fragment with its mark. */
export const splitAddress = (address: string) => {
  const [, before = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? [];
  return { before, query: query ?? null, fragment };
};

/** Prepares an address that `maskTemplate` has found nothing wrong with; `null`: it has no placeholders. */
export const prepareTemplate = (address: string, known: Placeholders): ((fill: Fill) => string) | null => {
  const { before, query, fragment } = splitAddress(address);
  const head = partsOf(before, 'path', known);
  const tail = [
    ...partsOf(query === null ? '' : `?${query}`, 'query', known),
    ...partsOf(fragment, 'fragment', known),
  ];
  if (isFixed(head) && isFixed(tail)) return null;
  return (fill) => withoutDots(fillParts(head, fill)) + fillParts(tail, fill);
};

/** By byte. */
const ENCODED = Array.from(
  { length: 256 },
  (_, byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`,
);

const hex = (each: string): string =>
  ENCODED[each.charCodeAt(0)] ?? [...Buffer.from(each)].map((byte) => ENCODED[byte]).join('');

/**
 * Percent-encodes a part of a request once: what is encoded stays so, byte for byte. Node returns a byte above ASCII as
 * the character of Latin-1.
 *
 * @param kept Characters that are left as they are, besides unreserved ones (RFC 3986, 2.3).
 */
const encoder = (kept: string) => {
  const others = new RegExp(`%[\\dA-Fa-f]{2}|[^\\w.~${kept}-]`, 'gu');
  const plain = new RegExp(`^[\\w.~${kept}-]*$`);
  return (sent: string): string =>
    plain.test(sent) ? sent : sent.replace(others, (each) => (each.length === 3 ? each : hex(each)));
};

/** For one value, wherever it stands. */
export const encodeValue = encoder('');
/** For a path with its slashes. */
export const encodePath = encoder("/!$&'()*+,;=:@");
/** For the parameters of a query. */
export const encodeQuery = encoder("/?!$&'()*+,;=:@[\\]");

/** Dot segments, which clients resolve even when they are percent-encoded: WHATWG URL, 4.1. */
const DOTS = /(?<=\/)(?:\.|%2e){1,2}(?=\/|$)/gi;

/** Empties the dot segments of an address without query and fragment, so that none leads to another folder. */
export const withoutDots = (address: string): string => address.replace(DOTS, '');
