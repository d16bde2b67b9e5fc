/** Links as the fields of forms have them: texts, where an empty one means none. */
import { parseUrl, trimUrl } from '../../../texts.ts';
import type { ItemLink, Link, RouteChange } from '../../api/shapes.ts';
import { toInputTime } from '../../ui/format.ts';
import { say } from '../../words/say.ts';

/** Returns what the page can find wrong with a destination before it asks the service; `null` when it finds nothing. */
export const faultOfUrl = (text: string): string | null => {
  const url = parseUrl(trimUrl(text));
  if (url === null) return say('Enter the whole address, for example https://example.com/menu');
  const { protocol, username, password } = url;
  if (!/^https?:$/.test(protocol))
    return say('Enter an http or https address: not every phone opens others.');
  if (username !== '' || password !== '') return say('Leave the user name and password out of the address.');
  return null;
};

/** Returns a time as an input of `TIME` has it. */
export const toField = (iso: string | null): string => (iso === null ? '' : toInputTime(new Date(iso)));

/** Attributes of an input that takes a time in the reader's own time zone. */
export const TIME = { type: 'datetime-local', max: '9998-12-31T23:59' } as const;

/** Attributes of an input that takes a slug. */
export const SLUG = {
  minLength: 3,
  maxLength: 64,
  pattern: '[0-9A-Za-z][0-9A-Za-z_\\-]*[0-9A-Za-z]',
  title: say('Letters, digits, hyphens and underscores, with a letter or digit at both ends'),
  spellcheck: false,
} as const;

/** What decides about single visits. */
type GuardName = 'rule_set_id' | 'visit_limit' | 'password';

/** Returns when a link begins and ends, and where it leads at other times. */
export const toRouteTexts = (link: Link) => ({
  active_from: toField(link.active_from),
  active_until: toField(link.active_until),
  before_destination: link.before_destination ?? '',
  after_destination: link.after_destination ?? '',
});

export type RouteTexts = Partial<
  ReturnType<typeof toRouteTexts> & Readonly<Record<'destination' | GuardName, string>>
>;

/** Returns the texts as the service takes them. */
export const toChange = (texts: RouteTexts): RouteChange =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      if (text === '') return [name, null];
      if (name.startsWith('active_')) return [name, new Date(text).toISOString()];
      return [name, name === 'visit_limit' ? Number(text) : text];
    }),
  );

/** Returns what is wrong with the texts, before the service is asked; `null` when nothing is. */
export const faultOfTexts = (texts: RouteTexts): string | null => {
  const {
    destination,
    active_from: from,
    active_until: until,
    before_destination,
    after_destination,
  } = texts;
  if (destination !== undefined && faultOfUrl(destination) !== null) return faultOfUrl(destination);
  if (from && until && from >= until) return say('The end must come after the start.');
  const faults = [before_destination, after_destination].map((url) => (url ? faultOfUrl(url) : null));
  return faults.find((fault) => fault !== null) ?? null;
};

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

export const toLinkTexts = ({ rel, href, title, hreflang, type, context }: ItemLink): LinkTexts => ({
  rel,
  href,
  title,
  hreflang: hreflang.join(', '),
  type: type ?? '',
  context: context.join(', '),
});

/** Returns the parts of a text between commas and spaces. */
export const listOf = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '');

export const toLink = (texts: LinkTexts, is_default: boolean): ItemLink => ({
  rel: texts.rel.trim(),
  href: texts.href.trim(),
  title: texts.title.trim(),
  is_default,
  hreflang: listOf(texts.hreflang),
  type: texts.type.trim() || null,
  context: listOf(texts.context),
});

/** Returns a list with one item changed, added (`at` is their number) or removed (`null`). */
export const withItem = <T>(items: readonly T[], at: number, item: T | null): T[] => [
  ...items.slice(0, at),
  ...(item === null ? [] : [item]),
  ...items.slice(at + 1),
];

/** Does this for links of an item, of which at most one is the default. */
export const withLink = (links: readonly ItemLink[], at: number, link: ItemLink | null): ItemLink[] => {
  const next = withItem(links, at, link);
  const isTaken = link?.is_default ?? false;
  return next.map((each) => (isTaken && each !== link ? { ...each, is_default: false } : each));
};
