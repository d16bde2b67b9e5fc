import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { listVerifications } from '../../../../db/tables/verifications/verifications.ts';
import { principalOf } from '../../../auth/auth.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { ownFolder } from '../../../auth/owned.ts';
import {
  errors,
  IdParams,
  KEY_ERRORS,
  PageQuery,
  pageSchema,
  strict,
  toPageBody,
  toPageRequest,
  Uuid,
} from '../../../schemas/atoms.ts';
import {
  begin,
  ownVerification,
  toVerificationBody,
  VerificationBody,
  type VerificationRouteParts,
} from './body.ts';
import { receiptReply, receiptSchema } from './receipt.ts';

/** The path parameters of a verification: its folder's id and its own. */
const Params = Type.Object({ id: Uuid, vid: Uuid }, strict);

/** Adds the routes that begin, list and show verifications of folders, with their receipts. */
export const folderVerificationRoutes =
  ({ database, freeWork, verifier, ...account }: VerificationRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Folders', account);
    const { sql } = database;
    const config = { name: 'verifications' };

    app.post(
      '/folders/:id/verifications',
      {
        config,
        schema: {
          operationId: 'createVerification',
          summary: 'Read every picture of a folder with independent readers; free of charge',
          description: 'While one runs for the folder, it is the answer.',
          params: IdParams,
          response: { 202: VerificationBody, ...errors(400, 404, 409, 413, 415, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const { id: folderId } = await ownFolder(sql, accountId, request.params.id);
        return reply.code(202).send(await begin({ database, freeWork, verifier }, accountId, { folderId }));
      },
    );

    app.get(
      '/folders/:id/verifications',
      {
        config,
        schema: {
          operationId: 'listVerifications',
          summary: 'Verifications of a folder, newest first',
          params: IdParams,
          querystring: PageQuery,
          response: { 200: pageSchema(VerificationBody), ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        const { id } = request.params;
        await ownFolder(sql, accountId, id);
        const page = await listVerifications(sql, accountId, id, toPageRequest(request.query));
        return toPageBody(page, toVerificationBody);
      },
    );

    app.get(
      '/folders/:id/verifications/:vid',
      {
        config,
        schema: {
          operationId: 'getVerification',
          summary: 'One verification, with its progress',
          params: Params,
          response: { 200: VerificationBody, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        const { id, vid } = request.params;
        await ownFolder(sql, accountId, id);
        return toVerificationBody(await ownVerification(sql, accountId, id, vid));
      },
    );

    app.get(
      '/folders/:id/verifications/:vid/receipt',
      {
        config: { name: 'receipt' },
        schema: { operationId: 'getReceipt', params: Params, ...receiptSchema },
        exposeHeadRoute: false,
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const { id, vid } = request.params;
        const { name } = await ownFolder(sql, accountId, id);
        const verification = await ownVerification(sql, accountId, id, vid);
        const receipt = { name: `${name} receipt`, verification, format: request.query.format };
        return receiptReply(sql, request.headers.accept, reply, receipt);
      },
    );
  };
