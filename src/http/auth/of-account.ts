import type { Database } from '../../db/database.ts';
import type { FreeWork } from '../../limits/free-work.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { document, type Routes, type Tag } from '../schemas/openapi.ts';
import type { Auth } from './auth.ts';

/** What every route of an account's own API needs. */
export interface AccountParts {
  readonly auth: Auth;
  readonly rateLimit: RateLimit;
}

/** What a route with free work needs. */
export interface CostlyParts extends AccountParts {
  readonly database: Database;
  readonly freeWork: FreeWork;
}

/** Makes the routes that are added to `app` afterwards ask for the scope `manage`, and counts their requests. */
export const ofAccount = (app: Routes, tag: Tag, { auth, rateLimit }: AccountParts): void => {
  document(app, tag, { apiKey: ['manage'] });
  app.addHook('onRequest', auth.require('manage', 'header'));
  app.addHook('onRequest', rateLimit.hook);
};
