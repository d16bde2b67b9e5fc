import type { Database } from '../../db/database.ts';
import type { FreeWork } from '../../limits/free-work.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { document, type Routes, type Tag } from '../schemas/openapi.ts';
import type { Auth } from './auth.ts';

/** What every call of an account's own API needs. */
export interface AccountParts {
  readonly auth: Auth;
  readonly rateLimit: RateLimit;
}

/** What a call needs that costs no units and much work. */
export interface CostlyParts extends AccountParts {
  readonly database: Database;
  readonly freeWork: FreeWork;
}

/** Lets only keys with the scope `manage` to the routes added from here on, and counts their requests. */
export const ofAccount = (app: Routes, tag: Tag, { auth, rateLimit }: AccountParts): void => {
  document(app, tag, { apiKey: ['manage'] });
  app.addHook('onRequest', auth.require('manage', 'header'));
  app.addHook('onRequest', rateLimit.hook);
};
