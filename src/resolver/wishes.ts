/** What a caller wishes of a link: its media type, its language and its context. */
import type { ItemLink } from '../db/tables/resolver/items.ts';

/** The parts of a request that choose among links of one type: GS1-Conformant Resolver Standard, 2.6.3. */
export interface Wishes {
  /** `Accept` and `Accept-Language` as they were sent. */
  readonly accept: string | undefined;
  readonly language: string | undefined;
  /** The parameter `context`. */
  readonly context: string | null;
}

/** Whether anything is wished: what programs send by default does not count. */
export const hasWishes = ({ accept, language, context }: Wishes): boolean =>
  (accept !== undefined && accept !== '*/*') || language !== undefined || context !== null;

/** Returns how well a link fits: 0 not, 1 when it says nothing, above 2 when it is what was wished. */
export type Rank = (link: ItemLink) => number;

/** Longer headers are not read; those of browsers have some 150 characters. */
const HEADER_MAX_CHARACTERS = 1000;
/** Of a header; further ones are ignored, as RFC 9110, 12.5 allows. */
const RANGES_MAX = 20;

interface Range {
  readonly name: string;
  /** 0 to 1: RFC 9110, 12.4.2. */
  readonly weight: number;
}

const readRanges = (header: string | undefined, form: RegExp): readonly Range[] =>
  header === undefined || header.length > HEADER_MAX_CHARACTERS
    ? []
    : header.split(',', RANGES_MAX).flatMap((part) => {
        const name = part.split(';', 1)[0]!.trim().toLowerCase();
        const [, weight = '1'] = /;[\t ]*q=([^;]*[^;\t ])/i.exec(part) ?? [];
        const isRead = form.test(name) && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight);
        return isRead ? [{ name, weight: Number(weight) }] : [];
      });

const saysNothing = (isSaid: boolean): number => (isSaid ? 0 : 1);

const rankOfType = (accept: string | undefined): Rank => {
  const ranges = readRanges(accept, /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/);
  const isNamed = ranges.some(({ name }) => !name.includes('*'));
  return ({ type }) => {
    if (type === null || !isNamed) return saysNothing(type !== null);
    const named = ranges.find(({ name }) => name === type);
    if (named !== undefined) return named.weight === 0 ? 0 : 2 + named.weight;
    const ofKind = `${type.split('/', 1)[0]}/*`;
    const wild = ranges.find(({ name }) => name === '*/*' || name === ofKind);
    // What a caller takes among anything else counts less than a link that may have a type that it named.
    return (wild?.weight ?? 0) / 2;
  };
};

const languageOf = (tag: string): string => tag.split('-', 1)[0]!;

/** How near two tags of one language are: equal, one a prefix of the other (RFC 4647, 3.4), or neither. */
const nearness = (range: string, tag: string): number => {
  if (range === tag) return 3;
  return range.startsWith(`${tag}-`) || tag.startsWith(`${range}-`) ? 2 : 1;
};

/**
 * The first range of a tag's language decides, by weight and then in their order; then how near the tag is. A tag is
 * compared with that range alone, because anybody may ask with many ranges for an item with many languages.
 */
const rankOfLanguage = (header: string | undefined): Rank => {
  const ranges = readRanges(header, /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/)
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  const firstOf = new Map<string, { readonly name: string; readonly rank: number }>();
  for (const [i, { name }] of ranges.entries()) {
    const language = languageOf(name);
    if (!firstOf.has(language)) firstOf.set(language, { name, rank: 2 + ranges.length - i });
  }
  const rankOfTag = (written: string): number => {
    const tag = written.toLowerCase();
    const first = firstOf.get(languageOf(tag));
    return first === undefined ? 0 : first.rank + nearness(first.name, tag) / 10;
  };
  return ({ hreflang }) =>
    hreflang.length === 0 || ranges.length === 0
      ? saysNothing(hreflang.length > 0)
      : Math.max(...hreflang.map(rankOfTag));
};

const rankOfContext =
  (wanted: string | null): Rank =>
  ({ context }) =>
    wanted !== null && context.includes(wanted) ? 3 : saysNothing(context.length > 0);

/** Returns the ranks by media type, language and context, in the order in which they decide. */
export const ranksOf = ({ accept, language, context }: Wishes): readonly Rank[] => [
  rankOfType(accept),
  rankOfLanguage(language),
  rankOfContext(context),
];

/** Returns the links that fit best: those of the first rank, of these the ones of the next, and so on. */
export const chooseLinks = (links: readonly ItemLink[], ranks: readonly Rank[]): readonly ItemLink[] =>
  ranks.reduce((left, rank) => {
    if (left.length < 2) return left;
    const fits = left.map(rank);
    const best = Math.max(...fits);
    return left.filter((_, i) => fits[i] === best);
  }, links);
