import type { Database } from '../../db/database.ts';
import type { Scope } from '../../db/tables/keys.ts';
import type { FreeWork } from '../../limits/free-work.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import type { SearchLine } from '../limits/search-line.ts';
import { document, type Routes, type Tag } from '../schemas/openapi.ts';
import type { Auth } from './auth.ts';

/** What every route of an account's own API needs. */
export interface AccountParts {
  readonly auth: Auth;
  readonly rateLimit: RateLimit;
}

/** What a route that reads or changes saved things needs. */
export interface DatabaseParts extends AccountParts {
  readonly database: Database;
}

/** What a route with free work needs. */
export interface CostlyParts extends DatabaseParts {
  readonly freeWork: FreeWork;
}

/** What a route that searches needs. */
export interface SearchParts extends CostlyParts {
  readonly searches: SearchLine;
}

/**
 * Makes the routes that are added to `app` afterwards ask for a scope, `manage` by default, and counts their requests.
 */
export const ofAccount = (
  app: Routes,
  tag: Tag,
  { auth, rateLimit }: AccountParts,
  scope: Scope = 'manage',
): void => {
  document(app, tag, { apiKey: [scope] });
  app.addHook('onRequest', auth.require(scope, 'header'));
  app.addHook('onRequest', rateLimit.hook);
};
