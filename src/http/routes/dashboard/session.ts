import fastifyCookie from '@fastify/cookie';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Sessions } from '../../../accounts/sessions.ts';
import type { Principal } from '../../../db/tables/keys.ts';
import { type Auth, principalOf } from '../../auth/auth.ts';
import type { RateLimit } from '../../limits/rate-limit.ts';
import { BODY_ERRORS, errors, NoContent, strict, Timestamp, Uuid } from '../../schemas/atoms.ts';
import { document } from '../../schemas/openapi.ts';

/** What the routes of the dashboard's session need. */
export interface SessionRouteParts {
  readonly auth: Auth;
  readonly rateLimit: RateLimit;
  readonly sessions: Sessions;
}

const SignIn = Type.Object(
  { key: Type.String({ maxLength: 200, description: 'An API key with the scope `manage`.' }) },
  { ...strict, title: 'SignIn', examples: [{ key: 'tsr_…' }] },
);

const SessionBody = Type.Object(
  {
    account: Type.Object({ id: Uuid, name: Type.String(), plan: Type.Enum(['free', 'pro']) }),
    scopes: Type.Array(Type.String(), {
      description: 'The scopes of the key, which are also those of the session.',
    }),
    expires_at: Timestamp,
  },
  { title: 'Session' },
);

const toSessionBody = ({ accountId, accountName, plan, scopes }: Principal, expiresAt: Date) => ({
  account: { id: accountId, name: accountName, plan },
  scopes: [...scopes],
  expires_at: expiresAt.toISOString(),
});

/**
 * Adds the routes to sign in and out. The browser sends the key once and does not keep it. It keeps a token in a cookie
 * that no script can read.
 */
export const sessionRoutes =
  ({ auth, rateLimit, sessions }: SessionRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Dashboard');
    await app.register(fastifyCookie, { hook: false });
    const { cookie, find, refuseCrossSite } = auth.sessions;
    const config = { name: 'session' };
    app.addHook('onRequest', async (_, reply) => {
      reply.header('cache-control', 'no-store');
    });

    app.post(
      '/session',
      {
        config,
        preHandler: [async (request) => auth.signIn(request, request.body.key, 'manage'), rateLimit.hook],
        schema: {
          operationId: 'signIn',
          summary: 'Sign in with an API key; only from our own pages',
          body: SignIn,
          response: { 200: SessionBody, ...errors(401, 403, 429, 503, ...BODY_ERRORS) },
        },
      },
      async (request, reply) => {
        const principal = principalOf(request);
        const { token, expiresAt } = await sessions.begin(principal.keyId);
        reply.setCookie(cookie.name, token, { ...cookie.options, expires: expiresAt });
        return toSessionBody(principal, expiresAt);
      },
    );

    app.get(
      '/session',
      {
        config,
        schema: {
          operationId: 'getSession',
          summary: 'Who is signed in; 204 when nobody is',
          security: [{ session: [] }, {}],
          response: { 200: SessionBody, 204: NoContent, ...errors(403, 429, 503) },
        },
      },
      async (request, reply) => {
        const session = await find(request);
        // The page asks this first. An error status would show in the console of every browser that is not signed in.
        if (session === null) return reply.code(204).send(null);
        return toSessionBody(session, session.expiresAt);
      },
    );

    app.delete(
      '/session',
      {
        config,
        schema: {
          operationId: 'signOut',
          summary: 'Sign out',
          security: [{ session: [] }, {}],
          response: { 204: NoContent, ...errors(403, 415, 429, 503) },
        },
      },
      async (request, reply) => {
        refuseCrossSite(request);
        // The browser drops the cookie even if the session cannot be ended now.
        reply.clearCookie(cookie.name, cookie.options);
        const session = await find(request);
        if (session !== null) await sessions.end(session.sessionId);
        return reply.code(204).send(null);
      },
    );
  };
