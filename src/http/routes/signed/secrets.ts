import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { SigningSecret } from '../../../db/tables/signed/secrets.ts';
import { AppError } from '../../../errors.ts';
import { SECRETS_MAX, type SigningSecrets } from '../../../signed/secrets.ts';
import { principalOf } from '../../auth/auth.ts';
import { type AccountParts, ofAccount } from '../../auth/of-account.ts';
import { mustBeOwned } from '../../auth/owned.ts';
import {
  errors,
  IdParams,
  KEY_ERRORS,
  NoContent,
  pageSchema,
  Timestamp,
  toPageBody,
  Uuid,
} from '../../schemas/atoms.ts';

/** What the routes of signing secrets need. */
export interface SigningSecretRouteParts extends AccountParts {
  readonly signed: { readonly secrets: SigningSecrets };
}

const known = { id: Uuid, created_at: Timestamp };

const SigningSecretBody = Type.Object(known, { title: 'SigningSecret' });

const CreatedSigningSecret = Type.Object(
  { ...known, secret: Type.String({ description: 'Signs addresses. It is shown only here.' }) },
  { title: 'CreatedSigningSecret' },
);

const toBody = ({ id, createdAt }: SigningSecret) => ({ id, created_at: createdAt.toISOString() });

/** Adds the routes that list, make and delete the account's signing secrets. */
export const signingSecretRoutes =
  ({ signed: { secrets }, ...account }: SigningSecretRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Account', account);
    const config = { name: 'signing-secrets' };

    app.get(
      '/signing-secrets',
      {
        config,
        schema: {
          operationId: 'listSigningSecrets',
          summary: 'Your signing secrets, newest first',
          response: { 200: pageSchema(SigningSecretBody), ...errors(...KEY_ERRORS) },
        },
      },
      async (request) =>
        toPageBody({ rows: await secrets.list(principalOf(request).accountId), next: null }, toBody),
    );

    app.post(
      '/signing-secrets',
      {
        config,
        schema: {
          operationId: 'createSigningSecret',
          summary: `Make a signing secret, which is shown only once; at most ${SECRETS_MAX} at a time`,
          response: { 201: CreatedSigningSecret, ...errors(409, 415, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const created = await secrets.create(principalOf(request).accountId);
        if (!created.ok) {
          const details = `An account has at most ${SECRETS_MAX} signing secrets; delete one whose addresses nobody shows any more.`;
          throw new AppError('limit_reached', details);
        }
        const { made, secret } = created.value;
        return reply.code(201).send({ ...toBody(made), secret });
      },
    );

    app.delete(
      '/signing-secrets/:id',
      {
        config,
        schema: {
          operationId: 'deleteSigningSecret',
          summary: 'Delete a signing secret; every gateway refuses its addresses within a second',
          params: IdParams,
          response: { 204: NoContent, ...errors(400, 404, 415, ...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        mustBeOwned('signing secret', await secrets.delete(accountId, request.params.id));
        return reply.code(204).send(null);
      },
    );
  };
