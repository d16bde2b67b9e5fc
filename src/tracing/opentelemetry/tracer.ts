/**
 * The tracer on the packages of OpenTelemetry. Only `openTracer` imports this file, so that nothing else loads them.
 */
import { randomUUID } from 'node:crypto';
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
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../../log.ts';
import type { TraceContext } from '../context.ts';
import type { TracingOptions } from '../options.ts';
import type { Span, SpanOptions, Tracer } from '../trace.ts';
import { traceRedis } from './redis.ts';
import { createSpanQueue } from './span-queue.ts';

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
