import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request has the admin token. The hook that checks the token sets this. */
    isOperator: boolean;
  }
}

/** Whether no hook has accepted a key, session or admin token of this request so far. */
export const isUnauthenticated = (request: FastifyRequest): boolean =>
  !request.principal && !request.isOperator;
