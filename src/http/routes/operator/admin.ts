import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Database } from '../../../db/database.ts';
import type { OperatorAuth } from '../../auth/operator-auth.ts';
import { document } from '../../schemas/openapi.ts';
import { accountKeysRoutes } from './account-keys.ts';
import { type AdminAccountParts, adminAccountRoutes } from './accounts.ts';
import { creditsRoute } from './credits.ts';
import { adminUsageRoutes } from './usage.ts';

/** What the operator's routes need. */
export interface AdminRouteParts extends AdminAccountParts {
  readonly operators: Pick<OperatorAuth, 'require'>;
  readonly database: Database;
}

/** Adds the operator's API: accounts, their plans, credits, keys and usage. */
export const adminRoutes =
  ({ operators, ...parts }: AdminRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Admin', { adminToken: [] });
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, name: 'admin' };
    });
    app.addHook('onRequest', operators.require);
    await app.register(adminAccountRoutes(parts));
    await app.register(creditsRoute(parts));
    await app.register(accountKeysRoutes(parts));
    await app.register(adminUsageRoutes(parts));
  };
