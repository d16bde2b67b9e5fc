/** Targets with placeholders, such as `https://example.com/{serial}`, which each request fills in. */
import type { ItemLink } from '../db/tables/items.ts';
import { encodeSegment } from '../gs1/digital-link.ts';
import { AI_WORDS, aiOfName } from '../gs1/names.ts';
import { encodeParameter, PARAMETER, parameterFinder } from '../links/forward.ts';
import { type Fill, onceEach, type Placeholders, prepareTemplate } from '../links/template.ts';
import type { Asked } from './key.ts';

/** What the targets of items may have in braces. */
export const TARGET_PLACEHOLDERS: Placeholders = {
  has: (name) => name === 'key' || name === 'path' || PARAMETER.test(name) || aiOfName(name) !== undefined,
  shown:
    'the AIs of the URI, such as {21} or {serial} and {10} or {lot}, {key} for its primary key, {path}, and {query.name} for a parameter',
  names: ['key', 'path', ...AI_WORDS],
  refusesEncoded: true,
};

/** A link in memory. */
export interface Target extends ItemLink {
  /** Fills in its address; absent: nothing is filled in. */
  readonly fill?: (fill: Fill) => string;
}

/** Prepares links for requests. */
export const prepareLinks = (links: readonly ItemLink[]): readonly Target[] =>
  links.map((link) => {
    const fill = prepareTemplate(link.href, TARGET_PLACEHOLDERS);
    return fill === null ? link : { ...link, fill };
  });

const fillFor = ({ elements, path }: Asked, query: string): Fill => {
  const find = parameterFinder(query);
  return onceEach((name, place) => {
    const parameter = PARAMETER.exec(name)?.[1];
    if (parameter !== undefined) return encodeParameter(find(parameter));
    if (name === 'path') return place === 'path' ? path.slice(1) : encodeURIComponent(path.slice(1));
    const ai = name === 'key' ? elements[0]!.ai : aiOfName(name);
    return encodeSegment(elements.find((element) => element.ai === ai)?.value ?? '');
  });
};

/** Returns the address of a link for a request. @param query As it was sent. */
export const hrefOf = ({ href, fill }: Target, asked: Asked, query: string): string =>
  fill === undefined ? href : fill(fillFor(asked, query));

/** Returns the links as the request has them; the same list when nothing is filled in. */
export const fillLinks = (links: readonly Target[], asked: Asked, query: string): readonly Target[] =>
  links.some(({ fill }) => fill !== undefined)
    ? links.map((link) => ({ ...link, href: hrefOf(link, asked, query) }))
    : links;
