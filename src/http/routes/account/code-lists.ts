import Type from 'typebox';
import {
  CODE_SORTS,
  type CodeSort,
  decodePlace,
  PLACE_MAX_CHARACTERS,
} from '../../../db/tables/code-lists/place.ts';
import type { CodesRequest } from '../../../db/tables/code-lists/steps.ts';
import { findCodes, isPlainList } from '../../../db/tables/code-search.ts';
import { listCodes } from '../../../db/tables/codes.ts';
import { rankScans } from '../../../db/tables/scans/ranks.ts';
import { fieldError } from '../../../errors.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { requireFolder } from '../../auth/require-found.ts';
import {
  Grade,
  IdParams,
  PageQuery,
  pageSchema,
  searchQuery,
  strict,
  toPageRequest,
  Uuid,
} from '../../schemas/atoms.ts';
import { CodeBody, CodeInFolder, withScans } from '../../schemas/code.ts';
import type { Need } from '../services.ts';

const CodesQuery = Type.Object(
  {
    ...searchQuery(
      'Only codes whose content, name, own slugs or present destination includes this text, in upper or lower case.',
    ).properties,
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
    folder_id: Type.Optional({ ...Uuid, description: 'Only codes of this folder.' }),
    max_grade: Type.Optional({ ...Grade, description: 'Only codes of this grade or a lower one.' }),
  },
  strict,
);

/** Reads the query of a sorted list. @throws {AppError} 400 when `cursor` is not a `next_cursor` of this order. */
const toCodesRequest = (query: { cursor?: string; limit?: number }, sort: CodeSort): CodesRequest => {
  const after = query.cursor === undefined ? null : decodePlace(sort, query.cursor);
  if (after !== undefined) return { after, limit: query.limit ?? 20 };
  throw fieldError(
    'cursor',
    'must be the next_cursor of the previous page, in the same order',
    'invalid_query',
  );
};

/** Adds the routes that list and search saved codes. */
export const codeListRoutes = ofAccount(
  { tag: 'Codes', name: 'codes' },
  (route, { database: { sql }, freeWork, searches }: Need<'database' | 'freeWork' | 'searches'>) => {
    route('GET /folders/:id/codes', {
      operationId: 'listFolderCodes',
      summary: 'The codes of a folder, oldest first',
      params: IdParams,
      querystring: PageQuery,
      answer: pageSchema(CodeBody),
      handle: async ({ params, query }, { accountId }) => {
        const page = toPageRequest(query);
        const { id } = await requireFolder(sql, accountId, params.id);
        const { rows, next } = await listCodes(sql, accountId, id, page);
        return { data: await withScans(sql, rows), next_cursor: next };
      },
    });

    route('GET /codes', {
      operationId: 'listCodes',
      summary: 'Your codes, in the order that you choose',
      description:
        'With `search`, and by name or scans, a page may be short or empty although `next_cursor` is not null: its time was over, and the next page continues there. An account runs one such call at a time; a few more wait for it.',
      querystring: CodesQuery,
      answer: pageSchema(CodeInFolder),
      fails: [404],
      handle: async ({ query }, { accountId }, reply) => {
        const { search = '', folder_id: folderId, max_grade: maxGrade, sort = 'newest' } = query;
        const page = toCodesRequest(query, sort);
        if (folderId !== undefined) await requireFolder(sql, accountId, folderId);
        const filter = {
          ...{ accountId, search, sort },
          ...(folderId === undefined ? {} : { folderId }),
          ...(maxGrade === undefined ? {} : { maxGrade }),
        };
        // What this account's list needs of the latest scans; the upkeep does the rest.
        if (sort === 'scans' && page.after === null) await rankScans(sql, 4);
        const find = (signal?: AbortSignal) => findCodes(sql, filter, page, signal && { signal });
        const paid = (signal?: AbortSignal) => freeWork.measure(accountId, () => find(signal));
        const { rows, next } = await (isPlainList(filter) ? find() : searches.run(accountId, reply, paid));
        return { data: await withScans(sql, rows), next_cursor: next };
      },
    });
  },
);
