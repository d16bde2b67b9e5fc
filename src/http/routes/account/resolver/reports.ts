import Type from 'typebox';
import { readCompleteSince } from '../../../../db/tables/histories.ts';
import { type ItemChange, listItemChanges } from '../../../../db/tables/items.ts';
import { orNull } from '../../../../stored-json.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { fieldsOf, IdParams, PageQuery, Timestamp } from '../../../schemas/atoms.ts';
import {
  ChangedBy,
  historySchema,
  toChangedBy,
  toHistoryBody,
  toHistoryPage,
} from '../../../schemas/history.ts';
import { ABOUT_SCANS, ScansQuery } from '../../../schemas/scans.ts';
import type { Need } from '../../services.ts';
import { readScans, ScansBody } from '../scans.ts';
import { LinksOfItem, requireItem, toLinks } from './body.ts';

const ItemChangeBody = Type.Object(
  {
    links: LinksOfItem,
    at: Timestamp,
    change_id: orNull(Type.String({ description: 'The id of a bulk change; null: it was changed alone.' })),
    key: ChangedBy,
  },
  { title: 'ItemChange' },
);

/** Adds the routes that show what an item has led to, and how often it was scanned. */
export const itemReportRoutes = ofAccount(
  { tag: 'Resolver', name: 'items' },
  (route, { database: { sql } }: Need<'database'>) => {
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
        return readScans(sql, query, { slug, firstSlug: slug });
      },
    });
  },
);
