import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { hasCodes } from '../../../../db/tables/code-lists/chosen.ts';
import { listVerifications } from '../../../../db/tables/verifications/verifications.ts';
import { principalOf } from '../../../auth/auth.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { mustBeOwned } from '../../../auth/owned.ts';
import {
  BODY_ERRORS,
  errors,
  KEY_ERRORS,
  PageQuery,
  pageSchema,
  strict,
  toPageBody,
  toPageRequest,
  Uuid,
} from '../../../schemas/atoms.ts';
import { CHOSEN_BODY_BYTES, ChosenCodes, idsOf } from '../../../schemas/code.ts';
import {
  begin,
  ownVerification,
  toVerificationBody,
  VerificationBody,
  type VerificationRouteParts,
} from './body.ts';
import { receiptReply, receiptSchema } from './receipt.ts';

const Params = Type.Object({ vid: Uuid }, strict);

/** Adds the routes that begin, list and show verifications of chosen codes, with their receipts. */
export const codeVerificationRoutes =
  ({ database, freeWork, verifier, ...account }: VerificationRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Codes', account);
    const { sql } = database;
    const config = { name: 'verifications' };

    app.post(
      '/code-verifications',
      {
        config,
        bodyLimit: CHOSEN_BODY_BYTES,
        schema: {
          operationId: 'createCodesVerification',
          summary: 'Read the pictures of codes with independent readers; free of charge',
          description: 'While one runs for the same codes, it is the answer.',
          body: ChosenCodes,
          response: { 202: VerificationBody, ...errors(404, 409, ...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const codeIds = idsOf(request.body);
        mustBeOwned('code', await hasCodes(sql, accountId, codeIds));
        return reply.code(202).send(await begin({ database, freeWork, verifier }, accountId, { codeIds }));
      },
    );

    app.get(
      '/code-verifications',
      {
        config,
        schema: {
          operationId: 'listCodesVerifications',
          summary: 'Verifications of chosen codes, newest first',
          querystring: PageQuery,
          response: { 200: pageSchema(VerificationBody), ...errors(400, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        const page = await listVerifications(sql, accountId, null, toPageRequest(request.query));
        return toPageBody(page, toVerificationBody);
      },
    );

    app.get(
      '/code-verifications/:vid',
      {
        config,
        schema: {
          operationId: 'getCodesVerification',
          summary: 'One verification of chosen codes, with its progress',
          params: Params,
          response: { 200: VerificationBody, ...errors(400, 404, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        return toVerificationBody(await ownVerification(sql, accountId, null, request.params.vid));
      },
    );

    app.get(
      '/code-verifications/:vid/receipt',
      {
        config: { name: 'receipt' },
        schema: { operationId: 'getCodesReceipt', params: Params, ...receiptSchema },
        exposeHeadRoute: false,
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const verification = await ownVerification(sql, accountId, null, request.params.vid);
        const receipt = { name: 'codes receipt', verification, format: request.query.format };
        return receiptReply(sql, request.headers.accept, reply, receipt);
      },
    );
  };
