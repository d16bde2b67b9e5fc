import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Accounts } from '../../../accounts/accounts.ts';
import { AppError } from '../../../errors.ts';
import { principalOf } from '../../auth/auth.ts';
import { createKey, grantable } from '../../auth/new-key.ts';
import { type AccountParts, ofAccount } from '../../auth/of-account.ts';
import {
  BODY_ERRORS,
  errors,
  IdParams,
  KEY_ERRORS,
  NoContent,
  PageQuery,
  pageSchema,
  toPageBody,
  toPageRequest,
} from '../../schemas/atoms.ts';
import { CreatedKeyBody, KeyBody, NewKey, toCreatedKeyBody, toKeyBody } from '../../schemas/key.ts';

/** Adds the routes that list, make and revoke the account's own keys. */
export const keysRoutes =
  ({ accounts, ...account }: AccountParts & { readonly accounts: Accounts }): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Account', account);
    const config = { name: 'keys' };

    app.get(
      '/keys',
      {
        config,
        schema: {
          operationId: 'listKeys',
          summary: 'Your active keys, newest first',
          querystring: PageQuery,
          response: { 200: pageSchema(KeyBody), ...errors(400, ...KEY_ERRORS) },
        },
      },
      async (request) =>
        toPageBody(
          await accounts.pageKeys(principalOf(request).accountId, toPageRequest(request.query)),
          toKeyBody,
        ),
    );

    app.post(
      '/keys',
      {
        config,
        schema: {
          operationId: 'createKey',
          summary: 'Make a key, which is shown only once',
          description: 'The new key cannot do more than the key that makes it.',
          body: NewKey,
          response: { 201: CreatedKeyBody, ...errors(404, 409, ...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const maker = principalOf(request);
        const created = await createKey(accounts, maker.accountId, grantable(maker, request.body));
        return reply.code(201).send(toCreatedKeyBody(created));
      },
    );

    app.delete(
      '/keys/:id',
      {
        config,
        schema: {
          operationId: 'revokeKey',
          summary: 'Revoke a key, even the one that asks; every gateway refuses it within a second',
          params: IdParams,
          response: { 204: NoContent, ...errors(400, 404, 415, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const revoked = await accounts.revokeOwnKey(principalOf(request).accountId, request.params.id);
        if (!revoked) throw new AppError('not_found', 'There is no such key, or it is already revoked.');
        return reply.code(204).send(null);
      },
    );
  };
