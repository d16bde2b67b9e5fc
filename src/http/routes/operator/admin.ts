import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { onRequestAsyncHookHandler } from 'fastify';
import { document } from '../../schemas/openapi.ts';
import { accountKeysRoutes } from './account-keys.ts';
import { type AdminAccountParts, adminAccountRoutes } from './accounts.ts';
import { creditsRoute } from './credits.ts';

/** What the operator's routes need. */
export interface AdminRouteParts extends AdminAccountParts {
  /** The hook that accepts requests with the operator's token. */
  readonly requireAdmin: onRequestAsyncHookHandler;
}

/** Adds the operator's API: accounts, their plans, credits and keys. */
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
  };
