import Type from 'typebox';
import { listCodes } from '../../../db/tables/codes.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { requireFolder } from '../../auth/require-found.ts';
import { Grade, IdParams, PageQuery, pageSchema, strict, toPageRequest } from '../../schemas/atoms.ts';
import { CodeBody, CodeInFolder, withScans } from '../../schemas/code.ts';
import type { Need } from '../services.ts';
import { findListed, type ListParts, listQuery } from './codes/listed.ts';

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
      params: IdParams,
      querystring: PageQuery,
      answer: pageSchema(CodeBody),
      handle: async ({ params, query }, { accountId }) => {
        const page = toPageRequest(query);
        const { id } = await requireFolder(sql, accountId, params.id);
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
      answer: pageSchema(CodeInFolder),
      fails: [404],
      handle: async ({ query }, { accountId }, reply) => {
        const { max_grade: maxGrade } = query;
        const also = maxGrade === undefined ? {} : { maxGrade };
        const { rows, next } = await findListed(parts, accountId, reply, query, also);
        return { data: await withScans(sql, rows, parts.linkRules.shortUrl), next_cursor: next };
      },
    });
  },
);
