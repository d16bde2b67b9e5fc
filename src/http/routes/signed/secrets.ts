import Type from 'typebox';
import type { SigningSecret } from '../../../db/tables/signed.ts';
import { AppError } from '../../../errors.ts';
import { SECRETS_MAX } from '../../../signed/secrets.ts';
import { orNull } from '../../../stored-json.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { assertFound } from '../../auth/require-found.ts';
import { IdParams, pageSchema, Timestamp, toPageBody, Uuid } from '../../schemas/atoms.ts';
import type { Need } from '../services.ts';

const known = {
  id: Uuid,
  key_id: Type.String({
    ...Uuid,
    description:
      'The key that made it, which its pictures are charged to; the secret is void once that is revoked.',
  }),
  expires_at: orNull(Timestamp, { description: 'When that key expires; null: never.' }),
  created_at: Timestamp,
};

const SigningSecretBody = Type.Object(known, { title: 'SigningSecret' });

const CreatedSigningSecret = Type.Object(
  { ...known, secret: Type.String({ description: 'Signs URLs. Shown only once.' }) },
  { title: 'CreatedSigningSecret' },
);

const toBody = ({ id, keyId, keyExpiresAt, createdAt }: SigningSecret) => ({
  id,
  key_id: keyId,
  expires_at: keyExpiresAt?.toISOString() ?? null,
  created_at: createdAt.toISOString(),
});

/** Adds the routes that list, make and delete the account's signing secrets. */
export const signingSecretRoutes = ofAccount(
  { tag: 'Account', name: 'signing-secrets' },
  (route, { signed: { secrets } }: Need<'signed'>) => {
    route('GET /signing-secrets', {
      operationId: 'listSigningSecrets',
      summary: 'Your signing secrets, newest first',
      description: 'Without their values.',
      answer: pageSchema(SigningSecretBody),
      handle: async (_, { accountId }) =>
        toPageBody({ rows: await secrets.list(accountId), next: null }, toBody),
    });

    route('POST /signing-secrets', {
      operationId: 'createSigningSecret',
      summary: `Make a signing secret, which is shown only once; at most ${SECRETS_MAX} at a time`,
      description:
        'Your own server signs the URLs of pictures with it, without any call. It works at once. Its pictures count for the limits of the key that makes it, and it ends with that key.',
      answer: CreatedSigningSecret,
      status: 201,
      fails: [409],
      handle: async (_, maker) => {
        const created = await secrets.create(maker);
        if (created.ok) return { ...toBody(created.value.made), secret: created.value.secret };
        throw new AppError(
          'limit_reached',
          `An account has at most ${SECRETS_MAX} signing secrets; delete one whose addresses are no longer shown.`,
        );
      },
    });

    route('DELETE /signing-secrets/:id', {
      operationId: 'deleteSigningSecret',
      evenOverdrawn: 'a leaked secret must be revocable at any time',
      summary: 'Delete a signing secret; every gateway refuses its URLs within a second',
      description: 'It cannot be restored, and pictures signed with it are no longer shown.',
      params: IdParams,
      change:
        async ({ params }, { accountId }) =>
        async ({ sql: tx }) =>
          assertFound('signing secret', await secrets.delete(tx, accountId, params.id)),
    });
  },
);
