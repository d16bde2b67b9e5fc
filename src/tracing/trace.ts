/**
 * The trace of what runs now. Work that is asked for within it finds it here, across `await`, so no function takes a
 * tracer.
 *
 * Nothing is kept, and nothing costs time, until `runInTrace` is called for the first time. On Node.js 20 every promise
 * costs more from then on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type TraceContext, traceHeadersOf } from './context.ts';

/** Which traces are recorded; the names are those of OpenTelemetry. */
export type Sampling =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio';

/** Where spans go, and which. */
export interface TracingOptions {
  /** The base URL of a collector that speaks OTLP over HTTP. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly sampling: Sampling;
  /** For the samplers with a ratio: the share of traces, from 0 to 1. */
  readonly ratio: number;
}

/** Attributes of a span. Never a key, the text of a code, or an address. */
type Attributes = Readonly<Record<string, string | number | boolean>>;

/** What a span begins with besides its name. */
export interface SpanOptions {
  /** `internal` by default. */
  readonly kind?: 'internal' | 'server' | 'client' | 'consumer';
  readonly attributes?: Attributes;
  /** Epoch milliseconds; now by default. */
  readonly startMs?: number;
}

/** What the first span of some work begins with. */
export interface SpanStart extends SpanOptions {
  readonly name: string;
}

interface SpanEnd {
  /** What went wrong: a code or the name of an error, never its message. */
  readonly fault?: string;
  readonly attributes?: Attributes;
  /** Epoch milliseconds; now by default. */
  readonly endMs?: number;
}

/** A span that is recorded. */
export interface Span {
  readonly context: TraceContext;
  readonly isOpen: boolean;
  /** Begins a span below this one, which may have ended. */
  begin(name: string, options?: SpanOptions): Span;
  end(how?: SpanEnd): void;
}

/** The trace of some work; without a span it is passed on and not recorded. */
export interface Trace {
  readonly context: TraceContext;
  readonly span: Span | null;
}

/** Begins spans where work begins, and sends them when they have ended. */
export interface Tracer {
  /**
   * Decides whether some work is recorded, and begins its first span. Returns `null` when it is not.
   *
   * @param parent Where the work was asked for; `null` begins a new trace.
   * @param describe Describes the span; called only when it is to be recorded. `null`: it is not recorded after all.
   * @param cause A trace that led to this one without being its parent.
   */
  begin(
    parent: TraceContext | null,
    describe: () => SpanStart | null,
    cause?: TraceContext | null,
  ): Span | null;
  /** Spans since the start: those that the collector has taken, and those that were given up. */
  stats(): { readonly sent: number; readonly dropped: number };
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>;
}

const storage = new AsyncLocalStorage<Trace | undefined>();

/** Runs work in a trace. */
export const runInTrace = <T>(trace: Trace, run: () => T): T => storage.run(trace, run);

/** Runs work that serves many requests outside the trace of the one that has begun it. */
export const runOutside = <T>(run: () => T): T =>
  storage.getStore() === undefined ? run() : storage.run(undefined, run);

/** Returns the trace of what runs now. */
export const currentTrace = (): Trace | undefined => storage.getStore();

/** Whether what runs now is recorded. */
export const isRecorded = (): boolean => storage.getStore()?.span?.isOpen === true;

/**
 * Goes on with a trace in work that was asked for earlier, or begins one. A trace that is not recorded is only passed
 * on; a new one is `null` then.
 */
export const continueTrace = (
  tracer: Tracer | null,
  parent: TraceContext | null,
  { isApart = false, ...start }: SpanStart & { readonly isApart?: boolean },
): Trace | null => {
  const span =
    (isApart ? tracer?.begin(null, () => start, parent) : tracer?.begin(parent, () => start)) ?? null;
  if (span !== null) return { context: span.context, span };
  return parent === null ? null : { context: parent, span };
};

/** Returns the headers that pass the present trace on; none outside a trace. */
export const traceHeaders = (): Readonly<Record<string, string>> => {
  const trace = storage.getStore();
  return trace === undefined ? {} : traceHeadersOf(trace.context);
};

const faultOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'error';
};

/** Runs work within a span, which ends with it. */
const runInSpan = async <T>(span: Span, run: () => Promise<T>): Promise<T> => {
  try {
    const result = await storage.run({ context: span.context, span }, run);
    span.end();
    return result;
  } catch (error) {
    span.end({ fault: faultOf(error) });
    throw error;
  }
};

/** Runs the first work of a trace, and ends its span. Without a tracer and a context it simply runs. */
export const inTrace = <T>(trace: Trace | null, run: () => Promise<T>): Promise<T> => {
  if (trace === null) return run();
  return trace.span === null ? storage.run(trace, run) : runInSpan(trace.span, run);
};

/**
 * Runs work as a span of the present trace. Without one, or when it is not recorded, the work simply runs. So it does
 * when the trace's own work has ended: what still runs then, such as a loop that it has woken, is not part of it.
 */
export const inSpan = <T>(name: string, options: SpanOptions, run: () => Promise<T>): Promise<T> => {
  const span = storage.getStore()?.span;
  return span?.isOpen === true ? runInSpan(span.begin(name, options), run) : run();
};

/** Records work of a trace that has ended already. */
export const noteSpan = (
  trace: Trace | undefined,
  name: string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  options: Pick<SpanOptions, 'kind' | 'attributes'> = {},
): void => trace?.span?.begin(name, { ...options, startMs }).end({ endMs });
