/** The keys of items, and the levels of a request at which there may be items. */
import { checkGs1 } from '../gs1/check.ts';
import { listIdentifiers } from '../gs1/dictionary.ts';
import { isUri, writePath, writeUri } from '../gs1/digital-link.ts';
import { writeBrackets } from '../gs1/element-string.ts';
import { type Gs1Fault, tellFault } from '../gs1/fault.ts';
import { ok, type Result, refused } from '../result.ts';

/** What names an item. */
export interface ItemKey {
  /** The path of its URI, canonical: `/01/09521321000018/10/A7`. */
  readonly path: string;
  /** The path of its primary key alone. */
  readonly keyPath: string;
  /** The AIs of its qualifiers, joined by commas. */
  readonly shape: string;
}

/** What a request is about. */
export interface Asked {
  readonly path: string;
  readonly keyPath: string;
  /** Where there may be items, the most specific first, the primary key last. */
  readonly levels: readonly ItemKey[];
}

/** The AIs with which the paths of URIs begin. */
export const PRIMARY_KEYS: readonly string[] = listIdentifiers()
  .filter(({ qualifiers }) => qualifiers !== null)
  .map(({ ai }) => ai);

/** In characters, of what names an item: a key with escapes, or a whole URI. */
export const KEY_MAX = 1000;

/** AIs that name one unit, so that no other qualifier may go with them: GS1-Conformant Resolver Standard, 2.5.9. */
const OF_ONE_UNIT: readonly string[] = ['21', '235'];

/** Stands for the resolver's own address. */
const STEM = 'https://a';

const tell = (faults: readonly Gs1Fault[], offset: number): string =>
  faults.map((fault) => tellFault({ ...fault, position: Math.max(1, fault.position - offset) })).join('; ');

const pairsOf = (path: string) => {
  const segments = path.split('/');
  return Array.from({ length: (segments.length - 1) / 2 }, (_, i) => ({
    ai: segments[2 * i + 1]!,
    value: decodeURIComponent(segments[2 * i + 2]!),
  }));
};

/** Returns the element string of a path, with brackets. */
export const bracketsOf = (path: string): string => writeBrackets(pairsOf(path));

/** Reads what a caller names an item by: an element string or a Digital Link URI. */
export const readKey = (text: string): Result<ItemKey, string> => {
  if (text.length > KEY_MAX) return refused(`must have at most ${KEY_MAX} characters`);
  const checked = checkGs1(text);
  if (!checked.ok) return refused(`is not valid GS1 data: ${tell(checked.fault, 0)}`);
  const path = writeUri(checked.value.elements, '');
  if (path === null) return refused('has no primary key, such as (01), (414) or (00)');
  if (path.includes('?'))
    return refused('may have a primary key and its qualifiers only; leave out the other AIs');
  const [key, ...qualifiers] = pairsOf(path);
  const ais = qualifiers.map(({ ai }) => ai);
  const unit = ais.find((ai) => OF_ONE_UNIT.includes(ai));
  if (unit !== undefined && ais.length > 1)
    return refused(
      `(${unit}) names one unit by itself: leave out ${ais
        .filter((ai) => ai !== unit)
        .map((ai) => `(${ai})`)
        .join(' and ')}; a URI that has them leads there too`,
    );
  return ok({ path, keyPath: writePath([key!]), shape: ais.join(',') });
};

/**
 * Returns the combinations of qualifiers that 2.5.9 names, the most specific first. Later qualifiers are more specific.
 */
const levelsOf = (elements: readonly { readonly ai: string; readonly value: string }[]): ItemKey[] => {
  const [key, ...qualifiers] = elements;
  const keyPath = writePath([key!]);
  const levels: ItemKey[] = [];
  for (let mask = 2 ** qualifiers.length - 1; mask >= 0; mask -= 1) {
    const chosen = mask === 0 ? [] : qualifiers.filter((_, i) => (mask >> i) & 1);
    if (chosen.length > 1 && chosen.some(({ ai }) => OF_ONE_UNIT.includes(ai))) continue;
    const shape = chosen.map(({ ai }) => ai).join(',');
    levels.push({ path: mask === 0 ? keyPath : keyPath + writePath(chosen), keyPath, shape });
  }
  return levels;
};

/** Whether a query has AIs. */
export const hasAttributes = (query: string): boolean => query !== '' && /(?:^|&)\d+=/.test(query);

/** The query parameters that are AIs: the checks do not need the rest. */
const attributesOf = (query: string): string =>
  hasAttributes(query)
    ? `?${query
        .split('&')
        .filter((parameter) => /^\d+=/.test(parameter))
        .join('&')}`
    : '';

/**
 * Reads the path and the query of a request: a Digital Link URI without scheme and host. One slash at the end of the
 * path is ignored (2.13). The fault names characters of the path.
 */
export const readRequest = (written: string, query: string): Result<Asked, string> => {
  const path = written.endsWith('/') ? written.slice(0, -1) : written;
  const checked = checkGs1(STEM + path + attributesOf(query), 'digital-link');
  if (!checked.ok) return refused(tell(checked.fault, STEM.length));
  const { elements, stem } = checked.value;
  if (stem !== STEM) return refused('the path must begin with its only primary key');
  const inPath = elements.slice(0, (path.split('/').length - 1) / 2);
  const levels = levelsOf(inPath);
  return ok({ path: writePath(inPath), keyPath: levels.at(-1)!.keyPath, levels });
};

/** A prefix that no path has. */
const NO_PATH = '~';

/** Lengths of GTINs without leading zeros, and of an SSCC. */
const GTIN = /^(?:\d{8}|\d{12,13})$/;
const SSCC_DIGITS = 18;

/**
 * Returns what the paths of items begin with whose key is this text or begins with it: an element string in brackets, a
 * Digital Link URI, or the digits of a GTIN or an SSCC.
 */
export const toPathPrefix = (text: string): string => {
  if (text === '') return '';
  if (!/^[\x20-\x7e]+$/.test(text)) return NO_PATH;
  if (isUri(text)) {
    const key = readKey(text);
    return key.ok ? key.value.path : text;
  }
  if (/^\d+$/.test(text))
    return text.length === SSCC_DIGITS
      ? `/00/${text}`
      : `/01/${GTIN.test(text) ? text.padStart(14, '0') : text}`;
  return (
    text
      .split(/(?<!\\)\(/)
      .slice(1)
      .map((part) => {
        const [ai = '', value] = part.split(/\)(.*)/s);
        return value === undefined ? `/${ai}` : writePath([{ ai, value: value.replaceAll('\\(', '(') }]);
      })
      .join('') || text
  );
};
