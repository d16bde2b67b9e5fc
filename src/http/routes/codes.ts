import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { deleteCode, listCodes, type StoredCode } from '../../db/codes.ts';
import type { Database } from '../../db/database.ts';
import { deleteUnusedLogos, getLogo } from '../../db/logos.ts';
import { scanTotals } from '../../db/scans.ts';
import { toOptions } from '../../generate/options.ts';
import { callerOf } from '../auth.ts';
import { CodeBody, CodeWithDesign, toCodeBody, toImageOption } from '../code-body.ts';
import { type AccountParts, ofAccount } from '../of-account.ts';
import { ownCode, owned, ownFolder } from '../owned.ts';
import { errors, IdParams, KEY_ERRORS, NoContent, PageQuery, pageSchema, toPageRequest } from '../schema.ts';

export const codesRoutes =
  ({ database, ...account }: AccountParts & { readonly database: Database }): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Codes', account);
    const { sql, changes } = database;
    const config = { name: 'codes' };

    const totalsOf = (codes: readonly StoredCode[]) =>
      scanTotals(
        sql,
        codes.flatMap(({ slug }) => slug ?? []),
      );

    app.get(
      '/folders/:id/codes',
      {
        config,
        schema: {
          summary: 'The codes of a folder, in the order in which they were made',
          params: IdParams,
          querystring: PageQuery,
          response: { 200: pageSchema(CodeBody), ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = callerOf(request);
        const page = toPageRequest(request.query);
        const { id } = await ownFolder(sql, accountId, request.params.id);
        const { rows, next } = await listCodes(sql, accountId, id, page);
        const totals = await totalsOf(rows);
        return { data: rows.map((code) => toCodeBody(code, totals.get(code.slug ?? ''))), next_cursor: next };
      },
    );

    app.get(
      '/codes/:id',
      {
        config,
        schema: {
          summary: 'One code with its design',
          params: IdParams,
          response: { 200: CodeWithDesign, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = callerOf(request);
        const code = await ownCode(sql, accountId, request.params.id);
        const totals = await totalsOf([code]);
        const logo = code.logoSha256 === null ? null : await getLogo(sql, accountId, code.logoSha256);
        return {
          ...toCodeBody(code, totals.get(code.slug ?? '')),
          folder_id: code.folderId,
          design: { ...toOptions(code.design), ...(logo === null ? {} : toImageOption(logo.png)) },
        };
      },
    );

    app.delete(
      '/codes/:id',
      {
        config,
        schema: {
          summary: 'Delete a code; its short link stops within a second',
          params: IdParams,
          response: { 204: NoContent, ...errors(400, 404, 415, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = callerOf(request);
        await sql.begin(async (tx) => {
          const code = owned('code', await deleteCode(tx, accountId, request.params.id));
          await deleteUnusedLogos(tx, accountId);
          if (code.slug !== null) await changes.announce(tx, { kind: 'link', id: code.slug });
        });
        return reply.code(204).send(null);
      },
    );
  };
