import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import { newTraceContext, readTraceContext } from '../tracing/context.ts';
import { runInTrace, type SpanStart, type Trace, type Tracer } from '../tracing/trace.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The trace of the request; `null` when nobody traces it. */
    trace: Trace | null;
  }
}

/** What asks only how the gateway is, which callers do all the time. */
const UNTRACED: readonly (string | undefined)[] = ['health', 'metrics'];

const startOf = ({ method, routeOptions: { url, config } }: FastifyRequest): SpanStart | null => {
  if (UNTRACED.includes(config?.name)) return null;
  const attributes = { 'http.request.method': method, ...(url === undefined ? {} : { 'http.route': url }) };
  return { name: url === undefined ? method : `${method} ${url}`, kind: 'server', attributes };
};

/** The trace that the request belongs to. What is not recorded has one only when it comes with a `traceparent`. */
const traceOf = (request: FastifyRequest, tracer: Tracer | null): Trace | null => {
  const { traceparent, tracestate } = request.headers;
  const given = traceparent === undefined ? null : readTraceContext(traceparent, tracestate);
  const span = tracer?.begin(given, () => startOf(request)) ?? null;
  if (span !== null) return { context: span.context, span };
  return traceparent === undefined ? null : { context: given ?? newTraceContext(), span };
};

/**
 * Whether the trace only names the request in the log: nobody records it, and no caller with a key or a session has
 * sent it. Passing a trace on makes every promise dearer on Node.js 20, which an unauthenticated caller must not be able to cause.
 */
const isForLogAlone = ({ principal }: FastifyRequest, { span }: Trace): boolean =>
  span === null && principal === null;

const endWith = (request: FastifyRequest, reply: FastifyReply) => {
  const { statusCode } = reply;
  const isAborted = !reply.raw.writableEnded;
  const fault = request.failure ?? String(statusCode);
  return {
    ...(statusCode >= 500 && !isAborted ? { fault } : {}),
    attributes: {
      'tessera.outcome': isAborted ? 'aborted' : (request.failure ?? 'ok'),
      ...(isAborted ? {} : { 'http.response.status_code': statusCode }),
    },
  };
};

/**
 * Takes over the trace of each request (W3C Trace Context), or begins one; a `traceparent` that is broken begins a new
 * one too. With a tracer the request is a span, which has the route and never the path.
 */
export const traceRequests = (app: FastifyInstance, tracer: Tracer | null): void => {
  app.decorateRequest('trace', null);
  app.addHook('onRequest', (request, reply, done) => {
    const trace = traceOf(request, tracer);
    if (trace === null) return done();
    request.trace = trace;
    if (isForLogAlone(request, trace)) return done();
    const { span } = trace;
    if (span !== null) reply.raw.once('close', () => span.end(endWith(request, reply)));
    runInTrace(trace, done);
  });
  // Events of the socket have brought the body, and they belong to no request.
  const goOn: preValidationHookHandler = (request, _, done) => {
    const { trace } = request;
    if (trace === null || isForLogAlone(request, trace)) return done();
    runInTrace(trace, done);
  };
  app.addHook('onRoute', (route) => {
    // What anyone may call, such as short links, passes no trace on by itself: a hook would cost it a tenth.
    if (tracer === null && !route.url.startsWith('/api/')) return;
    route.preValidation = [goOn, ...[route.preValidation ?? []].flat()];
  });
};
