import Type from 'typebox';
import type { Account } from '../../../db/tables/accounts/accounts.ts';
import { type DeadLinkChange, listDeadLinkHistory, readCompleteSince } from '../../../db/tables/histories.ts';
import { ledgerUnavailable } from '../../../generate/refusals.ts';
import { orNull } from '../../../stored-json.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { sendLimits } from '../../limits/rate-limit.ts';
import { fieldsOf, PageQuery, strict, Timestamp } from '../../schemas/atoms.ts';
import { ForwardField, ForwardWritten, readForward, toForwardField } from '../../schemas/forward.ts';
import {
  ChangedBy,
  historySchema,
  toChangedBy,
  toHistoryBody,
  toHistoryPage,
} from '../../schemas/history.ts';
import { DeadLinkUrl, RedirectMaxAgeField, RedirectMaxAgeS, readDeadLinkUrl } from '../../schemas/link.ts';
import { ABOUT_USAGE, readUsage, UsageHistoryBody, UsageQuery } from '../../schemas/usage.ts';
import type { Need } from '../services.ts';

const Usage = Type.Object(
  {
    plan: Type.Enum(['free', 'pro']),
    period: Type.String({
      description: 'The first day of the calendar month (UTC).',
      examples: ['2026-11-01'],
    }),
    monthly_quota: Type.Integer(),
    monthly_used: Type.Integer(),
    credits: Type.Integer({ description: 'Credits left.' }),
    usage_count: Type.Integer({ description: 'Units used this period, from the quota or credits.' }),
    remaining: Type.Integer({ description: 'What is left of the monthly quota, plus the credits.' }),
    resets_at: Timestamp,
  },
  { title: 'Usage' },
);

/** Adds the routes that read the caller's plan and balance, and what was used over time. */
export const usageRoutes = ofAccount(
  { tag: 'Account', name: 'usage' },
  (route, { quota, database }: Need<'database' | 'quota'>) => {
    route('GET /usage', {
      operationId: 'getUsage',
      evenOverdrawn: 'clients ask it before they send calls that cost units',
      summary: 'Plan, quota and usage of this month',
      description:
        'The figures are exact at the time of the answer. For figures over time, see `getUsageHistory`.',
      answer: Usage,
      handle: async (request, { accountId, plan }, reply) => {
        const balance = await quota.read(accountId).catch((cause: unknown) => {
          throw ledgerUnavailable(cause);
        });
        sendLimits(request, reply, balance);
        return {
          plan,
          ...fieldsOf(balance, 'period', 'monthlyQuota', 'monthlyUsed', 'credits', 'usageCount', 'remaining'),
          resets_at: new Date(balance.resetsAtMs).toISOString(),
        };
      },
    });

    route('GET /usage/history', {
      operationId: 'getUsageHistory',
      summary: 'Your usage by hour, day or month, and by key or kind of call',
      description: ABOUT_USAGE,
      querystring: UsageQuery,
      answer: UsageHistoryBody,
      handle: ({ query }, { accountId }) => readUsage(database.sql, accountId, query),
    });
  },
);

const AccountBody = Type.Object(
  {
    name: Type.String(),
    plan: Type.Enum(['free', 'pro']),
    dead_link_url: orNull(
      Type.String({ description: 'The URL to which dead short links redirect; null: none.' }),
    ),
    forward: ForwardField,
    redirect_max_age_s: RedirectMaxAgeField,
    created_at: Timestamp,
  },
  { title: 'OwnAccount' },
);

const Settings = Type.Object(
  {
    dead_link_url: Type.Optional(DeadLinkUrl),
    forward: Type.Optional(
      orNull(ForwardWritten, {
        description: 'What short links pass on of a visit that say nothing themselves. null: nothing.',
      }),
    ),
    redirect_max_age_s: Type.Optional(RedirectMaxAgeS),
  },
  {
    ...strict,
    minProperties: 1,
    title: 'OwnAccountPatch',
    examples: [{ dead_link_url: 'https://example.com/this-code-has-expired' }],
  },
);

const toBody = (account: Account | null) => {
  // Accounts are never deleted.
  if (account === null) throw new Error('the account of a key is gone');
  return {
    ...fieldsOf(account, 'name', 'plan', 'deadLinkUrl', 'redirectMaxAgeS', 'createdAt'),
    forward: toForwardField(account.forward),
  };
};

const ChangeBody = Type.Object(
  { dead_link_url: orNull(Type.String({ description: 'null: none.' })), at: Timestamp, key: ChangedBy },
  { title: 'DeadLinkChange' },
);

const toChangeBody = (change: DeadLinkChange) => ({
  ...fieldsOf(change, 'deadLinkUrl', 'at'),
  key: toChangedBy(change),
});

/** Adds the routes that read the caller's own account, change its settings, and list where its dead links have led. */
export const accountRoutes = ofAccount(
  { tag: 'Account', name: 'account' },
  (
    route,
    { accounts, linkRules: { checkPlainUrl }, database }: Need<'accounts' | 'database' | 'linkRules'>,
  ) => {
    route('GET /account', {
      operationId: 'getOwnAccount',
      summary: 'Your account and its settings',
      description:
        'Its name and plan, the URL to which dead short links redirect, what links pass on, and how long redirects may be kept.',
      answer: AccountBody,
      handle: async (_, { accountId }) => toBody(await accounts.find(accountId)),
    });

    route('PATCH /account', {
      operationId: 'updateOwnAccount',
      summary: 'Set where dead short links redirect, what links pass on, and how long redirects may be kept',
      description:
        'A link is dead if it is deleted, or if it is not yet or no longer active and has no URL of its own for that time. Every gateway applies the change within a second. Visits to dead links are redirected there and are not counted, even after the link is purged from the bin. Without a URL, people see a page saying that the code leads nowhere. The history keeps the URL. `forward` holds for links whose own `forward` is null. `redirect_max_age_s` lets browsers repeat the redirect of a link without rules, limit or password, which costs scans.',
      body: Settings,
      answer: AccountBody,
      change: async ({ body }, { accountId, keyId }) => {
        const { dead_link_url: url, forward, redirect_max_age_s: redirectMaxAgeS } = body;
        const patch = {
          ...(url !== undefined && { deadLinkUrl: readDeadLinkUrl(url, checkPlainUrl) }),
          ...(forward !== undefined && { forward: readForward(forward) }),
          ...(redirectMaxAgeS !== undefined && { redirectMaxAgeS }),
        };
        return async (changed) => toBody(await accounts.within(changed).setLinks(accountId, patch, keyId));
      },
    });

    route('GET /account/dead-link-history', {
      operationId: 'listDeadLinkChanges',
      summary: 'The URLs to which your dead short links have redirected, current one first',
      description: 'To restore an earlier one, send it to `updateOwnAccount`.',
      querystring: PageQuery,
      answer: historySchema(ChangeBody),
      handle: async ({ query }, { accountId }) => {
        const page = toHistoryPage(query);
        const changes = await listDeadLinkHistory(database.sql, accountId, page);
        const since = await readCompleteSince(database.sql, 'deadLinks', accountId);
        return toHistoryBody(changes, page, toChangeBody, since);
      },
    });
  },
);
