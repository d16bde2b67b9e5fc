import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hook that wants the admin token. */
    isOperator: boolean;
  }
}

/** Whether a request has come without a valid key, session or admin token so far. */
export const isStranger = (request: FastifyRequest): boolean => !request.principal && !request.isOperator;
