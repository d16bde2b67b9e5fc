import fastifyCookie from '@fastify/cookie';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import type { Principal } from '../../../db/tables/accounts/keys.ts';
import { orNull } from '../../../stored-json.ts';
import { principalOf } from '../../auth/auth.ts';
import { NoContent, strict, Timestamp, Uuid } from '../../schemas/atoms.ts';
import { describeRoutes } from '../../schemas/openapi/openapi.ts';
import { ANYBODY, routesOf } from '../route.ts';
import type { Need, Services } from '../services.ts';

const SignIn = Type.Object(
  { key: Type.String({ maxLength: 200, description: 'An API key with the scope `manage`.' }) },
  { ...strict, title: 'SignIn', examples: [{ key: 'tsr_…' }] },
);

const SessionBody = Type.Object(
  {
    account: Type.Object({ id: Uuid, name: Type.String(), plan: Type.Enum(['free', 'pro']) }),
    key_id: { ...Uuid, description: 'The key that it was started with.' },
    scopes: Type.Array(Type.String(), {
      description: 'The scopes of the key, which are also those of the session.',
    }),
    load_tests: Type.Boolean({ description: 'Whether that key may make keys for load tests.' }),
    expires_at: Timestamp,
    resolver_url: orNull(
      Type.String({
        description: 'The part of Digital Link URIs before their paths; null: there is no resolver.',
      }),
    ),
  },
  { title: 'Session' },
);

const toSessionBody = (
  { accountId, accountName, plan, keyId, scopes, loadTests }: Principal,
  expiresAt: Date,
  { lookup, root }: Services['resolver'],
) => ({
  account: { id: accountId, name: accountName, plan },
  key_id: keyId,
  scopes: [...scopes],
  load_tests: loadTests,
  expires_at: expiresAt.toISOString(),
  resolver_url: lookup === null ? null : root(),
});

/**
 * Adds the routes to sign in and out. The browser sends the key once and does not store it, but keeps a token in a
 * cookie that scripts cannot read.
 */
export const sessionRoutes =
  ({ auth, rateLimit, sessions, resolver }: Need<'sessions' | 'resolver'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    describeRoutes(app, 'Dashboard');
    await app.register(fastifyCookie, { hook: false });
    const { cookie, find, refuseCrossSite } = auth.sessions;
    const route = routesOf(app, 'session', { ...ANYBODY, fails: [403, 429, 503] });
    app.addHook('onRequest', async (_, reply) => {
      reply.header('cache-control', 'no-store');
    });

    route('POST /session', {
      operationId: 'signIn',
      summary: 'Sign in with an API key; only from our own pages',
      description:
        'The key must have the scope `manage`. Sets a cookie that scripts cannot read; the session ends with its key.',
      body: SignIn,
      answer: SessionBody,
      fails: [401],
      options: {
        preHandler: [
          async (request) => auth.signIn(request, (request.body as Static<typeof SignIn>).key, 'manage'),
          rateLimit.hook,
        ],
      },
      handle: async (request, _, reply) => {
        const principal = principalOf(request);
        const { token, expiresAt } = await sessions.begin(principal.keyId, principal.keyExpiresAt);
        reply.setCookie(cookie.name, token, { ...cookie.options, expires: expiresAt });
        return toSessionBody(principal, expiresAt, resolver);
      },
    });

    route('GET /session', {
      operationId: 'getSession',
      summary: 'Who is signed in; 204 when nobody is',
      description: 'The account and the scopes of the session.',
      security: [{ session: [] }, {}],
      answer: SessionBody,
      answers: { 204: NoContent },
      handle: async (request, _, reply) => {
        const session = await find(request);
        // The page asks this first. An error status would show in the console of every browser that is not signed in.
        if (session === null) return reply.code(204).send(null);
        return toSessionBody(session, session.expiresAt, resolver);
      },
    });

    route('DELETE /session', {
      operationId: 'signOut',
      summary: 'Sign out',
      description: 'Ends the session, and removes its cookie even if nobody is signed in.',
      security: [{ session: [] }, {}],
      handle: async (request, _, reply) => {
        refuseCrossSite(request);
        // The browser drops the cookie even if the session cannot be ended now.
        reply.clearCookie(cookie.name, cookie.options);
        const session = await find(request);
        if (session !== null) await sessions.end(session.sessionId);
      },
    });
  };

const OperatorSignIn = Type.Object(
  { token: Type.String({ maxLength: 255, description: 'The `ADMIN_TOKEN`.' }) },
  { ...strict, title: 'OperatorSignIn', examples: [{ token: 'a-long-random-string' }] },
);
const OperatorSessionBody = Type.Object(
  {
    expires_at: Timestamp,
    plan_quotas: Type.Object(
      { free: Type.Integer(), pro: Type.Integer() },
      { description: 'Units a month of accounts without a quota of their own.' },
    ),
  },
  { title: 'OperatorSession' },
);

/**
 * Adds the routes with which the operator signs in and out. As with accounts, the browser sends the token once and
 * keeps another one in a cookie that no script can read.
 */
export const operatorSessionRoutes =
  ({ operators, accounts }: Pick<Services, 'operators' | 'accounts'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const toOperatorBody = (expiresAt: Date) => ({
      expires_at: expiresAt.toISOString(),
      plan_quotas: { ...accounts.planMonthly },
    });
    describeRoutes(app, 'Dashboard');
    await app.register(fastifyCookie, { hook: false });
    const route = routesOf(app, 'session', { ...ANYBODY, fails: [429, 503], writeFails: [403] });
    app.addHook('onRequest', async (_, reply) => {
      reply.header('cache-control', 'no-store');
    });

    route('POST /operator/session', {
      operationId: 'signInOperator',
      summary: 'Sign in with the admin token; only from our own pages',
      description: 'Sets a cookie that scripts cannot read.',
      body: OperatorSignIn,
      answer: OperatorSessionBody,
      fails: [401],
      handle: async (request, _, reply) =>
        toOperatorBody(await operators.signIn(request, reply, request.body.token)),
    });

    route('GET /operator/session', {
      operationId: 'getOperatorSession',
      summary: 'When the session of the operator ends, and the quotas of the plans; 204 when there is none',
      description: 'The page of the operator asks it first.',
      security: [{ operator: [] }, {}],
      answer: OperatorSessionBody,
      answers: { 204: NoContent },
      handle: async (request, _, reply) => {
        const expiresAt = await operators.find(request);
        return expiresAt === null ? reply.code(204).send(null) : toOperatorBody(expiresAt);
      },
    });

    route('DELETE /operator/session', {
      operationId: 'signOutOperator',
      summary: 'Sign out as the operator',
      description: 'Ends the session, and removes its cookie even if nobody is signed in.',
      security: [{ operator: [] }, {}],
      handle: (request, _, reply) => operators.signOut(request, reply),
    });
  };
