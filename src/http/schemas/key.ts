/** Schemas and bodies of API keys, for the operator's API and the account's own. */
import Type, { type Static } from 'typebox';
import type { CreatedKey, WantedKey } from '../../accounts/account-keys.ts';
import { type Key, SCOPES } from '../../db/tables/keys.ts';
import { fieldsOf, Name, orNull, strict, Timestamp, Uuid } from './atoms.ts';
import { aliases } from './requests/aliases.ts';

/** The request for a new key. */
export const NewKey = Type.Object(
  {
    name: Name,
    scopes: Type.Optional(
      Type.Array(Type.Enum([...SCOPES]), {
        minItems: 1,
        maxItems: SCOPES.length,
        uniqueItems: true,
        description: 'What the key may do; absent: all that its maker may do.',
      }),
    ),
    rate_limit_per_second: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          "Requests a second of this key, within the account's limit; absent: the limit of the key that makes it, or none when the operator does.",
      }),
    ),
  },
  {
    ...strict,
    ...aliases({ rateLimitPerSecond: 'rate_limit_per_second' }),
    title: 'NewKey',
    examples: [{ name: 'For the newsletter', scopes: ['render'] }],
  },
);

const known = {
  id: Uuid,
  prefix: Type.String({ description: 'The first characters, to tell keys apart.' }),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  rate_limit_per_second: Type.Union([Type.Integer(), Type.Null()], {
    description: "The key's own limit; null: only the account's limit applies.",
  }),
  created_at: Timestamp,
};

/** A key without its secret. */
export const KeyBody = Type.Object({ ...known, last_used_at: orNull(Timestamp) }, { title: 'Key' });

/** A new key with its secret. */
export const CreatedKeyBody = Type.Object(
  {
    ...known,
    key: Type.String({ description: 'The key. It cannot be read again, because only its hash is stored.' }),
  },
  { title: 'CreatedKey' },
);

/** Returns the key that a request asks for. */
export const toWantedKey = ({
  rate_limit_per_second: limit,
  ...wanted
}: Static<typeof NewKey>): WantedKey => ({
  ...wanted,
  ...(limit === undefined ? {} : { rateLimitPerSecond: limit }),
});

/** Returns the body of a key. */
export const toKeyBody = (key: Key) =>
  fieldsOf(key, 'id', 'prefix', 'name', 'scopes', 'rateLimitPerSecond', 'createdAt', 'lastUsedAt');

/** Returns the body of a new key. It was not used yet, so it has no `last_used_at`. */
export const toCreatedKeyBody = ({ key, secret }: CreatedKey) => {
  const { last_used_at, ...body } = toKeyBody(key);
  return { ...body, key: secret };
};
