/** Checks the links that callers write. */
import type { ItemLink } from '../db/tables/items.ts';
import { ok, type Result, refused } from '../result.ts';
import { readRel } from './link-types.ts';

/** A link as a caller writes it. */
export interface WrittenLink {
  readonly rel: string;
  readonly href: string;
  readonly title: string;
  readonly hreflang?: readonly string[];
  readonly type?: string | null;
  readonly context?: readonly string[];
  readonly is_default?: boolean;
}

/** What is wrong with one of some links, as the end of a sentence that begins with the field. */
export interface LinkFault {
  /** Of the link in the list; `null`: it is about all of them. */
  readonly index: number | null;
  readonly field: keyof WrittenLink | null;
  readonly message: string;
}

/** Links of an item. */
export const LINKS_MAX = 100;
/** As JSON. This bounds an entry in the resolver's memory. */
const LINKS_MAX_BYTES = 16_384;
const TITLE_MAX = 200;
/** Languages, and contexts, of a link. */
export const WORDS_MAX = 20;

/** The BCP 47 tags that the published schema of linksets accepts. */
const LANGUAGE = /^([a-z]{2})(?:-([a-z]{2}))?$/i;
/** The top-level types of IANA, and a name as in RFC 6838, 4.2. */
const MEDIA_TYPE =
  /^(?:application|audio|font|haptics|image|message|model|multipart|text|video)\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;
const CONTEXT = /^[^\p{C}\s,;&]{1,60}$/u;
const TITLE = new RegExp(`^[^\\p{Cc}\\p{Surrogate}]{1,${TITLE_MAX}}$`, 'u');

const toLanguage = (written: string): string | null => {
  const [, language, country] = LANGUAGE.exec(written.trim()) ?? [];
  if (language === undefined) return null;
  return language.toLowerCase() + (country === undefined ? '' : `-${country.toUpperCase()}`);
};

type Read<T> = Result<T, Omit<LinkFault, 'index'>>;

const fault = (field: keyof WrittenLink, message: string): Read<never> => refused({ field, message });

const readLink = (
  written: WrittenLink,
  checkHref: (href: string) => Result<string, string>,
): Read<ItemLink> => {
  const rel = readRel(written.rel.trim());
  if (!rel.ok) return fault('rel', rel.fault);
  const href = checkHref(written.href);
  if (!href.ok) return fault('href', href.fault);
  const title = written.title.trim();
  if (!TITLE.test(title)) return fault('title', `must have 1 to ${TITLE_MAX} characters, on one line`);
  const many = (['hreflang', 'context'] as const).find((field) => (written[field]?.length ?? 0) > WORDS_MAX);
  if (many !== undefined) return fault(many, `must have at most ${WORDS_MAX} items`);
  const hreflang = (written.hreflang ?? []).map(toLanguage);
  if (hreflang.includes(null))
    return fault('hreflang', 'must be languages, each with a country or without, such as "en" or "pt-BR"');
  const type = written.type?.trim().toLowerCase() || null;
  if (type !== null && !MEDIA_TYPE.test(type))
    return fault('type', 'must be a media type of IANA without parameters, such as "text/html"');
  const context = (written.context ?? []).map((each) => each.trim());
  if (!context.every((each) => CONTEXT.test(each)))
    return fault('context', 'must be words of at most 60 characters, such as "DE"');
  return ok({
    rel: rel.value,
    href: href.value,
    title,
    hreflang: [...new Set(hreflang as string[])],
    type,
    context: [...new Set(context)],
    isDefault: written.is_default ?? false,
  });
};

/**
 * Returns the links of an item with at most one default. An item of a primary key alone always has one: its first link,
 * unless another is marked.
 *
 * @param isKey Whether the item is that of a primary key alone.
 */
export const settleDefault = (
  links: readonly ItemLink[],
  isKey: boolean,
): Result<readonly ItemLink[], LinkFault> => {
  if (links.length > LINKS_MAX)
    return refused({ index: null, field: null, message: `must be at most ${LINKS_MAX}` });
  if (Buffer.byteLength(JSON.stringify(links)) > LINKS_MAX_BYTES)
    return refused({ index: null, field: null, message: `must take at most ${LINKS_MAX_BYTES} bytes` });
  const marked = links.flatMap(({ isDefault }, index) => (isDefault ? [index] : []));
  if (marked.length > 1)
    return refused({ index: marked[1]!, field: 'is_default', message: 'must be true for one link only' });
  if (marked.length === 1 || !isKey) return ok(links);
  return ok(links.map((link, index) => ({ ...link, isDefault: index === 0 })));
};

/**
 * Reads links.
 *
 * @param checkHref Returns a target as the WHATWG URL standard writes it, or what is wrong with it.
 */
export const readLinks = (
  written: readonly WrittenLink[],
  checkHref: (href: string) => Result<string, string>,
): Result<readonly ItemLink[], LinkFault> => {
  const links: ItemLink[] = [];
  for (const [index, each] of written.entries()) {
    const link = readLink(each, checkHref);
    if (!link.ok) return refused({ index, ...link.fault });
    links.push(link.value);
  }
  return ok(links);
};
