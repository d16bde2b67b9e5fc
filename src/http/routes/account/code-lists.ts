import Type from 'typebox';
import { listCodes } from '../../../db/tables/codes.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { requireFolder } from '../../auth/require-found.ts';
import { Grade, IdParams, PageQuery, pageSchema, strict, toPageRequest } from '../../schemas/atoms.ts';
import { CodeBody, CodeInFolder, withScans } from '../../schemas/code.ts';
import { withHeaders } from '../../schemas/openapi-headers.ts';
import type { Need } from '../services.ts';
import { findListed, type ListParts, listQuery } from './codes/listed.ts';
import { tellUnfinished } from './codes/unfinished.ts';

const CodesQuery = Type.Object(
  {
    ...listQuery(
      'Only codes whose content, name, own slugs or present destination includes this text, in upper or lower case.',
    ),
    max_grade: Type.Optional({ ...Grade, description: 'Only codes of this grade or lower.' }),
  },
  strict,
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
        'With `search` or `tag`, or sorted by name or scans, a page may be short or empty even if `next_cursor` is not null: its time ran out, and the next page continues there. An account runs one such call at a time; a few more are queued.',
      querystring: CodesQuery,
      answer: withHeaders(pageSchema(CodeInFolder), 'Tessera-Unfinished-Batches'),
      fails: [404],
      handle: async ({ query }, { accountId }, reply) => {
        const { max_grade: maxGrade } = query;
        const also = maxGrade === undefined ? {} : { maxGrade };
        await tellUnfinished(sql, reply, accountId, query.folder_id);
        const { rows, next } = await findListed(parts, accountId, reply, query, also);
        return { data: await withScans(sql, rows, parts.linkRules.shortUrl), next_cursor: next };
      },
    });
  },
);
