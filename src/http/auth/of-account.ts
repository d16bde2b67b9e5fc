import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Principal, Scope } from '../../db/tables/accounts/keys.ts';
import { type AddRoute, routesOf } from '../routes/route.ts';
import type { Need } from '../routes/services.ts';
import { KEY_ERRORS } from '../schemas/atoms.ts';
import { describeRoutes, type Routes, type Tag } from '../schemas/openapi/openapi.ts';
import { type Admission, principalOf } from './auth.ts';

/** What calls with an API key, or with a session, have in common. */
export const OF_KEYS = { fails: KEY_ERRORS, callerOf: principalOf };

/** Routes for callers with a key. */
export interface AccountSection extends Admission {
  readonly tag: Tag;
  /** The name of its routes in logs and metrics. */
  readonly name: string;
  /** The scope that the key needs; absent: `manage`. */
  readonly scope?: Scope;
}

/** Makes the plugin of routes that require a key and whose calls are counted. @param add Adds the routes. */
export const ofAccount =
  <Services extends Need>(
    { tag, name, scope = 'manage', ...admission }: AccountSection,
    add: (route: AddRoute<Principal>, services: Services, app: Routes) => void,
  ) =>
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    describeRoutes(app, tag, { apiKey: [scope] });
    app.addHook('onRequest', services.auth.require(scope, 'header', admission));
    app.addHook('onRequest', services.rateLimit.hook);
    add(routesOf<Principal>(app, name, { ...OF_KEYS, database: services.database }), services, app);
  };
