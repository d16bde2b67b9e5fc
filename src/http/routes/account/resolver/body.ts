/** Items of the resolver as calls write and answers have them. */

import Type, { type Static } from 'typebox';
import type { Sql } from '../../../../db/client.ts';
import { getItem, type Item, type ItemLink } from '../../../../db/tables/items.ts';
import { scanTotals } from '../../../../db/tables/scans/scans.ts';
import { type AppError, fieldError } from '../../../../errors.ts';
import { eachInSlices } from '../../../../execution/time-limits.ts';
import { bracketsOf, KEY_MAX } from '../../../../resolver/key.ts';
import {
  LINKS_MAX,
  type LinkFault,
  readLinks,
  settleDefault,
  WORDS_MAX,
} from '../../../../resolver/links.ts';
import type { Resolver } from '../../../../resolver/resolver.ts';
import { orNull } from '../../../../stored-json.ts';
import { requireFound } from '../../../auth/require-found.ts';
import { Version, versionOf } from '../../../files/versions.ts';
import { fieldsOf, strict, Timestamp, Uuid } from '../../../schemas/atoms.ts';
import { scanTotalFields, toScanTotals } from '../../../schemas/scans.ts';

const linkFields = {
  rel: Type.String({ description: 'The link type, such as `gs1:pip`, or the IRI of another one.' }),
  href: Type.String({
    description:
      'The target: any URL that a short link may have as its destination. It may have placeholders: AIs such as `{21}` or `{serial}`, `{key}`, `{path}` and `{query.name}`.',
  }),
  title: Type.String(),
};

/** A link in requests. */
export const LinkWritten = Type.Object(
  {
    ...linkFields,
    hreflang: Type.Optional(
      Type.Array(Type.String(), { maxItems: WORDS_MAX, description: 'Languages, such as `en` or `pt-BR`.' }),
    ),
    type: Type.Optional(orNull(Type.String({ description: 'A media type.' }))),
    context: Type.Optional(
      Type.Array(Type.String(), { maxItems: WORDS_MAX, description: 'Words, such as countries (`DE`).' }),
    ),
    is_default: Type.Optional(
      Type.Boolean({
        description: 'Whether it is the default. For an item with only a primary key, the first link is.',
      }),
    ),
  },
  { ...strict, title: 'NewItemLink' },
);

/** Links in requests. */
export const LinksWritten = Type.Array(LinkWritten, { minItems: 1, maxItems: LINKS_MAX });

/** A link in answers. */
const LinkOfItem = Type.Object(
  {
    ...linkFields,
    hreflang: Type.Array(Type.String()),
    type: orNull(Type.String()),
    context: Type.Array(Type.String()),
    is_default: Type.Boolean(),
  },
  { title: 'ItemLink' },
);

/** Links in answers. */
export const LinksOfItem = Type.Array(LinkOfItem);

const EXAMPLE_LINKS = [{ rel: 'gs1:pip', href: 'https://example.com/juice', title: 'Apple juice' }];

/** The request for an item. */
export const NewItem = Type.Object(
  {
    key: Type.String({
      maxLength: KEY_MAX,
      description:
        'An element string in brackets, a Digital Link URI, or a GTIN by itself: a primary key and its qualifiers. `(01)09521321000018(21){21}` is for any serial number.',
    }),
    links: LinksWritten,
  },
  {
    ...strict,
    title: 'NewItem',
    examples: [{ key: '(01)09521321000018', links: EXAMPLE_LINKS }],
  },
);

/** What may change about an item. */
export const ItemPatch = Type.Object(
  { links: LinksWritten },
  { ...strict, title: 'ItemPatch', examples: [{ links: EXAMPLE_LINKS }] },
);

export const ItemBody = Type.Object(
  {
    id: Uuid,
    key: Type.String({ description: 'Its element string.' }),
    path: Type.String({ description: 'The path of its Digital Link URI.' }),
    url: Type.String({ description: 'That URI.' }),
    links: LinksOfItem,
    ...scanTotalFields,
    created_at: Timestamp,
    updated_at: Timestamp,
    etag: Version,
  },
  { title: 'Item' },
);

/** Returns the body of links. */
export const toLinks = (links: readonly ItemLink[]) =>
  links.map((link) => ({
    ...fieldsOf(link, 'rel', 'href', 'title', 'type', 'isDefault'),
    hreflang: [...link.hreflang],
    context: [...link.context],
  }));

/** Returns the version of what calls may change about an item. */
export const itemVersion = ({ links }: Item): string => versionOf(toLinks(links));

/** Returns the bodies of items with the numbers of their scans, which are read in one query. */
export const toItemBodies = async (sql: Sql, items: readonly Item[], { root }: Resolver) => {
  const totals = await scanTotals(
    sql,
    items.map(({ slug }) => slug),
  );
  const bodies: Static<typeof ItemBody>[] = [];
  await eachInSlices(items, (item) => {
    bodies.push({
      ...fieldsOf(item, 'id', 'path', 'createdAt', 'updatedAt'),
      key: bracketsOf(item.path),
      url: root() + item.path,
      links: toLinks(item.links),
      ...toScanTotals(totals.get(item.slug)),
      etag: itemVersion(item),
    });
  });
  return bodies;
};

/** Returns the account's item. @throws {AppError} 404 when it has none with this id. */
export const requireItem = async (sql: Sql, accountId: string, id: string): Promise<Item> =>
  requireFound('item', await getItem(sql, accountId, id));

const linkError = (inside: string, { index, field, message }: LinkFault): AppError =>
  fieldError([inside, index, field].filter((part) => part !== null).join('.'), message);

/** Reads links. @param inside The name of their field in errors. @throws {AppError} 400 for one that an item cannot have. */
export const linksOf = (
  written: Static<typeof LinksWritten>,
  { checkHref }: Resolver,
  inside = 'links',
): readonly ItemLink[] => {
  const links = readLinks(written, checkHref);
  if (!links.ok) throw linkError(inside, links.fault);
  return links.value;
};

/** Does what `settleDefault` does. @throws {AppError} 400 when it refuses. */
export const settleLinks = (links: readonly ItemLink[], isKey: boolean, inside = 'links') => {
  const all = settleDefault(links, isKey);
  if (!all.ok) throw linkError(inside, all.fault);
  return all.value;
};
