import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { Database } from '../../../db/database.ts';
import { document } from '../../schemas/openapi.ts';
import { accountKeysRoutes } from './account-keys.ts';
import { type AdminAccountParts, adminAccountRoutes } from './accounts.ts';
import { creditsRoute } from './credits.ts';
import { adminUsageRoutes } from './usage.ts';

/** What the operator's routes need. */
export interface AdminRouteParts extends AdminAccountParts {
  /** The hook that accepts requests with the operator's token. */
  readonly requireAdmin: onRequestAsyncHookHandler;
  readonly database: Database;
}

/** Adds the operator's API: accounts, their plans, credits, keys and usage. */
export const adminRoutes =
  ({ requireAdmin, ...parts }: AdminRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Admin', { adminToken: [] });
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, name: 'admin' };
    });
    app.addHook('onRequest', requireAdmin);
    await app.register(adminAccountRoutes(parts));
    await app.register(creditsRoute(parts));
    await app.register(accountKeysRoutes(parts));
    await app.register(adminUsageRoutes(parts));
  };
