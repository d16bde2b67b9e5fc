import Type from 'typebox';
import { readCompleteSince } from '../../../../db/tables/histories.ts';
import { type ItemChange, listItemChanges, listItems } from '../../../../db/tables/items.ts';
import { fieldError } from '../../../../errors.ts';
import { changeItem } from '../../../../resolver/edit-items.ts';
import { putItems, removeItem } from '../../../../resolver/items.ts';
import { KEY_MAX, readKey, toPathPrefix } from '../../../../resolver/key.ts';
import { orNull } from '../../../../stored-json.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { assertFound, requireFound } from '../../../auth/require-found.ts';
import { checkOf, IfMatchHeaders, withVersion } from '../../../files/versions.ts';
import {
  fieldsOf,
  IdParams,
  NotModified,
  PageQuery,
  pageSchema,
  strict,
  Timestamp,
} from '../../../schemas/atoms.ts';
import {
  ChangedBy,
  historySchema,
  toChangedBy,
  toHistoryBody,
  toHistoryPage,
} from '../../../schemas/history.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import { ABOUT_SCANS, ScansQuery } from '../../../schemas/scans.ts';
import type { Need } from '../../services.ts';
import { readScans, ScansBody } from '../scans/reports.ts';
import {
  ItemBody,
  ItemPatch,
  itemVersion,
  LinksOfItem,
  linksOf,
  NewItem,
  requireItem,
  settleLinks,
  toItemBodies,
  toLinks,
} from './body.ts';

/** Room for the longest path as a sealed cursor. */
const CURSOR_MAX = 750;
const ItemsQuery = Type.Object(
  {
    ...PageQuery.properties,
    cursor: Type.Optional(
      Type.String({ maxLength: CURSOR_MAX, description: 'The `next_cursor` of the previous page.' }),
    ),
    key: Type.Optional(
      Type.String({
        maxLength: KEY_MAX,
        description:
          'Only items whose key is this or starts with it: an element string, a URI, or a bare GTIN or SSCC.',
      }),
    ),
  },
  strict,
);

const encodeCursor = (path: string): string => Buffer.from(path).toString('base64url');

/** @throws {AppError} 400 when the cursor is not a `next_cursor` of ours. */
const decodeCursor = (cursor: string): string => {
  const path = Buffer.from(cursor, 'base64url').toString('latin1');
  if (/^\/[\x21-\x7e]+$/.test(path)) return path;
  throw fieldError('cursor', 'must be the cursor that the previous page returned', 'invalid_query');
};

/** @throws {AppError} 400 for a key that no item can have. */
const requireKey = (written: string) => {
  const key = readKey(written);
  if (!key.ok) throw fieldError('key', key.fault);
  return key.value;
};

/** Adds the routes that list, make, show, change and delete items of the resolver. */
export const itemRoutes = ofAccount(
  { tag: 'Resolver', name: 'items' },
  (route, { database, resolver }: Need<'database' | 'resolver'>) => {
    const { sql } = database;

    route('GET /resolver/items', {
      operationId: 'listItems',
      summary: 'Your items, in the order of their keys',
      description: 'With `key`, only the items whose key begins with it.',
      querystring: ItemsQuery,
      answer: pageSchema(ItemBody),
      handle: async ({ query: { key = '', cursor, limit = 20 } }, { accountId }) => {
        const after = cursor === undefined ? null : decodeCursor(cursor);
        const rows = await listItems(sql, accountId, { prefix: toPathPrefix(key), after, limit: limit + 1 });
        const shown = rows.slice(0, limit);
        return {
          data: await toItemBodies(sql, shown, resolver),
          next_cursor: rows.length > limit ? encodeCursor(shown.at(-1)!.path) : null,
        };
      },
    });

    route('POST /resolver/items', {
      operationId: 'createItem',
      summary: 'Make an item: what an identifier leads to',
      description:
        'The account that makes the first item of a primary key owns that key while it has items for it.',
      body: NewItem,
      answer: ItemBody,
      status: 201,
      change: async ({ body }, { accountId, keyId }) => {
        const key = requireKey(body.key);
        const links = settleLinks(linksOf(body.links, resolver), key.shape === '');
        return async (changed) => {
          const editor = { accountId, keyId, changeId: null };
          const { made } = await putItems(changed.sql, changed, editor, [{ ...key, links }], {
            mayExist: false,
            itemsMax: resolver.itemsMax,
            isDryRun: false,
          });
          return (await toItemBodies(changed.sql, made, resolver))[0]!;
        };
      },
    });

    route('GET /resolver/items/:id', {
      operationId: 'getItem',
      summary: 'One item',
      description: 'Its links, and how often it was scanned.',
      params: IdParams,
      answer: withHeaders(ItemBody, 'ETag'),
      answers: { 304: withHeaders(NotModified, 'ETag') },
      handle: async ({ params }, { accountId }, reply) => {
        const item = await requireItem(sql, accountId, params.id);
        return withVersion(reply, (await toItemBodies(sql, [item], resolver))[0]!);
      },
    });

    route('PATCH /resolver/items/:id', {
      operationId: 'updateItem',
      summary: 'Replace the links of an item',
      description:
        'Every gateway applies it within a second. The history keeps the change; to undo it, send the earlier links.',
      params: IdParams,
      headers: IfMatchHeaders,
      body: ItemPatch,
      answer: withHeaders(ItemBody, 'ETag'),
      fails: [412],
      change: async (request, { accountId, keyId }, reply) => {
        const { id } = request.params;
        const links = linksOf(request.body.links, resolver);
        const check = checkOf(request);
        return async (changed) => {
          const found = await changeItem(changed, { accountId, keyId }, id, (item) => {
            check(itemVersion(item));
            return settleLinks(links, item.path === item.keyPath);
          });
          const item = requireFound('item', found);
          return withVersion(reply, (await toItemBodies(changed.sql, [item], resolver))[0]!);
        };
      },
    });

    route('DELETE /resolver/items/:id', {
      operationId: 'deleteItem',
      summary: 'Delete an item with its history and scans',
      description:
        'It cannot be restored, and its scans cannot be read any more; they are removed from the database within hours. A 409 if other items of its primary key use its default link.',
      params: IdParams,
      headers: IfMatchHeaders,
      fails: [412],
      change: async (request, { accountId }) => {
        const check = checkOf(request);
        const { id } = request.params;
        return async (changed) =>
          assertFound('item', await removeItem(changed, accountId, id, (item) => check(itemVersion(item))));
      },
    });
  },
);

const ItemChangeBody = Type.Object(
  {
    links: LinksOfItem,
    at: Timestamp,
    change_id: orNull(Type.String({ description: 'The id of a bulk change; null: it was not part of one.' })),
    key: ChangedBy,
  },
  { title: 'ItemChange' },
);

/** Adds the routes that show what an item has led to, and how often it was scanned. */
export const itemReportRoutes = ofAccount(
  { tag: 'Resolver', name: 'items' },
  (route, { database: { sql }, scanStore }: Need<'database' | 'scanStore'>) => {
    route('GET /resolver/items/:id/history', {
      operationId: 'listItemChanges',
      summary: 'The links that an item has had, current ones first',
      description: 'Each entry says when the links were set, and by which key.',
      params: IdParams,
      querystring: PageQuery,
      answer: historySchema(ItemChangeBody),
      handle: async ({ params, query }, { accountId }) => {
        const page = toHistoryPage(query);
        const { id } = await requireItem(sql, accountId, params.id);
        const changes = await listItemChanges(sql, id, page);
        const since = await readCompleteSince(sql, 'items', id);
        const toBody = (change: ItemChange) => ({
          ...fieldsOf(change, 'at', 'changeId'),
          links: toLinks(change.links),
          key: toChangedBy(change),
        });
        return toHistoryBody(changes, page, toBody, since);
      },
    });

    route('GET /resolver/items/:id/scans', {
      operationId: 'getItemScans',
      summary: 'The scans of an item, as for a short link',
      description: `${ABOUT_SCANS} A scan counts for the most specific item of the URI. \`slug\` is the name under which scans are kept.`,
      params: IdParams,
      querystring: ScansQuery,
      answer: ScansBody,
      handle: async ({ params, query }, { accountId }) => {
        const { slug } = await requireItem(sql, accountId, params.id);
        return readScans(scanStore, sql, query, { slug, firstSlug: slug });
      },
    });
  },
);
