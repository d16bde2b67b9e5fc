/** Schemas and bodies of API keys, for the operator's API and the account's own. */

import Type, { type Static } from 'typebox';
import type { CreatedKey, WantedKey } from '../../accounts/account-keys.ts';
import { type Key, type KeyBounds, type KeyPatch, SCOPES } from '../../db/tables/accounts/keys.ts';
import { fieldError } from '../../errors.ts';
import { orNull } from '../../stored-json.ts';
import { MAX_UNITS } from './account.ts';
import { fieldsOf, Name, strict, Timestamp, Uuid } from './atoms.ts';

/** Postgres stores it, and a four-digit year can write it. */
const LATEST_MS = Date.UTC(9999);
const HOUR_MS = 3_600_000;

const Expiry = Type.Union(
  [Type.String({ format: 'date' }), Type.String({ format: 'date-time' }), Type.Null()],
  {
    description: 'When the key expires, in the future. A date means its start in UTC; null: never.',
    examples: ['2027-07-01', '2027-07-01T09:00:00Z'],
  },
);

/** Returns a validated `expires_at`. @throws {AppError} 400 for a time in the past. */
const readExpiry = (written: string | null): Date | null => {
  if (written === null) return null;
  const at = new Date(written);
  if (at.getTime() > Date.now() && at.getTime() < LATEST_MS) return at;
  throw fieldError('expires_at', 'must be in the future, and before the year 9999');
};

const bounds = {
  rate_limit_per_second: Type.Optional(
    orNull(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
      description:
        "Requests per second of this key and the keys that it makes, within the account's limit; null: only that limit applies.",
    }),
  ),
  expires_at: Type.Optional(Expiry),
  monthly_quota: Type.Optional(
    orNull(Type.Integer({ minimum: 0, maximum: MAX_UNITS }), {
      description:
        'Units that the key, and the keys that it makes, may use per calendar month (UTC), within the account quota; null: only that quota applies.',
    }),
  ),
};

/** The request for a new key. */
export const NewKey = Type.Object(
  {
    name: Name,
    scopes: Type.Optional(
      Type.Array(Type.Enum([...SCOPES]), {
        minItems: 1,
        maxItems: SCOPES.length,
        uniqueItems: true,
        description: 'What the key may do. Absent: everything that its creator may do.',
      }),
    ),
    sandbox: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether it is a sandbox key: its pictures are marked, nothing is charged or saved, and only `generate` and `render` are allowed.',
      }),
    ),
    load_tests: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether calls with the key may have `Tessera-Load-Test`, which marks them in the log, the metrics and the usage. The key that makes it must have it too.',
      }),
    ),
    ...bounds,
  },
  {
    ...strict,
    description:
      'Absent limits are inherited from the key that makes the call; for the operator there are none.',
    title: 'NewKey',
    examples: [{ name: 'For the newsletter', scopes: ['render'] }],
  },
);

/** What may change about a key. An absent field stays as it is. */
export const KeyChange = Type.Object(
  { name: Type.Optional(Name), ...bounds },
  {
    ...strict,
    minProperties: 1,
    title: 'KeyChange',
    examples: [{ name: 'For the newsletter', rate_limit_per_second: 5 }],
  },
);

/** How long a key works on that is replaced; a year at most. */
const OVERLAP_HOURS = { default: 24, maximum: 8784 } as const;

/** The request that replaces a key. */
export const KeyRotation = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        ...OVERLAP_HOURS,
        description: 'How long the old key works on; 0: it is revoked.',
      }),
    ),
    expires_at: Type.Optional({
      ...Expiry,
      description: 'Of the new key. Absent: as the old one.',
    }),
  },
  { ...strict, title: 'KeyRotation', examples: [{ overlap_hours: 72 }] },
);

/** How a key is revoked. */
export const RevokeQuery = Type.Object(
  {
    with_made: Type.Optional(
      Type.Boolean({
        description: 'Whether the keys that it made, and those that they made, are revoked with it.',
      }),
    ),
  },
  strict,
);

const known = {
  id: Uuid,
  prefix: Type.String({ description: 'The first characters, to tell keys apart.' }),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  sandbox: Type.Boolean({ description: 'Whether it is a sandbox key.' }),
  load_tests: Type.Boolean({ description: 'Whether its calls may have `Tessera-Load-Test`.' }),
  rate_limit_per_second: orNull(Type.Integer(), {
    description: "The key's own limit; null: only the account's limit applies.",
  }),
  expires_at: orNull(Timestamp, {
    description: 'When the key expires; null: never.',
  }),
  monthly_quota: orNull(Type.Integer(), {
    description: "The key's own quota; null: only the account's applies.",
  }),
  made_by: orNull(Uuid, {
    description: 'The key that made it, whose limits it shares; null: the operator did.',
  }),
  replaced_by: orNull(Uuid, { description: 'The key made in its place.' }),
  created_at: Timestamp,
};

/** A key without its secret. */
export const KeyBody = Type.Object(
  {
    ...known,
    usage_count: Type.Integer({
      description:
        'Units that the key, and the keys that it made, have used this month, from the quota or credits.',
    }),
    made_count: Type.Integer({
      description: 'Active keys that it made, and that they made: `with_made` revokes so many with it.',
    }),
    last_used_at: orNull(Timestamp),
  },
  { title: 'Key' },
);

/** A new key with its secret. */
export const CreatedKeyBody = Type.Object(
  {
    ...known,
    key: Type.String({ description: 'The key. It cannot be read again, because only its hash is stored.' }),
  },
  { title: 'CreatedKey' },
);

type WrittenBounds = Omit<Static<typeof KeyChange>, 'name'>;

/** Returns the bounds that a request names. @throws {AppError} 400 for an expiry in the past. */
const toBounds = ({
  rate_limit_per_second: limit,
  expires_at: expiry,
  monthly_quota: quota,
}: WrittenBounds): Partial<KeyBounds> => ({
  ...(limit === undefined ? {} : { rateLimitPerSecond: limit }),
  ...(expiry === undefined ? {} : { expiresAt: readExpiry(expiry) }),
  ...(quota === undefined ? {} : { monthlyQuota: quota }),
});

/** Returns the key that a request asks for. @throws {AppError} 400 for an expiry in the past. */
export const toWantedKey = ({
  name,
  scopes,
  sandbox,
  load_tests: loadTests,
  ...written
}: Static<typeof NewKey>): WantedKey => ({
  name,
  ...(sandbox ? { isSandbox: true } : {}),
  ...(loadTests ? { loadTests } : {}),
  ...(scopes === undefined ? {} : { scopes }),
  ...toBounds(written),
});

/** Returns how a request wants a key replaced. @throws {AppError} 400 for an expiry in the past. */
export const toRotation = ({
  overlap_hours: hours = OVERLAP_HOURS.default,
  expires_at: expiry,
}: Static<typeof KeyRotation>) => ({
  overlapMs: hours * HOUR_MS,
  ...(expiry === undefined ? {} : { expiresAt: readExpiry(expiry) }),
});

/** Returns the changes that a request asks for. @throws {AppError} 400 for an expiry in the past. */
export const toKeyPatch = ({ name, ...written }: Static<typeof KeyChange>): KeyPatch => ({
  ...(name === undefined ? {} : { name }),
  ...toBounds(written),
});

const toKnown = (key: Key) => ({
  ...fieldsOf(key, 'id', 'prefix', 'name', 'scopes', 'createdAt'),
  sandbox: key.isSandbox,
  ...fieldsOf(key, 'loadTests', 'rateLimitPerSecond', 'expiresAt', 'monthlyQuota', 'madeBy', 'replacedBy'),
});

export const toKeyBody = (key: Key) => ({
  ...toKnown(key),
  ...fieldsOf(key, 'usageCount', 'madeCount', 'lastUsedAt'),
});

/** Returns the body of a new key. It has not been used, so there is no usage to show. */
export const toCreatedKeyBody = ({ key, secret }: CreatedKey) => ({ ...toKnown(key), key: secret });
