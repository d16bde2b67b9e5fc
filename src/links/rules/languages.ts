import { LRUCache } from 'lru-cache';

/** In characters. Browsers send some 50; a much longer header is not read. */
const HEADER_MAX = 1000;

/** A language range with its weight (RFC 9110, 12.5.4 and 12.4.2). */
const ELEMENT =
  /^[ \t]*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i;

/** Headers whose languages are kept, some 1 KB each: most visitors send one of a few. */
const KEPT_MAX = 1000;
const kept = new LRUCache<string, readonly string[]>({ max: KEPT_MAX });

const readLanguages = (header: string): readonly string[] => {
  let highest = 0;
  let wanted: string[] = [];
  for (const element of header.split(',')) {
    const found = ELEMENT.exec(element);
    if (found === null) continue;
    const weight = found[2] === undefined ? 1 : Number(found[2]);
    if (weight === 0 || weight < highest) continue;
    if (weight > highest) wanted = [];
    highest = weight;
    wanted.push(found[1]!.toLowerCase());
  }
  return wanted;
};

/**
 * Returns the languages with the highest weight in an `Accept-Language` header, in lower case: what the reader wants
 * most. Elements that are malformed, refused (`q=0`) or `*` name none.
 */
export const wantedLanguages = (header: string): readonly string[] => {
  if (header.length > HEADER_MAX) return [];
  let languages = kept.get(header);
  if (languages === undefined) {
    languages = readLanguages(header);
    kept.set(header, languages);
  }
  return languages;
};

/** Whether a language is one of the ranges or below it, as `de-ch` is below `de` (RFC 4647, 3.3.1). In lower case. */
export const isInRanges = (language: string, ranges: readonly string[]): boolean =>
  ranges.some((range) => language === range || language.startsWith(`${range}-`));
