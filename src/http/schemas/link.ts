/** Short links in requests and answers, and where an account's dead ones lead. */
import Type, { type Static } from 'typebox';
import { LINK_STATUSES } from '../../db/tables/codes/link-traits.ts';
import type { LinkRoute } from '../../db/tables/links.ts';
import { fieldError } from '../../errors.ts';
import type { checkDestination } from '../../links/destination.ts';
import { hashPassword } from '../../links/password.ts';
import { orNull } from '../../stored-json.ts';
import { Version } from '../files/versions.ts';
import { fieldsOf, strict, Timestamp, Uuid } from './atoms.ts';
import { labelChanges, labelFields } from './code.ts';
import { ForwardField, ForwardWritten, readForward, toForwardField } from './forward.ts';
import { ChangedBy } from './history.ts';
import { Rules, readRules } from './rules/rules.ts';
import { scanTotalFields } from './scans.ts';

/** Checks a destination; never throws. */
type CheckDestination = (written: string) => ReturnType<typeof checkDestination>;

/** The field `dead_link_url`. */
export const DeadLinkUrl = orNull(Type.String(), {
  title: 'DeadLinkUrl',
  description:
    'Where dead short links redirect: an absolute http or https URL without credentials that is not one of our short links. null: none.',
});

/** Returns the normalised URL. @throws {AppError} 400 when it cannot be a destination. */
export const readDeadLinkUrl = (written: string | null, check: CheckDestination): string | null => {
  if (written === null) return null;
  const checked = check(written);
  if (!checked.ok) throw fieldError('dead_link_url', checked.fault);
  return checked.value;
};

/** Longer ones would keep a mended destination from those who need it. */
const MAX_AGE_MAX_S = 86_400;

/** The field `redirect_max_age_s` in requests. */
export const RedirectMaxAgeS = Type.Integer({ minimum: 0, maximum: MAX_AGE_MAX_S, title: 'RedirectMaxAgeS' });

/** The field `redirect_max_age_s` in answers. */
export const RedirectMaxAgeField = Type.Integer({
  description:
    'For how many seconds browsers may repeat a redirect of your links without asking: those visits are not counted, and are late to see a change. 0: not at all.',
});

const VISIT_LIMIT_MAX = 1_000_000_000;

const address = (description: string) => Type.Optional(orNull(Type.String(), { description }));
const time = (description: string) =>
  Type.Optional(orNull(Type.String({ format: 'date-time' }), { description }));

/** The fields in requests that change where and when a link leads. */
export const routeChanges = {
  destination: Type.Optional(
    Type.String({
      description:
        'An http or https URL without credentials, and not one of our short links. It may have placeholders: `{slug}`, `{path}`, `{query.name}` and AIs such as `{21}`.',
    }),
  ),
  active_from: time('When the link starts to lead to `destination`; null: immediately.'),
  active_until: time('When it stops leading there; null: never.'),
  before_destination: address('Where it leads before `active_from`; null: same as a deleted link.'),
  after_destination: address(
    'Where it leads from `active_until` on, or at its limit; null: same as a deleted link.',
  ),
  forward: Type.Optional(
    orNull(ForwardWritten, {
      description: 'What of a visit is passed on. null: what the account says; `{}`: nothing.',
    }),
  ),
};

/** What decides about single visits. */
export const guardChanges = {
  rules: Type.Optional(orNull(Rules, { description: 'Rules of its own; null: none.' })),
  rule_set_id: Type.Optional(
    orNull(Uuid, { description: 'A rule set of yours, whose rules come after its own; null: none.' }),
  ),
  visit_limit: Type.Optional(
    orNull(Type.Integer({ minimum: 1, maximum: VISIT_LIMIT_MAX }), {
      description: 'How many people it leads to `destination` or by rules; null: any number.',
    }),
  ),
  password: Type.Optional(
    orNull(Type.String({ minLength: 4, maxLength: 200 }), {
      description: 'What visitors must enter. Only its hash is kept. null: none.',
    }),
  ),
};

/** What may change about where and when a link leads. An absent field stays as it is. */
export const RouteChange = Type.Object(
  { ...routeChanges, ...guardChanges },
  {
    ...strict,
    minProperties: 1,
    title: 'RouteChange',
  },
);

/** What may change about a link. An absent field stays as it is. */
export const LinkPatch = Type.Object(
  {
    ...routeChanges,
    ...guardChanges,
    ...labelChanges,
    slug: Type.Optional(
      Type.String({
        description:
          'A slug of your own: 3 to 64 letters, digits, `-` and `_`, with a letter or digit at both ends. The code encodes it from now on; earlier slugs keep working.',
      }),
    ),
  },
  {
    ...strict,
    minProperties: 1,
    title: 'LinkPatch',
    examples: [{ destination: 'https://example.com/autumn' }],
  },
);

/** Where and when a link leads, in answers. */
export const routeFields = {
  destination: Type.String(),
  active_from: orNull(Timestamp),
  active_until: orNull(Timestamp),
  before_destination: orNull(Type.String()),
  after_destination: orNull(Type.String()),
  rules: orNull(Rules),
  rule_set_id: orNull(Uuid),
  visit_limit: orNull(Type.Integer()),
  has_password: Type.Boolean(),
  forward: ForwardField,
};

export const toRouteFields = (route: LinkRoute) => ({
  ...fieldsOf(
    route,
    ...(['destination', 'activeFrom', 'activeUntil', 'beforeDestination', 'afterDestination'] as const),
    ...(['ruleSetId', 'visitLimit'] as const),
  ),
  rules: route.rules === null ? null : route.rules.map((rule) => rule as Static<typeof Rules>[number]),
  has_password: route.passwordHash !== null,
  forward: toForwardField(route.forward),
});

/** Whether a link leads to its destination. */
export const LinkStatusField = Type.Enum([...LINK_STATUSES], {
  description:
    '`scheduled`: before `active_from`. `expired`: from `active_until` on. `limit_reached`: at its `visit_limit`. `active`: otherwise.',
});

/** A short link. */
export const LinkBody = Type.Object(
  {
    slug: Type.String({
      description: 'The slug that the code encodes. Earlier slugs also lead to the link.',
    }),
    ...routeFields,
    status: LinkStatusField,
    domain: orNull(Type.String({ description: 'The own domain of the link; null: that of the service.' })),
    short_url: Type.String({ description: 'What the code encodes.' }),
    code_id: Uuid,
    folder_id: Uuid,
    folder: Type.String({ description: 'Its name.' }),
    name: orNull(Type.String({ description: 'That of its code.' })),
    ...labelFields,
    ...scanTotalFields,
    imported_scans: Type.Integer({
      description:
        'Scans that were counted elsewhere before the link was imported; they are in no other count.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
    etag: Version,
  },
  { title: 'Link' },
);

/** A change of a short link. */
export const LinkChangeBody = Type.Object(
  {
    slug: Type.String({ description: 'The slug that the code encoded.' }),
    ...routeFields,
    at: Timestamp,
    change_id: orNull(Type.String({ description: 'The id of a bulk change; null: it was not part of one.' })),
    key: ChangedBy,
  },
  { title: 'LinkChange' },
);

/** Times that a four-digit year can write in every time zone, and that Postgres stores. */
const FIRST_MS = Date.UTC(1970);
const LAST_MS = Date.UTC(9999);

/**
 * Returns the changes that a body asks for, except for that of the password.
 *
 * @param inside The prefix of field names in errors.
 * @throws {AppError} 400 for an address or a time that a link cannot have.
 */
export const readLinkPatch = (
  body: Static<typeof RouteChange>,
  check: CheckDestination,
  inside = '',
): Partial<LinkRoute> => {
  const addressOf = (field: string, written: string): string => {
    const checked = check(written);
    if (!checked.ok) throw fieldError(`${inside}${field}`, checked.fault);
    return checked.value;
  };
  const addressOrNull = (field: string, written: string | null) =>
    written === null ? null : addressOf(field, written);
  const timeOrNull = (field: string, written: string | null) => {
    if (written === null) return null;
    const at = new Date(written);
    if (at.getTime() >= FIRST_MS && at.getTime() < LAST_MS) return at;
    throw fieldError(`${inside}${field}`, 'must be a time in the years 1970 to 9998');
  };
  const { destination, active_from, active_until, before_destination, after_destination, forward } = body;
  const { rules, rule_set_id: ruleSetId, visit_limit: visitLimit } = body;
  return {
    ...(destination !== undefined && { destination: addressOf('destination', destination) }),
    ...(active_from !== undefined && { activeFrom: timeOrNull('active_from', active_from) }),
    ...(active_until !== undefined && { activeUntil: timeOrNull('active_until', active_until) }),
    ...(before_destination !== undefined && {
      beforeDestination: addressOrNull('before_destination', before_destination),
    }),
    ...(after_destination !== undefined && {
      afterDestination: addressOrNull('after_destination', after_destination),
    }),
    ...(rules !== undefined && { rules: rules && readRules(rules, check, `${inside}rules`) }),
    ...(ruleSetId !== undefined && { ruleSetId: ruleSetId?.toLowerCase() ?? null }),
    ...(visitLimit !== undefined && { visitLimit }),
    ...(forward !== undefined && { forward: readForward(forward, inside) }),
  };
};

/** Returns the change of the password that a body asks for. Hashing it takes some 50 ms of a thread. */
export const readPasswordChange = async ({
  password,
}: Pick<Static<typeof RouteChange>, 'password'>): Promise<Pick<Partial<LinkRoute>, 'passwordHash'>> =>
  password === undefined ? {} : { passwordHash: password && (await hashPassword(password)) };
