import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Accounts } from '../../../accounts/accounts.ts';
import { AppError } from '../../../errors.ts';
import { createKey } from '../../auth/new-key.ts';
import { BODY_ERRORS, errors, IdParams, NoContent } from '../../schemas/atoms.ts';
import { CreatedKeyBody, KeyBody, NewKey, toCreatedKeyBody, toKeyBody } from '../../schemas/key.ts';
import { found } from './found.ts';

/** Adds the operator's routes that make, list and revoke the keys of an account. */
export const accountKeysRoutes =
  ({ accounts }: { readonly accounts: Accounts }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/accounts/:id/keys',
      {
        schema: {
          operationId: 'createAccountKey',
          summary: 'Make a key, which is shown only once',
          params: IdParams,
          body: NewKey,
          response: { 201: CreatedKeyBody, ...errors(401, 403, 404, 409, 429, 503, ...BODY_ERRORS) },
        },
      },
      async (request, reply) =>
        reply.code(201).send(toCreatedKeyBody(await createKey(accounts, request.params.id, request.body))),
    );

    app.get(
      '/accounts/:id/keys',
      {
        schema: {
          operationId: 'listAccountKeys',
          summary: 'The active keys of an account, newest first, at most a thousand',
          params: IdParams,
          response: {
            200: Type.Object({ data: Type.Array(KeyBody) }, { title: 'Keys' }),
            ...errors(400, 401, 404, 429, 503),
          },
        },
      },
      async (request) => ({ data: found(await accounts.listKeys(request.params.id)).map(toKeyBody) }),
    );

    app.delete(
      '/keys/:id',
      {
        schema: {
          operationId: 'revokeAccountKey',
          summary: 'Revoke a key; every gateway refuses it within a second',
          params: IdParams,
          response: { 204: NoContent, ...errors(400, 401, 403, 404, 415, 429, 503) },
        },
      },
      async (request, reply) => {
        if (await accounts.revokeKey(request.params.id)) return reply.code(204).send(null);
        throw new AppError('not_found', 'There is no such key, or it is already revoked.');
      },
    );
  };
