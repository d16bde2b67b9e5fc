/** Lists of codes, and of the short links of codes: their query, and how a page is found. */
import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Sql } from '../../../../db/client.ts';
import type { Page } from '../../../../db/cursor.ts';
import { countFilling } from '../../../../db/tables/batches/batches.ts';
import { listCodes, type StoredCode } from '../../../../db/tables/codes/codes.ts';
import { countCodes } from '../../../../db/tables/codes/count.ts';
import { type CodesRequest, findCodes, isPlainList } from '../../../../db/tables/codes/search.ts';
import type { Traits } from '../../../../db/tables/codes/traits.ts';
import {
  CODE_SORTS,
  type CodeFilter,
  type CodeSort,
  decodePlace,
  PLACE_MAX_CHARACTERS,
} from '../../../../db/tables/codes/walks.ts';
import { rankScans } from '../../../../db/tables/scans/upkeep.ts';
import { fieldError } from '../../../../errors.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireFolder } from '../../../auth/require-found.ts';
import {
  IdParams,
  PageQuery,
  pageSchema,
  searchQuery,
  strict,
  toPageRequest,
} from '../../../schemas/atoms.ts';
import { CodeBody, codeFilters, readCodeFilters, withScans } from '../../../schemas/code.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import type { Need } from '../../services.ts';
import { readTraits, traitFilters } from './traits.ts';

/** What finding a page needs. */
export type ListParts = Need<'database' | 'searches'>;

/** Returns the fields of the query of a list. @param search The description of the field `search`. */
export const listQuery = (search: string) => ({
  ...searchQuery(search).properties,
  cursor: Type.Optional(
    Type.String({
      maxLength: PLACE_MAX_CHARACTERS,
      description: 'The `next_cursor` of the previous page, in the same order.',
    }),
  ),
  sort: Type.Optional(
    Type.Enum([...CODE_SORTS], {
      default: 'newest',
      description:
        '`name`: A to Z, and then the codes without a name. `scans`: by people since the creation of the link, and then the codes without scans.',
    }),
  ),
  ...codeFilters,
});

const ListQuery = Type.Object(listQuery(''));

/** Reads where a page begins. @throws {AppError} 400 when `cursor` is not a `next_cursor` of this order. */
const toCodesRequest = (query: { cursor?: string; limit?: number }, sort: CodeSort): CodesRequest => {
  const after = query.cursor === undefined ? null : decodePlace(sort, query.cursor);
  if (after !== undefined) return { after, limit: query.limit ?? 20 };
  throw fieldError(
    'cursor',
    'must be the cursor that the previous page returned, in the same order',
    'invalid_query',
  );
};

/**
 * Returns a page of codes. One that needs a search waits in the account's search line, and counts as free work.
 *
 * @param also What else the list filters by.
 * @throws {AppError} 400, or 404 for a folder that the account does not have.
 */
export const findListed = async (
  { database: { sql }, searches }: ListParts,
  accountId: string,
  reply: FastifyReply,
  query: Static<typeof ListQuery>,
  also: Traits & Pick<CodeFilter, 'linkStatus'>,
): Promise<Page<StoredCode>> => {
  const { search = '', sort = 'newest', folder_id: folderId } = query;
  const page = toCodesRequest(query, sort);
  const filter = { accountId, search, sort, ...readCodeFilters(query), ...also };
  if (folderId !== undefined) await requireFolder(sql, accountId, folderId);
  // What this account's list needs of the latest scans; the upkeep does the rest.
  if (sort === 'scans' && page.after === null) await rankScans(sql, 4);
  const find = (signal?: AbortSignal) => findCodes(sql, filter, page, signal && { signal });
  return isPlainList(filter) ? find() : searches.run(accountId, reply, find);
};

/**
 * Adds `Tessera-Unfinished-Batches` when batches are still adding codes: these appear at the places of their rows, which
 * may be before the end of what is sent.
 *
 * @param folderId Only batches of this folder; absent: all of the account.
 */
export const tellUnfinished = async (
  sql: Sql,
  reply: FastifyReply,
  accountId: string,
  folderId?: string,
): Promise<void> => {
  const count = await countFilling(sql, accountId, folderId === undefined ? {} : { folderId });
  if (count > 0) void reply.header('tessera-unfinished-batches', String(count));
};

const CODES_SEARCH =
  'Only codes whose content, name, own slugs or present destination includes this text, in upper or lower case.';

const CodesQuery = Type.Object({ ...listQuery(CODES_SEARCH), ...traitFilters }, strict);

const CountQuery = Type.Object(
  { search: listQuery(CODES_SEARCH).search, ...codeFilters, ...traitFilters },
  strict,
);

const CountBody = Type.Object(
  {
    count: Type.Integer(),
    is_exact: Type.Boolean({ description: 'false: there are more, or may be.' }),
  },
  { title: 'CodesCount' },
);

/** Adds the routes that list and search saved codes. */
export const codeListRoutes = ofAccount(
  { tag: 'Codes', name: 'codes' },
  (route, parts: ListParts & Need<'linkRules'>) => {
    const { sql } = parts.database;
    route('GET /folders/:id/codes', {
      operationId: 'listFolderCodes',
      summary: 'The codes of a folder, oldest first',
      description: 'In the order in which they were made, without the codes in the bin.',
      params: IdParams,
      querystring: PageQuery,
      answer: withHeaders(pageSchema(CodeBody), 'Tessera-Unfinished-Batches'),
      handle: async ({ params, query }, { accountId }, reply) => {
        const page = toPageRequest(query);
        const { id } = await requireFolder(sql, accountId, params.id);
        await tellUnfinished(sql, reply, accountId, id);
        const { rows, next } = await listCodes(sql, accountId, id, page);
        return { data: await withScans(sql, rows, parts.linkRules.shortUrl), next_cursor: next };
      },
    });

    route('GET /codes', {
      operationId: 'listCodes',
      summary: 'Your codes, in the order that you choose',
      description:
        'With a filter, or sorted by name or scans, a page may be short or empty even if `next_cursor` is not null: its time ran out, and the next page continues there. An account runs one such call at a time; a few more are queued.',
      querystring: CodesQuery,
      answer: withHeaders(pageSchema(CodeBody), 'Tessera-Unfinished-Batches'),
      fails: [404],
      handle: async ({ query }, { accountId }, reply) => {
        const also = readTraits(query);
        await tellUnfinished(sql, reply, accountId, query.folder_id);
        const { rows, next } = await findListed(parts, accountId, reply, query, also);
        return { data: await withScans(sql, rows, parts.linkRules.shortUrl), next_cursor: next };
      },
    });

    route('GET /codes/count', {
      operationId: 'countCodes',
      summary: 'How many codes a list has',
      description:
        'Takes the filters of `GET /codes`. Up to 10,000 codes are counted, in a second; without a filter other than `folder_id` and `dynamic`, all.',
      querystring: CountQuery,
      answer: CountBody,
      fails: [404],
      handle: async ({ query }, { accountId }, reply) => {
        const { search = '', folder_id: folderId } = query;
        const filter = { accountId, search, ...readCodeFilters(query), ...readTraits(query) };
        if (folderId !== undefined) await requireFolder(sql, accountId, folderId);
        const { count, isExact } = await parts.searches.run(accountId, reply, (signal) =>
          countCodes(sql, filter, signal),
        );
        return { count, is_exact: isExact };
      },
    });
  },
);
