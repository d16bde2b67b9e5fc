import Type from 'typebox';
import { isOfKey, type Principal } from '../../../db/tables/accounts/keys.ts';
import type { SigningSecretText } from '../../../db/tables/signed.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { PATH_MAX_CHARACTERS, SIGNED_FORMATS, signPath } from '../../../signed/address.ts';
import { signedFields } from '../../../signed/parameters.ts';
import { orNull } from '../../../stored-json.ts';
import { boundsOf } from '../../auth/new-key.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { hasExpired } from '../../auth/principals.ts';
import { UNKNOWN_PRESET } from '../../preset.ts';
import { strict, Timestamp, Uuid } from '../../schemas/atoms.ts';
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

/** Whether a key may sign with a secret. One that is bounded pays for what it signs, itself or through a key it made. */
const maySign = (signer: Principal, secret: SigningSecretText): boolean => {
  const { rateLimitPerSecond, monthlyQuota } = boundsOf(signer);
  return (rateLimitPerSecond === null && monthlyQuota === null) || isOfKey(secret, signer.keyId);
};

const secretFor = (
  secrets: readonly SigningSecretText[],
  id: string | undefined,
  signer: Principal,
): SigningSecretText => {
  const named = id === undefined ? secrets : secrets.filter((secret) => secret.id === id.toLowerCase());
  const usable = named.find((secret) => !hasExpired(secret) && maySign(signer, secret));
  if (usable !== undefined) return usable;
  if (id !== undefined && named.length === 0)
    throw fieldError('secret_id', 'is not one of your signing secrets');
  const details =
    named.length === 0
      ? 'Your account has no signing secret yet: make one with POST /api/v1/signing-secrets.'
      : 'Your key cannot sign with this secret: its key has expired, or your key has limits and did not make it. Make one with POST /api/v1/signing-secrets.';
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
      handle: async ({ body }, signer) => {
        const { accountId } = signer;
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
        const secret = secretFor(await signed.secrets.list(accountId), secretId, signer);
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
