import Type from 'typebox';
import type { SigningSecretText } from '../../../db/tables/signed/secrets.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { PATH_MAX_CHARACTERS, SIGNED_FORMATS, signPath } from '../../../signed/address.ts';
import { signedFields } from '../../../signed/parameters.ts';
import { orNull } from '../../../stored-json.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { UNKNOWN_PRESET } from '../../preset.ts';
import { strict, Timestamp, Uuid } from '../../schemas/atoms.ts';
import { declareAliases } from '../../schemas/requests/aliases.ts';
import { withoutDefaults } from '../../schemas/validation.ts';
import type { Need } from '../services.ts';

const SignedUrlRequest = Type.Object(
  {
    ...signedFields,
    format: Type.Optional(Type.Enum([...SIGNED_FORMATS], { default: 'png' })),
    secret_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'The secret that signs; absent: the newest one.' }),
    ),
  },
  {
    ...strict,
    ...declareAliases({ secretId: 'secret_id' }),
    title: 'SignedUrlRequest',
    examples: [{ data: 'https://example.com/', width: 400, dotsOptions: { color: '#1a4b8c' } }],
  },
);

const SignedUrl = Type.Object(
  {
    url: Type.String({ description: 'The URL of the picture.' }),
    secret_id: Uuid,
    expires_at: orNull(Timestamp),
  },
  { title: 'SignedUrl' },
);

const secretFor = (secrets: readonly SigningSecretText[], id: string | undefined): SigningSecretText => {
  const found = id === undefined ? secrets[0] : secrets.find((secret) => secret.id === id.toLowerCase());
  if (found !== undefined) return found;
  if (id !== undefined) throw fieldError('secret_id', 'is not one of your signing secrets');
  const details = 'Your account has no signing secret yet: make one with POST /api/v1/signing-secrets.';
  throw new AppError('not_found', details);
};

/** Adds the route that signs the address of a picture. */
export const signedUrlRoute = ofAccount(
  { tag: 'Generate', name: 'signed-urls' },
  (route, { signed, publicUrl }: Need<'publicUrl' | 'signed'>, app) => {
    route('POST /signed-urls', {
      operationId: 'signUrl',
      isSafe: true,
      summary: 'Sign the URL of a picture without drawing it; free of charge',
      description: 'Requires either `data` or `code`. Your own server can sign without this call.',
      body: SignedUrlRequest,
      answer: SignedUrl,
      fails: [404],
      options: { validatorCompiler: withoutDefaults(app) },
      handle: async ({ body }, { accountId }) => {
        const { format = 'png', secret_id: secretId, ...parameters } = body;
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
        const path = signPath(secret, parameters, format);
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
    });
  },
);
