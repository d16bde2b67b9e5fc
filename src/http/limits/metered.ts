/** The meter of a gateway's calls, which `routes/route.ts` applies to every route that is not paid. */
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import type { Meter } from '../../limits/meter.ts';
import { type Payer, payFor } from '../../payer/payer.ts';
import { createSearchLine, type SearchLine } from './search-line.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who pays for reading the body; `null`: nobody does, because the call is paid or has no account. */
    bodyPayer: Payer | null;
  }
  interface FastifyInstance {
    readonly meter: Meter;
    /** Where calls that change many things wait: an account makes one at a time. */
    readonly changesOfMany: SearchLine;
  }
}

/** Gives the routes of `app` their meter. */
export const meterCalls = (app: FastifyInstance, meter: Meter): void => {
  app.decorate('meter', meter);
  app.decorateRequest('bodyPayer', null);
  app.decorate('changesOfMany', createSearchLine(undefined, 'change of many things'));
};

/** A hook that refuses an account which has overdrawn its free work, before it pays for reading the body. */
export const admitCall: preParsingHookHandler = (request, _reply, payload, done) => {
  const { principal, server } = request;
  if (principal !== null) {
    server.meter.admit(principal.accountId);
    request.bodyPayer = server.meter.payerOf(principal.accountId);
  }
  done(null, payload);
};

/** Does a call, for whose time its account pays. Without an account it simply does it. */
export const metered = <T>(request: FastifyRequest, call: () => Promise<T>): Promise<T> => {
  const { principal, server } = request;
  return principal === null ? call() : payFor(server.meter.payerOf(principal.accountId), call);
};

/** Does a call that changes many things when no other one of its account runs. @throws {AppError} 429 when many wait. */
export const oneAtATime = <T>(
  request: FastifyRequest,
  reply: FastifyReply,
  call: () => Promise<T>,
): Promise<T> => {
  const { principal, server } = request;
  return principal === null ? call() : server.changesOfMany.run(principal.accountId, reply, call);
};
