import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { findCodes } from '../../../db/tables/code-search.ts';
import { listCodes } from '../../../db/tables/codes.ts';
import { principalOf } from '../../auth/auth.ts';
import { ofAccount, type SearchParts } from '../../auth/of-account.ts';
import { ownFolder } from '../../auth/owned.ts';
import {
  errors,
  Grade,
  IdParams,
  KEY_ERRORS,
  PageQuery,
  pageSchema,
  searchQuery,
  strict,
  toPageRequest,
  Uuid,
} from '../../schemas/atoms.ts';
import { CodeBody, CodeInFolder, withScans } from '../../schemas/code.ts';

const CodesQuery = Type.Object(
  {
    ...searchQuery('Only codes whose content includes this text, in upper or lower case.').properties,
    folder_id: Type.Optional({ ...Uuid, description: 'Only codes of this folder.' }),
    max_grade: Type.Optional({ ...Grade, description: 'Only codes of this grade or a lower one.' }),
  },
  strict,
);

/** Adds the routes that list and search saved codes. */
export const codeListRoutes =
  ({ database: { sql }, freeWork, searches, ...account }: SearchParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Codes', account);
    const config = { name: 'codes' };

    app.get(
      '/folders/:id/codes',
      {
        config,
        schema: {
          operationId: 'listFolderCodes',
          summary: 'The codes of a folder, oldest first',
          params: IdParams,
          querystring: PageQuery,
          response: { 200: pageSchema(CodeBody), ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        const page = toPageRequest(request.query);
        const { id } = await ownFolder(sql, accountId, request.params.id);
        const { rows, next } = await listCodes(sql, accountId, id, page);
        return { data: await withScans(sql, rows), next_cursor: next };
      },
    );

    app.get(
      '/codes',
      {
        config,
        schema: {
          operationId: 'listCodes',
          summary: 'Your codes, newest first',
          description:
            'With `search` a page may be short or empty although `next_cursor` is not null: its time was over, and the next page continues there. An account runs one search at a time; a few more wait for it.',
          querystring: CodesQuery,
          response: { 200: pageSchema(CodeInFolder), ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const { search = '', folder_id: folderId, max_grade: maxGrade } = request.query;
        const page = toPageRequest(request.query);
        if (folderId !== undefined) await ownFolder(sql, accountId, folderId);
        const filter = {
          ...{ accountId, search },
          ...(folderId === undefined ? {} : { folderId }),
          ...(maxGrade === undefined ? {} : { maxGrade }),
        };
        const find = (signal?: AbortSignal) => findCodes(sql, filter, page, signal && { signal });
        const paid = (signal?: AbortSignal) => freeWork.measure(accountId, () => find(signal));
        const { rows, next } = await (search === '' ? find() : searches.run(accountId, reply, paid));
        return { data: await withScans(sql, rows), next_cursor: next };
      },
    );
  };
