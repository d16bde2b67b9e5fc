/** The meter of a gateway's calls, which `routes/route.ts` applies to every route that is not paid. */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onResponseHookHandler,
  preParsingHookHandler,
} from 'fastify';
import { type Payer, payFor, payNothing } from '../../execution/payer.ts';
import type { Meter, PaidCall } from '../../limits/meter.ts';
import { createSearchLine, type SearchLine } from './places.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who pays for reading the body; `null`: nobody does, because it is short and paid or the call has no account. */
    bodyPayer: Payer | null;
    /** What a paid call with a long body has taken. */
    paidCall: PaidCall | null;
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
  app.decorateRequest('paidCall', null);
  app.decorate('changesOfMany', createSearchLine(undefined, 'change of many things'));
  // Limits are counted together: one answer of Redis lets calls of several accounts go on in the same turn.
  app.addHook('preHandler', (_request, _reply, done) => {
    payNothing();
    done();
  });
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

/** Reading a longer body takes more than the rest of a call that is refused. */
const SHORT_BODY_BYTES = 32 * 1024;

const hasLongBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SHORT_BODY_BYTES;

/**
 * Returns who pays for reading a body: for that of a paid call its account does, if the call is refused.
 *
 * @throws {AppError} 429 when the account's refused calls have taken too much time.
 */
export const payerOfBody = (request: FastifyRequest, accountId: string): Payer => {
  if (request.bodyPayer === null) {
    request.paidCall = request.server.meter.startPaid(accountId);
    request.bodyPayer = request.paidCall.payer;
  }
  return request.bodyPayer;
};

/** A hook of paid calls, which refuses long bodies of an account whose refused calls have taken too much time. */
export const admitPaidCall: preParsingHookHandler = (request, _reply, payload, done) => {
  if (request.principal !== null && hasLongBody(request)) payerOfBody(request, request.principal.accountId);
  done(null, payload);
};

/** A hook that charges a paid call which was refused, and so has cost no units. */
export const chargeRefusedCall: onResponseHookHandler = (request, reply, done) => {
  done();
  if (reply.statusCode >= 400 && reply.statusCode < 500) request.paidCall?.refuse();
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
