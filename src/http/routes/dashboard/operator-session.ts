import fastifyCookie from '@fastify/cookie';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { OperatorAuth } from '../../auth/operator-auth.ts';
import { BODY_ERRORS, errors, NoContent, strict, Timestamp } from '../../schemas/atoms.ts';
import { document } from '../../schemas/openapi.ts';

/** What the routes of the operator's session need. */
export interface OperatorSessionParts {
  readonly operators: OperatorAuth;
}

const SignIn = Type.Object(
  { token: Type.String({ maxLength: 255, description: 'The `ADMIN_TOKEN`.' }) },
  { ...strict, title: 'OperatorSignIn', examples: [{ token: 'a-long-random-string' }] },
);
const SessionBody = Type.Object({ expires_at: Timestamp }, { title: 'OperatorSession' });
const toBody = (expiresAt: Date) => ({ expires_at: expiresAt.toISOString() });

/**
 * Adds the routes with which the operator signs in and out. As with accounts, the browser sends the token once and
 * keeps another one in a cookie that no script can read.
 */
export const operatorSessionRoutes =
  ({ operators }: OperatorSessionParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Dashboard');
    await app.register(fastifyCookie, { hook: false });
    const config = { name: 'session' };
    app.addHook('onRequest', async (_, reply) => {
      reply.header('cache-control', 'no-store');
    });

    app.post(
      '/operator/session',
      {
        config,
        schema: {
          operationId: 'signInOperator',
          summary: 'Sign in with the admin token; only from our own pages',
          body: SignIn,
          response: { 200: SessionBody, ...errors(401, 403, 429, 503, ...BODY_ERRORS) },
        },
      },
      async (request, reply) => toBody(await operators.signIn(request, reply, request.body.token)),
    );

    app.get(
      '/operator/session',
      {
        config,
        schema: {
          operationId: 'getOperatorSession',
          summary: 'When the session of the operator ends; 204 when there is none',
          security: [{ operator: [] }, {}],
          response: { 200: SessionBody, 204: NoContent, ...errors(429, 503) },
        },
      },
      async (request, reply) => {
        const expiresAt = await operators.find(request);
        return expiresAt === null ? reply.code(204).send(null) : toBody(expiresAt);
      },
    );

    app.delete(
      '/operator/session',
      {
        config,
        schema: {
          operationId: 'signOutOperator',
          summary: 'Sign out as the operator',
          security: [{ operator: [] }, {}],
          response: { 204: NoContent, ...errors(403, 415, 429, 503) },
        },
      },
      async (request, reply) => {
        await operators.signOut(request, reply);
        return reply.code(204).send(null);
      },
    );
  };
