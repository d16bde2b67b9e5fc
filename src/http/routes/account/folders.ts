import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Database } from '../../../db/database.ts';
import { toFolderName } from '../../../db/tables/folder-name.ts';
import { createFolder, deleteFolder, renameFolder } from '../../../db/tables/folders.ts';
import { fieldError } from '../../../errors.ts';
import { principalOf } from '../../auth/auth.ts';
import { type DatabaseParts, ofAccount } from '../../auth/of-account.ts';
import { owned, ownFolder } from '../../auth/owned.ts';
import { BODY_ERRORS, errors, IdParams, KEY_ERRORS, NoContent, strict } from '../../schemas/atoms.ts';
import { FolderBody, nameTaken, toFolderBody } from '../../schemas/folder.ts';

const FolderName = Type.Object(
  {
    name: Type.String({
      maxLength: 1000,
      description: 'Unique in the account; trimmed, 1 to 200 characters.',
    }),
  },
  { ...strict, title: 'FolderName', examples: [{ name: 'Autumn campaign' }] },
);

const nameOf = (body: { readonly name: string }): string => {
  const checked = toFolderName(body.name);
  if (!checked.ok) throw fieldError('name', checked.fault);
  return checked.value;
};

/** Announces it in its own transaction, so that the short links stop at every gateway within a second. */
const moveToBin = ({ sql, changes }: Database, accountId: string, id: string): Promise<void> =>
  sql.begin(async (tx) => {
    owned('folder', (await deleteFolder(tx, accountId, id)) || null);
    await changes.announce(tx, { kind: 'everything' });
  });

/** Adds the routes that make, read, rename and delete folders. */
export const foldersRoutes =
  ({ database, ...account }: DatabaseParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Folders', account);
    const { sql } = database;
    const config = { name: 'folders' };

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
        const folder = await createFolder(sql, principalOf(request).accountId, nameOf(request.body));
        if (folder === null) throw nameTaken();
        return reply.code(201).send(toFolderBody(folder));
      },
    );

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
          operationId: 'renameFolder',
          summary: 'Rename a folder',
          params: IdParams,
          body: FolderName,
          response: { 200: FolderBody, ...errors(404, 409, ...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        const folder = await renameFolder(sql, accountId, request.params.id, nameOf(request.body));
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
