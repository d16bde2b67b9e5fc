import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Database } from '../../../db/database.ts';
import { changeFolder, deleteFolder } from '../../../db/tables/folders.ts';
import { principalOf } from '../../auth/auth.ts';
import { type DatabaseParts, ofAccount } from '../../auth/of-account.ts';
import { mustBeOwned, owned, ownFolder } from '../../auth/owned.ts';
import { BODY_ERRORS, errors, IdParams, KEY_ERRORS, NoContent } from '../../schemas/atoms.ts';
import { FolderBody, FolderChange, nameTaken, readFolderName, toFolderBody } from '../../schemas/folder.ts';

/** Announces it in its own transaction, so that the short links stop at every gateway within a second. */
const moveToBin = ({ sql, changes }: Database, accountId: string, id: string): Promise<void> =>
  sql.begin(async (tx) => {
    mustBeOwned('folder', await deleteFolder(tx, accountId, id));
    await changes.announce(tx, { kind: 'everything' });
  });

/** Adds the routes that read, rename and delete folders. */
export const foldersRoutes =
  ({ database, ...account }: DatabaseParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Folders', account);
    const { sql } = database;
    const config = { name: 'folders' };

    app.get(
      '/folders/:id',
      {
        config,
        schema: {
          operationId: 'getFolder',
          summary: 'One folder',
          params: IdParams,
          response: { 200: FolderBody, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) =>
        toFolderBody(await ownFolder(sql, principalOf(request).accountId, request.params.id)),
    );

    app.patch(
      '/folders/:id',
      {
        config,
        schema: {
          operationId: 'changeFolder',
          summary: 'Rename a folder, or keep its codes for ever',
          params: IdParams,
          body: FolderChange,
          response: { 200: FolderBody, ...errors(404, 409, ...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        const { name, keep } = request.body;
        const folder = await changeFolder(sql, accountId, request.params.id, {
          ...(name === undefined ? {} : { name: readFolderName({ name }) }),
          ...(keep === undefined ? {} : { keep }),
        });
        if (!folder.ok && folder.fault === 'taken') throw nameTaken();
        return toFolderBody(owned('folder', folder.ok ? folder.value : null));
      },
    );

    app.delete(
      '/folders/:id',
      {
        config,
        schema: {
          operationId: 'deleteFolder',
          summary: 'Move a folder with its codes to the bin; their short links stop within a second',
          params: IdParams,
          response: { 204: NoContent, ...errors(400, 404, 415, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        await moveToBin(database, principalOf(request).accountId, request.params.id);
        return reply.code(204).send(null);
      },
    );
  };
