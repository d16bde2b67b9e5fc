/** A link of an item as the fields of a form have it: texts, where '' means none. */
import type { ItemLink } from '../../api/shapes.ts';

/** The fields. Languages and contexts are separated by commas. */
export interface LinkTexts {
  readonly rel: string;
  readonly href: string;
  readonly title: string;
  readonly hreflang: string;
  readonly type: string;
  readonly context: string;
}

/** A link to product information, which most items have. */
export const BEGINNING: LinkTexts = {
  rel: 'gs1:pip',
  href: '',
  title: '',
  hreflang: '',
  type: '',
  context: '',
};

/** Returns a link as it is edited. */
export const toTexts = ({ rel, href, title, hreflang, type, context }: ItemLink): LinkTexts => ({
  rel,
  href,
  title,
  hreflang: hreflang.join(', '),
  type: type ?? '',
  context: context.join(', '),
});

const listOf = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '');

/** Returns the link of the fields. */
export const toLink = (texts: LinkTexts, is_default: boolean): ItemLink => ({
  rel: texts.rel.trim(),
  href: texts.href.trim(),
  title: texts.title.trim(),
  is_default,
  hreflang: listOf(texts.hreflang),
  type: texts.type.trim() || null,
  context: listOf(texts.context),
});

/** Returns the links with one of them changed, added (`at` is their number) or removed (`null`). At most one is the default. */
export const withLink = (links: readonly ItemLink[], at: number, link: ItemLink | null): ItemLink[] => {
  const next = [...links.slice(0, at), ...(link === null ? [] : [link]), ...links.slice(at + 1)];
  const isTaken = link?.is_default ?? false;
  return next.map((each) => (isTaken && each !== link ? { ...each, is_default: false } : each));
};
