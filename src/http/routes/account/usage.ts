import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { ledgerUnavailable } from '../../../generate/units.ts';
import type { Quota } from '../../../quota/quota.ts';
import { principalOf } from '../../auth/auth.ts';
import { type DatabaseParts, ofAccount } from '../../auth/of-account.ts';
import { sendLimits } from '../../limits/rate-limit.ts';
import { errors, KEY_ERRORS, Timestamp } from '../../schemas/atoms.ts';
import { ABOUT_USAGE, readUsage, UsageHistoryBody, UsageQuery } from '../../schemas/usage.ts';

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
    usage_count: Type.Integer({ description: 'Units used this period, whatever paid for them.' }),
    remaining: Type.Integer({ description: 'What is left of the monthly quota, plus the credits.' }),
    resets_at: Timestamp,
  },
  { title: 'Usage' },
);

/** Adds the routes that read the caller's plan and balance, and what was used over time. */
export const usageRoutes =
  ({ quota, database, ...account }: DatabaseParts & { readonly quota: Quota }): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Account', account);
    const config = { name: 'usage' };

    app.get(
      '/usage',
      {
        config,
        schema: {
          operationId: 'getUsage',
          summary: 'Plan, quota and usage of this month',
          response: { 200: Usage, ...errors(...KEY_ERRORS) },
        },
      },
      async (request, reply) => {
        const { accountId, plan } = principalOf(request);
        const balance = await quota.read(accountId).catch((cause: unknown) => {
          throw ledgerUnavailable(cause);
        });
        sendLimits(request, reply, balance);
        return {
          plan,
          period: balance.period,
          monthly_quota: balance.monthlyQuota,
          monthly_used: balance.monthlyUsed,
          credits: balance.credits,
          usage_count: balance.usageCount,
          remaining: balance.remaining,
          resets_at: new Date(balance.resetsAtMs).toISOString(),
        };
      },
    );

    app.get(
      '/usage/history',
      {
        config,
        schema: {
          operationId: 'getUsageHistory',
          summary: 'What was used by hour, day or month, and by key or kind of call',
          description: ABOUT_USAGE,
          querystring: UsageQuery,
          response: { 200: UsageHistoryBody, ...errors(400, ...KEY_ERRORS) },
        },
      },
      (request) => readUsage(database.sql, principalOf(request).accountId, request.query),
    );
  };
