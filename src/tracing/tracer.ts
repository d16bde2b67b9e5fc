/**
 * The tracer on the packages of OpenTelemetry. Only `openTracer` imports this file, so that nothing else loads them.
 * Spans wait on their way to the collector; those of Redis commands come from the diagnostics channel of ioredis.
 */

import { randomUUID } from 'node:crypto';
import { tracingChannel } from 'node:diagnostics_channel';
import {
  type Context,
  createTraceState,
  type Span as OpenSpan,
  type Tracer as OpenTracer,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { waitAtMost } from '../execution/time-limits.ts';
import type { Log } from '../log.ts';
import type { TraceContext } from './context.ts';
import { currentTrace, type Span, type SpanOptions, type Tracer, type TracingOptions } from './trace.ts';

interface Command {
  readonly command: string;
  readonly error?: { readonly name?: string };
}

/** Begins to record the commands that are sent within a trace, only by name. Returns a function that ends it. */
export const traceRedis = (): (() => void) => {
  const spans = new WeakMap<Command, Span>();
  const channel = tracingChannel<unknown, Command>('ioredis:command');
  const subscriber = {
    start(message: Command): void {
      const above = currentTrace()?.span;
      if (!above?.isOpen) return;
      const name = message.command.toLowerCase();
      const attributes = { 'db.system.name': 'redis', 'db.operation.name': name };
      spans.set(message, above.begin(`redis ${name}`, { kind: 'client', attributes }));
    },
    asyncEnd(message: Command): void {
      const span = spans.get(message);
      if (message.error === undefined) span?.end();
      else span?.end({ fault: message.error.name ?? 'error' });
    },
    end(): void {},
    asyncStart(): void {},
    error(): void {},
  };
  channel.subscribe(subscriber);
  return () => void channel.unsubscribe(subscriber);
};

/** Spans that wait or are being sent; a further one is dropped. A span takes about 2 kB. */
const WAITING_MAX = 8192;
const TOGETHER = 512;
const DELAY_MS = 1000;
/** For all tries of a group together. */
const SEND_TIMEOUT_MS = 5000;
const CLOSE_MS = 2000;

const SUCCESS = 0;

/**
 * Creates the queue. It holds a bounded number of spans, sends a group at a time, and counts what it sends and drops.
 */
export const createSpanQueue = (
  { endpoint, headers }: Pick<TracingOptions, 'endpoint' | 'headers'>,
  log: Pick<Log, 'warn' | 'info'>,
) => {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: SEND_TIMEOUT_MS,
  });
  let waiting = 0;
  let sent = 0;
  let dropped = 0;
  let failing = false;

  const note = (spans: readonly ReadableSpan[], isSent: boolean): void => {
    waiting -= spans.length;
    if (isSent) sent += spans.length;
    else dropped += spans.length;
    if (failing === isSent && isSent) log.info({}, 'spans are sent again');
    if (failing === isSent && !isSent)
      log.warn({ spans: spans.length }, 'spans cannot be sent; dropping them');
    failing = !isSent;
  };

  const counting: SpanExporter = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        note(spans, result.code === SUCCESS);
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor({
    exporter: counting,
    maxQueueSize: WAITING_MAX,
    maxExportBatchSize: TOGETHER,
    scheduledDelayMillis: DELAY_MS,
    exportTimeoutMillis: 2 * SEND_TIMEOUT_MS,
  });

  const processor: SpanProcessor = {
    onStart: () => {},
    onEnd(span) {
      if (waiting >= WAITING_MAX) {
        dropped += 1;
        return;
      }
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };

  return {
    /** Takes the spans that have ended. */
    processor,
    stats: () => ({ sent, dropped }),
    /** Sends what waits, for two seconds at most. */
    close: async (): Promise<void> => {
      const ended = batches.shutdown().catch(() => {});
      await waitAtMost(ended, CLOSE_MS);
    },
  };
};

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

const toContext = ({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext => ({
  traceId,
  spanId,
  isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
  state: traceState?.serialize() ?? '',
});

const fromContext = ({ traceId, spanId, isSampled, state }: TraceContext): SpanContext => ({
  traceId,
  spanId,
  traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote: true,
  ...(state === '' ? {} : { traceState: createTraceState(state) }),
});

const samplerOf = ({ sampling, ratio }: TracingOptions): Sampler => {
  const roots: Readonly<Record<string, () => Sampler>> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = roots[sampling.replace('parentbased_', '')]!();
  return sampling.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
};

const beginWith = ({ kind = 'internal', attributes, startMs }: SpanOptions) => ({
  kind: KINDS[kind],
  ...(attributes === undefined ? {} : { attributes }),
  ...(startMs === undefined ? {} : { startTime: startMs }),
});

const toSpan = (tracer: OpenTracer, open: OpenSpan): Span => ({
  context: toContext(open.spanContext()),
  get isOpen() {
    return open.isRecording();
  },
  begin: (name, options = {}) =>
    toSpan(tracer, tracer.startSpan(name, beginWith(options), trace.setSpan(ROOT_CONTEXT, open))),
  end({ fault, attributes, endMs } = {}) {
    if (attributes !== undefined) open.setAttributes(attributes);
    if (fault !== undefined) {
      open.setAttribute('error.type', fault);
      open.setStatus({ code: SpanStatusCode.ERROR });
    }
    open.end(endMs);
  },
});

/** Creates the tracer. When a collector does not answer, only spans are lost, and they are counted. */
export const createTracer = (
  options: TracingOptions,
  version: string,
  log: Pick<Log, 'warn' | 'info'>,
): Tracer => {
  const queue = createSpanQueue(options, log);
  const sampler = samplerOf(options);
  const ids = new RandomIdGenerator();
  /** The sampler has decided about this id when the provider asks for it. */
  let rootId = '';
  const isSampled = (above: Context, traceId: string): boolean =>
    sampler.shouldSample(above, traceId, '', SpanKind.INTERNAL, {}, []).decision !==
    SamplingDecision.NOT_RECORD;
  const provider = new TracerProvider({
    sampler,
    idGenerator: { generateTraceId: () => rootId, generateSpanId: () => ids.generateSpanId() },
    spanProcessors: [queue.processor],
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': version,
      'service.instance.id': randomUUID(),
      'process.pid': process.pid,
    }),
  });
  const tracer = provider.getTracer('tessera', version);
  const endRedis = traceRedis();
  return {
    begin(parent, describe, cause = null) {
      const above = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, fromContext(parent));
      if (parent === null) rootId = ids.generateTraceId();
      if (!isSampled(above, parent?.traceId ?? rootId)) return null;
      const start = describe();
      if (start === null) return null;
      const links = cause === null ? [] : [{ context: fromContext(cause) }];
      return toSpan(tracer, tracer.startSpan(start.name, { ...beginWith(start), links }, above));
    },
    stats: queue.stats,
    async close() {
      endRedis();
      await queue.close();
    },
  };
};
