import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { deleteCode } from '../../../db/tables/codes.ts';
import { getLogo } from '../../../db/tables/logos.ts';
import { toImageOption, toOptions } from '../../../generate/request/options.ts';
import { principalOf } from '../../auth/auth.ts';
import { type DatabaseParts, ofAccount } from '../../auth/of-account.ts';
import { ownCode, owned } from '../../auth/owned.ts';
import { errors, IdParams, KEY_ERRORS, NoContent } from '../../schemas/atoms.ts';
import { CodeWithDesign, withScans } from '../../schemas/code.ts';

/** Adds the routes that read and delete a saved code. */
export const codesRoutes =
  ({ database, ...account }: DatabaseParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Codes', account);
    const { sql, changes } = database;
    const config = { name: 'codes' };

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
