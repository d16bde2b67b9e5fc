import Type from 'typebox';
import { ledgerUnavailable } from '../../../generate/refusals.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { sendLimits } from '../../limits/rate-limit.ts';
import { fieldsOf, Timestamp } from '../../schemas/atoms.ts';
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
