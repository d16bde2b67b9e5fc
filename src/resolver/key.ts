/** The keys of items, and the levels of a request at which there may be items. */
import { checkGs1 } from '../gs1/check.ts';
import { listIdentifiers } from '../gs1/dictionary.ts';
import { isUri, writePath, writeUri } from '../gs1/digital-link.ts';
import { type Element, writeBrackets } from '../gs1/element-string.ts';
import { type Gs1Fault, tellFault } from '../gs1/fault.ts';
import { aiOfName } from '../gs1/names.ts';
import { ok, type Result, refused } from '../result.ts';

/** What names an item. */
export interface ItemKey {
  /**
   * The path of its URI, canonical: `/01/09521321000018/10/A7`. For any value of a qualifier it has the AI in braces,
   * percent-encoded: no value of an AI has braces.
   */
  readonly path: string;
  /** The path of its primary key alone. */
  readonly keyPath: string;
  /** The AIs of its qualifiers, joined by commas, in braces where it is for any value: `22,{10}`. */
  readonly shape: string;
}

/** A level of a request: an item there may be, and the path of the request up to it. */
export interface Level extends ItemKey {
  /** Differs from `path` where the item is for any value of a qualifier. */
  readonly asked: string;
}

/** What a request is about. */
export interface Asked {
  /** All elements of its URI, the primary key first. */
  readonly elements: readonly { readonly ai: string; readonly value: string }[];
  readonly path: string;
  readonly keyPath: string;
  /** Where there may be items, the most specific first, the primary key last. */
  readonly levels: readonly Level[];
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

/** A qualifier with its AI in braces as its value, in an element string or a URI. */
const ANY_VALUE = /\((\d{2,4})\)\{([^{}]*)\}|\/(\d{2,4})\/(?:\{|%7B)([^{}/]*?)(?:\}|%7D)/gi;

/** Takes the qualifiers out of a key whose values may be any. */
const takeAny = (
  text: string,
): Result<{ readonly rest: string; readonly any: readonly Element[] }, string> => {
  const any: Element[] = [];
  let fault: string | null = null;
  const rest = text.replace(ANY_VALUE, (written: string, inText = '', name = '', inUri = '', word = '') => {
    const ai: string = inText || inUri;
    if (aiOfName(name || word) !== ai)
      fault ??= `must not have the placeholder ${written.slice(0, 60)}: write {${ai}} for any value of (${ai})`;
    any.push({ ai, value: `{${ai}}`, raw: '', start: 0 });
    return '';
  });
  return fault === null ? ok({ rest, any }) : refused(fault);
};

/** A GTIN as it is printed below a barcode, perhaps with spaces, and what may follow it in brackets. */
const BARE_GTIN = /^(\d[\d ]{6,20}\d)(\(.*)?$/s;
const GTIN_LENGTHS: readonly number[] = [8, 12, 13, 14];

/** Returns a text that begins with a GTIN without its AI with it; any other as it is. */
const withAi = (text: string): string => {
  const [, printed = '', rest = ''] = BARE_GTIN.exec(text) ?? [];
  const digits = printed.replaceAll(' ', '');
  return GTIN_LENGTHS.includes(digits.length) ? `(01)${digits.padStart(14, '0')}${rest}` : text;
};

/**
 * Reads what a caller names an item by: an element string, a Digital Link URI, or a GTIN by itself. With the AI of a qualifier in braces as
 * its value, as in `(01)09521321000018(21){21}`, it is for any value.
 */
export const readKey = (text: string): Result<ItemKey, string> => {
  if (text.length > KEY_MAX) return refused(`must have at most ${KEY_MAX} characters`);
  const taken = takeAny(text);
  if (!taken.ok) return taken;
  const { rest, any } = taken.value;
  const asWritten = checkGs1(rest);
  // Digits may also be what a scanner sends, such as (8004) and ten more.
  const names = asWritten.ok && writeUri(asWritten.value.elements, '') !== null;
  const checked = names ? asWritten : checkGs1(withAi(rest));
  if (!checked.ok) return refused(`is not valid GS1 data: ${tell(checked.fault, 0)}`);
  const twice = checked.value.elements.find(({ ai }) => any.some((each) => each.ai === ai));
  if (twice !== undefined) return refused(`must have (${twice.ai}) once`);
  const path = writeUri([...checked.value.elements, ...any], '');
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
  if (any.some(({ ai }) => ai === key!.ai))
    return refused(`must have a value of its primary key (${key!.ai}), which may not be any`);
  const shape = qualifiers.map(({ ai, value }) => (value === `{${ai}}` ? value : ai)).join(',');
  return ok({ path, keyPath: writePath([key!]), shape });
};

/**
 * Returns the combinations of qualifiers that 2.5.9 names, the most specific first, each followed by those for any value.
 * Later qualifiers are more specific.
 */
const levelsOf = (elements: readonly { readonly ai: string; readonly value: string }[]): Level[] => {
  const [key, ...qualifiers] = elements;
  const keyPath = writePath([key!]);
  const parts = qualifiers.map((qualifier) => ({
    exact: { path: writePath([qualifier]), shape: qualifier.ai },
    any: { path: `/${qualifier.ai}/%7B${qualifier.ai}%7D`, shape: `{${qualifier.ai}}` },
    ofOneUnit: OF_ONE_UNIT.includes(qualifier.ai),
  }));
  const levels: Level[] = [];
  for (let mask = 2 ** parts.length - 1; mask > 0; mask -= 1) {
    const chosen = parts.filter((_, i) => (mask >> i) & 1);
    if (chosen.length > 1 && chosen.some(({ ofOneUnit }) => ofOneUnit)) continue;
    const asked = keyPath + chosen.map(({ exact }) => exact.path).join('');
    for (let anyMask = 0; anyMask < 2 ** chosen.length; anyMask += 1) {
      const level = chosen.map(({ exact, any }, i) => ((anyMask >> i) & 1 ? any : exact));
      levels.push({
        asked,
        path: keyPath + level.map(({ path }) => path).join(''),
        keyPath,
        shape: level.map(({ shape }) => shape).join(','),
      });
    }
  }
  levels.push({ asked: keyPath, path: keyPath, keyPath, shape: '' });
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
  return ok({ path: writePath(inPath), keyPath: levels.at(-1)!.keyPath, levels, elements });
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
export const toPathPrefix = (written: string): string => {
  // As it is printed below a barcode.
  const text = /^[\d ]+$/.test(written) ? written.replaceAll(' ', '') : written;
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
