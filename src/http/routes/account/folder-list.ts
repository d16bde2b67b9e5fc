import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { createFolder, listFolders } from '../../../db/tables/folders.ts';
import { withTimeLimit } from '../../../db/tables/search.ts';
import { principalOf } from '../../auth/auth.ts';
import { ofAccount, type SearchParts } from '../../auth/of-account.ts';
import {
  BODY_ERRORS,
  errors,
  KEY_ERRORS,
  pageSchema,
  searchQuery,
  toPageBody,
  toPageRequest,
} from '../../schemas/atoms.ts';
import { FolderBody, FolderName, nameTaken, readFolderName, toFolderBody } from '../../schemas/folder.ts';

/** Names are short, so a search takes this long only in a slow database, or among hundreds of thousands of folders. */
const SEARCH_TIMEOUT_MS = 1000;

/** Adds the routes that list, search and make folders. */
export const folderListRoutes =
  ({ database: { sql }, freeWork, searches, ...account }: SearchParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Folders', account);
    const config = { name: 'folders' };

    app.get(
      '/folders',
      {
        config,
        schema: {
          operationId: 'listFolders',
          summary: 'Your folders, newest first',
          querystring: searchQuery('Only folders whose name includes this text, in upper or lower case.'),
          response: { 200: pageSchema(FolderBody), ...errors(400, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const { search = '' } = request.query;
        const page = toPageRequest(request.query);
        const find = () =>
          withTimeLimit(sql, SEARCH_TIMEOUT_MS, (tx) => listFolders(tx, accountId, page, search));
        const paid = () => freeWork.measure(accountId, find);
        const list = () => listFolders(sql, accountId, page);
        return toPageBody(
          await (search === '' ? list() : searches.run(accountId, reply, paid)),
          toFolderBody,
        );
      },
    );

    app.post(
      '/folders',
      {
        config,
        schema: {
          operationId: 'createFolder',
          summary: 'Make a folder',
          body: FolderName,
          response: { 201: FolderBody, ...errors(409, ...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const folder = await createFolder(sql, principalOf(request).accountId, readFolderName(request.body));
        if (folder === null) throw nameTaken();
        return reply.code(201).send(toFolderBody(folder));
      },
    );
  };
