import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { describeRoutes } from '../../schemas/openapi/openapi.ts';
import type { Services } from '../services.ts';
import { accountKeysRoutes, adminAccountRoutes } from './accounts.ts';
import { adminUsageRoutes } from './usage.ts';

/** Adds the operator's API: accounts, their plans, credits, keys and usage. */
export const adminRoutes =
  ({
    operators,
    ...parts
  }: Pick<Services, 'accounts' | 'database' | 'linkRules' | 'operators'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    describeRoutes(app, 'Admin', { adminToken: [] });
    app.addHook('onRequest', operators.require);
    await app.register(adminAccountRoutes(parts));
    await app.register(accountKeysRoutes(parts));
    await app.register(adminUsageRoutes(parts));
  };
