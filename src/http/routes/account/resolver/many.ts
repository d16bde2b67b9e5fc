import Type, { type Static } from 'typebox';
import type { Sql } from '../../../../db/client.ts';
import {
  getItemKeys,
  type Item,
  type ItemKey,
  type ItemLink,
  listItemKeys,
} from '../../../../db/tables/items.ts';
import { fieldError } from '../../../../errors.ts';
import {
  applyChange,
  changeItems,
  ITEMS_AT_ONCE_MAX,
  type ItemsChanged,
  undoItemsChange,
} from '../../../../resolver/edit-items.ts';
import { bracketsOf, KEY_MAX, toPathPrefix } from '../../../../resolver/key.ts';
import { readRel } from '../../../../resolver/link-types.ts';
import { LINKS_MAX } from '../../../../resolver/links.ts';
import { orNull } from '../../../../stored-json.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireUndone } from '../../../auth/require-found.ts';
import { fieldsOf, IdParams, strict, Uuid } from '../../../schemas/atoms.ts';
import { CHOSEN_BODY_BYTES } from '../../../schemas/code.ts';
import type { Need } from '../../services.ts';
import { LinksWritten, linksOf, settleLinks } from './body.ts';

const ManyItemsPatch = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(Uuid, {
        minItems: 1,
        maxItems: ITEMS_AT_ONCE_MAX,
        description: 'Ids of your items. A repeated id counts once.',
      }),
    ),
    key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: KEY_MAX,
        description: 'Instead of `ids`: all items whose key is this or starts with it.',
      }),
    ),
    change: Type.Object(
      {
        set: Type.Optional({
          ...LinksWritten,
          description: 'Links that replace all those of the same types.',
        }),
        remove: Type.Optional(
          Type.Array(Type.String({ maxLength: 200 }), {
            minItems: 1,
            maxItems: LINKS_MAX,
            description: 'Types whose links are all removed; none of them may be in `set`.',
          }),
        ),
      },
      { ...strict, minProperties: 1, title: 'ItemsChange' },
    ),
  },
  {
    ...strict,
    title: 'ManyItemsPatch',
    examples: [{ key: '(01)09521321000018', change: { remove: ['gs1:promotion'] } }],
  },
);

const Changed = Type.Object(
  {
    change_id: orNull(
      Type.String({ format: 'uuid', description: 'The id that undoes the change; null: nothing changed.' }),
    ),
    items: Type.Integer(),
    changed: Type.Integer({ description: 'The other items already had these links.' }),
  },
  { title: 'ManyItemsChanged' },
);

const toBody = (changed: ItemsChanged) => fieldsOf(changed, 'changeId', 'items', 'changed');

/** @throws {AppError} 400 when one of the ids is not the account's, or a key has none or too many items. */
const requireItems = async (
  sql: Sql,
  accountId: string,
  { ids, key }: Static<typeof ManyItemsPatch>,
): Promise<readonly ItemKey[]> => {
  if ((ids === undefined) === (key === undefined)) throw fieldError('ids', 'send either ids or key');
  if (ids !== undefined) {
    const items = await getItemKeys(sql, accountId, ids);
    const known = new Set(items.map(({ id }) => id));
    const missing = ids.findIndex((id) => !known.has(id.toLowerCase()));
    if (missing >= 0) throw fieldError(`ids.${missing}`, 'there is no such item');
    return items;
  }
  const limit = ITEMS_AT_ONCE_MAX + 1;
  const items = await listItemKeys(sql, accountId, toPathPrefix(key!), limit);
  if (items.length === 0) throw fieldError('key', 'there is no such item');
  if (items.length < limit) return items;
  throw fieldError('key', `has more than ${ITEMS_AT_ONCE_MAX} items; send their ids, in several calls`);
};

/** Reads the types that are to be removed. @throws {AppError} 400 for a text that is no link type, or for one in `set`. */
const readRemoved = (remove: readonly string[], set: readonly ItemLink[]): readonly string[] =>
  remove.map((written, index) => {
    const field = `change.remove.${index}`;
    const rel = readRel(written.trim());
    if (!rel.ok) throw fieldError(field, rel.fault);
    if (!set.some((link) => link.rel === rel.value)) return rel.value;
    throw fieldError(field, `${rel.value} is also in change.set, which replaces all links of its types`);
  });

/** Adds the routes that change many items at once, and undo that. */
export const manyItemsRoutes = ofAccount(
  { tag: 'Resolver', name: 'items' },
  (route, { resolver }: Need<'resolver'>) => {
    route('PATCH /resolver/items', {
      operationId: 'updateItems',
      isOfMany: true,
      summary: 'Change links of many items, all or none',
      description: 'Every gateway applies it within a second. The change is in the history of each item.',
      body: ManyItemsPatch,
      answer: Changed,
      options: { bodyLimit: CHOSEN_BODY_BYTES },
      change: async ({ body }, { accountId, keyId }) => {
        const set = linksOf(body.change.set ?? [], resolver, 'change.set');
        const change = { set, remove: readRemoved(body.change.remove ?? [], set) };
        const nextOf = (item: Item) => {
          const links = applyChange(item.links, change);
          if (links.length > 0) return settleLinks(links, item.path === item.keyPath, 'change.set');
          throw fieldError('change.remove', `${bracketsOf(item.path)} would have no link; delete it instead`);
        };
        return async (database) => {
          const items = await requireItems(database.sql, accountId, body);
          return toBody(await changeItems(database, { accountId, keyId }, items, nextOf));
        };
      },
    });

    route('POST /resolver/changes/:id/undo', {
      operationId: 'undoItemsChange',
      isOfMany: true,
      summary: 'Undo a bulk change: give each item the links that it had before',
      description:
        'Later changes are overwritten. Items that the change made, or that were deleted since, are left out. The undo is itself a change, so it can be undone. A change whose history is no longer complete is a 404.',
      params: IdParams,
      answer: Changed,
      change:
        async ({ params }, { accountId, keyId }) =>
        async (database) => {
          const undone = await undoItemsChange(database, { accountId, keyId }, params.id);
          return toBody(requireUndone('items', undone));
        },
    });
  },
);
