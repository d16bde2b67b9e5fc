/** Schemas and bodies of accounts, for the operator's API. */

import Type from 'typebox';
import type { AccountWithBalance } from '../../accounts/accounts.ts';
import { ACCOUNT_ORDERS } from '../../db/tables/accounts/accounts.ts';
import { orNull } from '../../stored-json.ts';
import { REFERENCE } from '../../validation/formats.ts';
import { fieldsOf, Name, searchQuery, strict, Timestamp, Uuid } from './atoms.ts';
import { ForwardField, ForwardWritten, toForwardField } from './forward.ts';
import { DeadLinkUrl, RedirectMaxAgeField, RedirectMaxAgeS } from './link.ts';

/** The most units that a request may name. */
export const MAX_UNITS = 1_000_000_000_000;

const PlanName = Type.Enum(['free', 'pro']);
const Units = Type.Integer({ minimum: 0, maximum: MAX_UNITS });
const MonthlyQuota = orNull(Units, { description: "null: the plan's quota." });

/** Which accounts are listed, and in which order. */
export const AccountsQuery = Type.Object(
  {
    ...searchQuery('Only the account with this id, or accounts whose names contain this text.').properties,
    sort: Type.Optional(
      Type.Enum([...ACCOUNT_ORDERS], {
        default: 'created',
        description: '`share`: nearest to the end of their units first. Not with `search`.',
      }),
    ),
  },
  strict,
);

/** The request for an account. */
export const NewAccount = Type.Object(
  {
    name: Name,
    plan: PlanName,
    monthly_quota: Type.Optional(MonthlyQuota),
    credits: Type.Optional(Units),
  },
  {
    ...strict,
    title: 'NewAccount',
    examples: [{ name: 'ACME', plan: 'pro', credits: 500 }],
  },
);
/** What an operator may change about an account. */
export const AccountPatch = Type.Object(
  {
    plan: Type.Optional(PlanName),
    monthly_quota: Type.Optional(MonthlyQuota),
    name: Type.Optional(Name),
    dead_link_url: Type.Optional(DeadLinkUrl),
    forward: Type.Optional(orNull(ForwardWritten)),
    redirect_max_age_s: Type.Optional(RedirectMaxAgeS),
  },
  {
    ...strict,
    title: 'AccountPatch',
    minProperties: 1,
    examples: [{ plan: 'pro', monthly_quota: 50_000 }],
  },
);
/** Credits to add to an account. */
export const Grant = Type.Object(
  {
    amount: Type.Integer({ minimum: 1, maximum: MAX_UNITS }),
    reference: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: REFERENCE })),
  },
  { ...strict, title: 'Grant', examples: [{ amount: 1000, reference: 'invoice-2026-117' }] },
);
/** An account without its usage. */
export const AccountBody = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    plan: PlanName,
    monthly_quota: Type.Integer(),
    has_own_quota: Type.Boolean({
      description: "Whether `monthly_quota` overrides the plan's quota.",
    }),
    credits: Type.Integer(),
    dead_link_url: orNull(Type.String()),
    forward: ForwardField,
    redirect_max_age_s: RedirectMaxAgeField,
    created_at: Timestamp,
  },
  { title: 'Account' },
);
const Usage = Type.Object(
  {
    period: Type.String(),
    monthly_used: Type.Integer(),
    usage_count: Type.Integer(),
    remaining: Type.Integer(),
    resets_at: Timestamp,
  },
  { title: 'AccountUsage' },
);
/** An account with the usage of this month. */
export const AccountWithUsage = Type.Object(
  { ...AccountBody.properties, usage: Usage },
  { title: 'AccountWithUsage' },
);
/** Returns the body of an account with its usage. */
export const toAccountBody = ({ account, balance }: AccountWithBalance) => ({
  ...fieldsOf(account, 'id', 'name', 'plan', 'deadLinkUrl', 'redirectMaxAgeS', 'createdAt'),
  forward: toForwardField(account.forward),
  ...fieldsOf(balance, 'monthlyQuota', 'credits'),
  has_own_quota: account.monthlyQuota !== null,
  usage: {
    ...fieldsOf(balance, 'period', 'monthlyUsed', 'usageCount', 'remaining'),
    resets_at: new Date(balance.resetsAtMs).toISOString(),
  },
});
