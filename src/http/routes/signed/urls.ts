import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { SigningSecretText } from '../../../db/tables/signed/secrets.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { PATH_MAX_CHARACTERS, SIGNED_FORMATS, signedPath } from '../../../signed/address.ts';
import { signedFields } from '../../../signed/parameters.ts';
import type { SignedPictures } from '../../../signed/picture.ts';
import type { SigningSecrets } from '../../../signed/secrets.ts';
import { principalOf } from '../../auth/auth.ts';
import { type AccountParts, ofAccount } from '../../auth/of-account.ts';
import { UNKNOWN_PRESET } from '../../preset.ts';
import { BODY_ERRORS, errors, KEY_ERRORS, orNull, strict, Timestamp, Uuid } from '../../schemas/atoms.ts';
import { withoutDefaults } from '../../schemas/validation.ts';

/** What the route of signed addresses needs. */
export interface SignedUrlRouteParts extends AccountParts {
  readonly signed: { readonly secrets: SigningSecrets; readonly pictures: SignedPictures };
  /** Where the gateway is reached, without a trailing slash. */
  publicUrl(): string;
}

const SignedUrlRequest = Type.Object(
  {
    ...signedFields,
    format: Type.Optional(Type.Enum([...SIGNED_FORMATS], { default: 'png' })),
    secretId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The secret that signs; absent: the newest one.' }),
    ),
  },
  {
    ...strict,
    title: 'SignedUrlRequest',
    examples: [{ data: 'https://example.com/', width: 400, dotsOptions: { color: '#1a4b8c' } }],
  },
);

const SignedUrl = Type.Object(
  {
    url: Type.String({ description: 'The address of the picture.' }),
    secret_id: Uuid,
    expires_at: orNull(Timestamp),
  },
  { title: 'SignedUrl' },
);

const secretFor = (secrets: readonly SigningSecretText[], id: string | undefined): SigningSecretText => {
  const found = id === undefined ? secrets[0] : secrets.find((secret) => secret.id === id.toLowerCase());
  if (found !== undefined) return found;
  if (id !== undefined) throw fieldError('secretId', 'is not one of your signing secrets');
  const details = 'Your account has no signing secret yet: make one with POST /api/v1/signing-secrets.';
  throw new AppError('not_found', details);
};

/** Adds the route that signs the address of a picture. */
export const signedUrlRoute =
  ({ signed, publicUrl, ...account }: SignedUrlRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Generate', account);

    app.post(
      '/signed-urls',
      {
        config: { name: 'signed-urls' },
        validatorCompiler: withoutDefaults(app),
        schema: {
          operationId: 'signUrl',
          summary: 'Sign the address of a picture; free of charge, and draws nothing',
          description: 'Needs `data`, or else `code`. Your own server can sign without this call.',
          body: SignedUrlRequest,
          response: { 200: SignedUrl, ...errors(404, ...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const { accountId } = principalOf(request);
        const { format = 'png', secretId, ...parameters } = request.body;
        const { expires } = parameters;
        if (expires !== undefined && expires * 1000 <= Date.now()) {
          throw fieldError('expires', 'must be in the future');
        }
        const sketch = await signed.pictures.sketch(accountId, parameters, format);
        if (!sketch.ok) {
          if (sketch.fault === 'no code') throw fieldError('code', 'is not one of your codes');
          if (sketch.fault === 'no preset') throw fieldError('preset', UNKNOWN_PRESET);
          throw fieldError(sketch.fault.field, sketch.fault.message);
        }
        const secret = secretFor(await signed.secrets.list(accountId), secretId);
        const path = signedPath(secret, parameters, format);
        if (path.length > PATH_MAX_CHARACTERS) {
          const message = `gives an address of ${path.length} characters; it may have at most ${PATH_MAX_CHARACTERS}`;
          throw fieldError(parameters.code === undefined ? 'data' : 'code', message);
        }
        return {
          url: `${publicUrl()}${path}`,
          secret_id: secret.id,
          expires_at: expires === undefined ? null : new Date(expires * 1000).toISOString(),
        };
      },
    );
  };
