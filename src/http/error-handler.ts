import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EncodingFault, tellEncodingFault } from '../csv/encoding.ts';
import { isBusy, isLockFault, isTimeout, isUnavailable } from '../db/faults.ts';
import { AppError } from '../errors.ts';
import { ledgerUnavailable } from '../generate/refusals.ts';
import { StoreFault } from '../storage/store.ts';
import { isUnauthenticated } from './bodies/body-budget.ts';
import type { Lingering } from './bodies/connections.ts';
import { wrongRowType } from './bodies/row-types.ts';
import { sendLimits } from './limits/rate-limit.ts';
import type { SendCommonHeaders } from './protocol/headers.ts';
import { isOfVisitor, pageOfVisitor } from './short-link-page.ts';

const failureOf = (code: string | undefined): AppError => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('headers_too_large', 'Send at most 16 KiB of header fields, including the path.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request_timeout', 'Send the whole request in less time.');
    default:
      return new AppError(
        'malformed_request',
        'Send HTTP/1.1: percent-encode the path, end header fields with CRLF, and send one length for the body.',
      );
  }
};

/**
 * Creates the handler that answers requests which Node's parser refuses, in the form of all errors, and ends the
 * connection. No route or hook sees such a request. The parser refuses all further input, so nothing else has to.
 */
export const createBrokenRequestHandler =
  (lingering: Lingering) =>
  (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || lingering.has(socket)) return;
    const failure = failureOf(error.code);
    const body = JSON.stringify({ error: failure.error, details: failure.details });
    const lines = [
      `HTTP/1.1 ${failure.status} ${failure.error}`,
      'Connection: close',
      'Cache-Control: no-store',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${randomUUID()}`,
    ];
    if (socket.writable) socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    lingering.end(socket);
  };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether errors of this route are plain text, as the specification asks for images (7.2). */
    plainTextErrors?: boolean;
    /** The route's name in logs and metrics. */
    name?: string;
  }
}

/** How paths of the resolver begin: an error in them is one of syntax (GS1-Conformant Resolver Standard, 2.4.1). */
const OF_RESOLVER = /^\/\d{2,4}\//;

/** Our errors for what Fastify itself refuses, by its error codes. */
const FASTIFY_ERRORS: Readonly<Record<string, (request: FastifyRequest) => AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new AppError('body_too_large', 'Send a smaller body; the documentation has the limits.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError('malformed_json', 'body: its length differs from Content-Length'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new AppError('malformed_json', 'body: must not be empty'),
  FST_ERR_BAD_URL: ({ url }) =>
    OF_RESOLVER.test(url)
      ? new AppError('invalid_params', 'The path must be a GS1 Digital Link URI: write UTF-8, and % as %25.')
      : new AppError('not_found', 'The path is not a valid URL.'),
  FST_ERR_ASYNC_CONSTRAINT: () => new AppError('not_found', 'There is no such path.'),
  // No route has the method QUERY, for which Fastify requires a body before it looks for a route.
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: () =>
    new AppError('not_found', 'There is no such path and method; see /docs.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new AppError('not_found', 'There is no such path.'),
};

const isLedgerFault = (error: unknown): boolean =>
  String((error as { code?: unknown } | null)?.code).startsWith('LEDGER_');

/** Says why the database did not do what the call needs. */
const databaseError = (cause: unknown): AppError => {
  const options = { retryAfterS: 2, cause };
  if (isTimeout(cause)) {
    const details =
      'The database took too long: ask for less, for example with a smaller limit or a narrower filter, or try again.';
    return new AppError('time_limit', details, options);
  }
  if (isLockFault(cause))
    return new AppError('rate_limited', 'Other calls are changing the same things; try again.', options);
  if (isBusy(cause))
    return new AppError('unavailable', 'The database has too much to do at the moment; try again.', options);
  return new AppError('unavailable', 'The database cannot be reached at the moment; try again.', options);
};

/** A route with uploads takes rows. */
const wrongMediaType = ({ routeOptions }: FastifyRequest): AppError =>
  routeOptions.config?.takesUploads
    ? wrongRowType()
    : new AppError('unsupported_media_type', 'Send the body as Content-Type: application/json.');

const ADVICE = 'name the encoding in its Content-Type, as in text/csv; charset=windows-1251, or send UTF-8';

const toAppError = (error: unknown, request: FastifyRequest): AppError => {
  if (error instanceof AppError) return error;
  if (error instanceof EncodingFault) {
    const { readings } = error;
    return new AppError('unclear_encoding', `body: ${tellEncodingFault(error, ADVICE)}`, { readings });
  }
  const { code = '' } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return wrongMediaType(request);
  const known = FASTIFY_ERRORS[code];
  if (known !== undefined) return known(request);
  if (isUnavailable(error)) return databaseError(error);
  if (error instanceof StoreFault) {
    return new AppError('unavailable', 'The store of batches cannot be reached at the moment; try again.', {
      retryAfterS: 5,
      cause: error,
    });
  }
  if (isLedgerFault(error)) return ledgerUnavailable(error);
  const { statusCode } = error as Partial<FastifyError>;
  // `@fastify/static` answers 403 for folders. Callers get the answer for a missing file.
  if (statusCode === 403) return new AppError('not_found', 'There is no such file.');
  // The body ended early or the client went away, which is not a fault of the service.
  if (statusCode === 400) {
    return new AppError('malformed_json', 'body: could not be read', { cause: error });
  }
  return new AppError('internal', 'The service failed; give its operator the X-Request-Id of this answer.', {
    cause: error,
  });
};

/** A customer's unread body up to this size is read to its end, which is cheaper than a new connection. */
const DRAIN_MAX_BYTES = 65_536;

const hasUnreadBody = (request: FastifyRequest): boolean => {
  if (request.raw.complete || request.raw.readableEnded) return false;
  // A client that sent `Expect: 100-continue` may or may not send its body.
  if (request.headers.expect !== undefined) return true;
  const length = Number(request.headers['content-length'] ?? 0);
  if (isUnauthenticated(request)) return length > 0 || request.headers['transfer-encoding'] !== undefined;
  return length > DRAIN_MAX_BYTES || request.headers['transfer-encoding'] !== undefined;
};

/** Whether a stream was closed because the client had gone before the answer began. */
const isClientGone = (error: unknown, reply: FastifyReply): boolean =>
  reply.raw.destroyed && (error as { code?: unknown } | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE';

const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  if (isClientGone(error, reply)) return reply.send();
  const failure = toAppError(error, request);
  if (failure.status >= 500) {
    const { cause, code, details } = failure;
    const level = code === 'internal' ? 'error' : 'warn';
    // A refusal of our own is logged without its stack: writing it takes a millisecond, which is too long in overload.
    request.log[level](cause === undefined ? { code, details } : { err: cause, code }, 'request failed');
  }
  request.failure = failure.code;
  reply.code(failure.status).header('cache-control', 'no-store');
  if (failure.retryAfterS !== undefined) reply.header('retry-after', String(failure.retryAfterS));
  if (failure.isReplay) reply.header('idempotent-replayed', 'true');
  if (failure.month !== undefined) sendLimits(request, reply, failure.month);
  // Without this a refused upload of hundreds of megabytes would be read to its end.
  if (hasUnreadBody(request)) reply.header('connection', 'close');
  if (request.routeOptions.config?.plainTextErrors) {
    return reply.type('text/plain; charset=utf-8').send(`${failure.error}: ${failure.details}\n`);
  }
  const page = isOfVisitor(request) ? pageOfVisitor(failure, request, reply) : null;
  if (page !== null) return reply.send(page);
  return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send({
    error: failure.error,
    details: failure.details,
    faults: failure.faults,
    readings: failure.readings,
  });
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error that the request was answered with; `null`: there was no error. */
    failure: string | null;
  }
}

const NO_SUCH_PATH = 'There is no such path and method; see /docs.';

/** Answers every error of every route, and of unknown paths, in our form. @param unknownPath What is said of the latter. */
export const answerErrors = (app: FastifyInstance, unknownPath = NO_SUCH_PATH): void => {
  app.decorateRequest('failure', null);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) =>
    sendError(new AppError('not_found', unknownPath), request, reply),
  );
};

/** Creates the handler for URLs so malformed that Fastify neither looks for a route nor runs a hook. */
export const createFrameworkErrorHandler =
  (sendCommonHeaders: SendCommonHeaders, lingering: Lingering) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    sendCommonHeaders(request, reply);
    lingering.afterAnswer(request, sendError(error, request, reply));
  };
