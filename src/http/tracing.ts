import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import type { RequestMeter } from '../metrics/requests.ts';
import { newTraceContext, readTraceContext } from '../tracing/context.ts';
import { runInTrace, type SpanStart, type Trace, type Tracer } from '../tracing/trace.ts';

/**
 * Counts every request once, when it is answered or its client goes away. It must be added before all other hooks, to
 * measure their time too.
 */
export const measureRequests = (app: FastifyInstance, meter: RequestMeter): void => {
  app.addHook('onRequest', (request, reply, done) => {
    meter.begin();
    reply.raw.once('close', () => {
      const route = request.is404 ? 'none' : (request.routeOptions.config?.name ?? 'other');
      const outcome = reply.raw.writableEnded ? (request.failure ?? 'ok') : 'aborted';
      meter.ended(route, outcome, reply.elapsedTime, Boolean(request.loadTest));
    });
    done();
  });
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The trace of the request; `null` when nobody traces it. */
    trace: Trace | null;
  }
}

/** Routes that only report on the gateway, which callers poll all the time. */
const UNTRACED: readonly (string | undefined)[] = ['health', 'metrics'];

const startOf = ({ method, routeOptions: { url, config } }: FastifyRequest): SpanStart | null => {
  if (UNTRACED.includes(config?.name)) return null;
  const attributes = { 'http.request.method': method, ...(url === undefined ? {} : { 'http.route': url }) };
  return { name: url === undefined ? method : `${method} ${url}`, kind: 'server', attributes };
};

/** The trace that the request belongs to. Unless recorded, it has one only if it came with a `traceparent`. */
const traceOf = (request: FastifyRequest, tracer: Tracer | null): Trace | null => {
  const { traceparent, tracestate } = request.headers;
  const given = traceparent === undefined ? null : readTraceContext(traceparent, tracestate);
  const span = tracer?.begin(given, () => startOf(request)) ?? null;
  if (span !== null) return { context: span.context, span };
  return traceparent === undefined ? null : { context: given ?? newTraceContext(), span };
};

/**
 * Whether the trace only names the request in the log: nobody records it, and no caller with a key or a session has
 * sent it. Propagating a trace makes every promise slower on Node.js 20, which an unauthenticated caller must not be
 * able to cause.
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
      ...(request.loadTest && { 'tessera.load_test': request.loadTest }),
      ...(isAborted ? {} : { 'http.response.status_code': statusCode }),
    },
  };
};

/**
 * Continues the trace of each request (W3C Trace Context), or begins a new one when the `traceparent` is missing or
 * malformed. With a tracer the request is a span, which has the route and never the path.
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
  // The body arrived in socket events, which run in no request's context.
  const goOn: preValidationHookHandler = (request, _, done) => {
    const { trace } = request;
    if (trace === null || isForLogAlone(request, trace)) return done();
    runInTrace(trace, done);
  };
  app.addHook('onRoute', (route) => {
    // What anyone may call, such as short links, propagates no trace by itself: a hook would cost it a tenth.
    if (tracer === null && !route.url.startsWith('/api/')) return;
    route.preValidation = [goOn, ...[route.preValidation ?? []].flat()];
  });
};
