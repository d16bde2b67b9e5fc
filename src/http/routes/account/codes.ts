import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { findCodes } from '../../../db/tables/code-search.ts';
import { deleteCode, listCodes } from '../../../db/tables/codes.ts';
import { getLogo } from '../../../db/tables/logos.ts';
import { toOptions } from '../../../generate/request/options.ts';
import { principalOf } from '../../auth/auth.ts';
import { type CostlyParts, ofAccount } from '../../auth/of-account.ts';
import { ownCode, owned, ownFolder } from '../../auth/owned.ts';
import type { SearchLine } from '../../limits/search-line.ts';
import {
  errors,
  IdParams,
  KEY_ERRORS,
  NoContent,
  PageQuery,
  pageSchema,
  searchQuery,
  strict,
  toPageRequest,
  Uuid,
} from '../../schemas/atoms.ts';
import { CodeBody, CodeInFolder, CodeWithDesign, toImageOption, withScans } from '../../schemas/code.ts';

const CodesQuery = Type.Object(
  {
    ...searchQuery('Only codes whose content includes this text, in upper or lower case.').properties,
    folder_id: Type.Optional({ ...Uuid, description: 'Only codes of this folder.' }),
  },
  strict,
);

/** Adds the routes that list, search, read and delete saved codes. */
export const codesRoutes =
  ({
    database,
    freeWork,
    searches,
    ...account
  }: CostlyParts & { readonly searches: SearchLine }): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Codes', account);
    const { sql, changes } = database;
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
            'With `search` a page may be short or empty although `next_cursor` is not null: its time was over, and the next page goes on from there. An account has one search at a time; a few more wait for it.',
          querystring: CodesQuery,
          response: { 200: pageSchema(CodeInFolder), ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const { search = '', folder_id: folderId } = request.query;
        const page = toPageRequest(request.query);
        if (folderId !== undefined) await ownFolder(sql, accountId, folderId);
        const filter = { accountId, search, ...(folderId === undefined ? {} : { folderId }) };
        const find = (signal?: AbortSignal) => findCodes(sql, filter, page, signal && { signal });
        const paid = (signal?: AbortSignal) => freeWork.measure(accountId, () => find(signal));
        const { rows, next } = await (search === '' ? find() : searches.run(accountId, reply, paid));
        return { data: await withScans(sql, rows), next_cursor: next };
      },
    );

    app.get(
      '/codes/:id',
      {
        config,
        schema: {
          operationId: 'getCode',
          summary: 'One code with its design',
          description:
            '`design` has the options of a request that makes the same picture, with every default. Its `image` is the stored logo, unless that is too long for a request.',
          params: IdParams,
          response: { 200: CodeWithDesign, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        const code = await ownCode(sql, accountId, request.params.id);
        const [body] = await withScans(sql, [code]);
        const logo = code.logoSha256 === null ? null : await getLogo(sql, accountId, code.logoSha256);
        return {
          ...body!,
          design: { ...toOptions(code.design), ...(logo === null ? {} : toImageOption(logo.png)) },
        };
      },
    );

    app.delete(
      '/codes/:id',
      {
        config,
        schema: {
          operationId: 'deleteCode',
          summary: 'Move a code to the bin; its short link stops within a second',
          params: IdParams,
          response: { 204: NoContent, ...errors(400, 404, 415, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        await sql.begin(async (tx) => {
          const code = owned('code', await deleteCode(tx, accountId, request.params.id));
          if (code.slug !== null) await changes.announce(tx, { kind: 'link', id: code.slug });
        });
        return reply.code(204).send(null);
      },
    );
  };
