import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { BIN_DAYS, type BinnedThing, listBin, restoreCode, restoreFolder } from '../../../db/tables/bin.ts';
import { principalOf } from '../../auth/auth.ts';
import { type DatabaseParts, ofAccount } from '../../auth/of-account.ts';
import { owned } from '../../auth/owned.ts';
import {
  errors,
  IdParams,
  KEY_ERRORS,
  PageQuery,
  pageSchema,
  Timestamp,
  toPageBody,
  toPageRequest,
  Uuid,
} from '../../schemas/atoms.ts';
import { CodeInFolder, withScans } from '../../schemas/code.ts';
import { FolderBody, nameTaken, toFolderBody } from '../../schemas/folder.ts';

const ThingBody = Type.Object(
  {
    kind: Type.Enum(['folder', 'code']),
    id: Uuid,
    name: Type.String({ description: 'Of a code without a name, its content.' }),
    code_count: Type.Optional(
      Type.Integer({ description: 'Only for a folder: how many codes are restored with it.' }),
    ),
    deleted_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: 'BinItem' },
);

const toThingBody = ({ kind, id, name, codeCount, deletedAt, expiresAt }: BinnedThing) => ({
  kind,
  id,
  name,
  ...(codeCount === null ? {} : { code_count: codeCount }),
  deleted_at: deletedAt.toISOString(),
  expires_at: expiresAt.toISOString(),
});

/** Adds the routes that list the bin and restore from it. */
export const binRoutes =
  ({ database, ...account }: DatabaseParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Bin', account);
    const { sql } = database;
    const config = { name: 'bin' };

    app.get(
      '/bin',
      {
        config,
        schema: {
          operationId: 'listBin',
          summary: 'Deleted folders and codes that you can restore, latest first',
          description: `Deleted things are kept for ${BIN_DAYS} days. Codes that were deleted with their folder are restored with it and not listed.`,
          querystring: PageQuery,
          response: { 200: pageSchema(ThingBody), ...errors(400, ...KEY_ERRORS) },
        },
      },
      async (request) =>
        toPageBody(
          await listBin(sql, principalOf(request).accountId, toPageRequest(request.query)),
          toThingBody,
        ),
    );

    app.post(
      '/folders/:id/restore',
      {
        config,
        schema: {
          operationId: 'restoreFolder',
          summary: 'Restore a folder with its codes; their short links work again within a second',
          description:
            'If its name is taken by now, it becomes `<name> (restored)` or `<name> (restored 2)` and so on. A folder that is not in the bin stays as it is.',
          params: IdParams,
          response: { 200: FolderBody, ...errors(400, 404, 409, 413, 415, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const folder = await restoreFolder(database, principalOf(request).accountId, request.params.id);
        if (!folder.ok && folder.fault === 'taken') throw nameTaken();
        return toFolderBody(owned('folder', folder.ok ? folder.value : null));
      },
    );

    app.post(
      '/codes/:id/restore',
      {
        config,
        schema: {
          operationId: 'restoreCode',
          summary: 'Restore a code; its short link works again within a second',
          description:
            'If its folder is in the bin, the code moves to your folder of the same name, which is made when there is none. A code that is not in the bin stays as it is.',
          params: IdParams,
          response: { 200: CodeInFolder, ...errors(400, 404, 413, 415, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        const code = owned('code', await restoreCode(database, accountId, request.params.id));
        const [body] = await withScans(sql, [code]);
        return body!;
      },
    );
  };
