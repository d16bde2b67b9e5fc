/** Lists of codes, and of the short links of codes: their query, and how a page is found. */
import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Page } from '../../../../db/cursor.ts';
import {
  CODE_SORTS,
  type CodeSort,
  decodePlace,
  PLACE_MAX_CHARACTERS,
} from '../../../../db/tables/code-lists/place.ts';
import type { CodesRequest } from '../../../../db/tables/code-lists/steps.ts';
import type { CodeFilter } from '../../../../db/tables/code-lists/walks.ts';
import { findCodes, isPlainList } from '../../../../db/tables/code-search.ts';
import type { StoredCode } from '../../../../db/tables/codes.ts';
import { rankScans } from '../../../../db/tables/scans/ranks.ts';
import { fieldError } from '../../../../errors.ts';
import { requireFolder } from '../../../auth/require-found.ts';
import { searchQuery } from '../../../schemas/atoms.ts';
import { codeFilters, readCodeFilters } from '../../../schemas/codes/labels.ts';
import type { Need } from '../../services.ts';

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
  also: Pick<CodeFilter, 'maxGrade' | 'isDynamic' | 'linkStatus'>,
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
