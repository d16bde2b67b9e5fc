import { defineVariable, flag, integer, oneOf, otlpHeaders, share, text, url } from '../parse.ts';

/** How the service ends, and what it reports about itself. */
export const OPERATION = {
  SHUTDOWN_GRACE_MS: defineVariable(
    null,
    integer(0, 60_000),
    'milliseconds after SIGTERM for which work is still taken while `/readyz` says 503, so that balancers look elsewhere; default: 3000 with `REDIS_URL` or a `ROLE`, otherwise 0',
    '5000',
  ),
  METRICS_PUBLIC: defineVariable('false', flag, 'serves `/metrics` without the admin token', 'true'),
  LOG_LEVEL: defineVariable(
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'pino level',
  ),
  ACCESS_LOG: defineVariable(
    'all',
    oneOf('all', 'errors', 'off'),
    'lines for answered requests: for all of them, those with a status of 400 or more, or none; with a `LOG_LEVEL` above `info` there are none',
    'errors',
  ),
} as const;

/** Threads that draw and read pictures, and how much may wait for them. */
export const THREADS = {
  RENDER_THREADS: defineVariable(
    null,
    integer(1, 256),
    'render threads of each gateway process; default: available cores divided by `GATEWAYS`, minus 1, at least 1; an extra thread draws small pictures while large ones and batches are drawn',
    '4',
  ),
  RENDER_QUEUE_MAX: defineVariable(
    null,
    integer(1, 1_000_000),
    'queued render tasks before 503; default: 20000 a thread, so that time and memory are the bounds',
    '1024',
  ),
  RENDER_QUEUE_MAX_BYTES: defineVariable(
    '268435456',
    integer(1024, 100_000_000_000),
    'bytes of queued render tasks, texts and logos, before 503',
  ),
  READ_THREADS: defineVariable(
    null,
    integer(1, 256),
    'threads of each gateway process that read pictures for receipts; they have the lowest priority, run only while there is something to read, and take at most a quarter of `RENDER_THREADS` while other work waits to be drawn; default: `RENDER_THREADS`',
    '2',
  ),
} as const;

/** Where traces are sent, and which. */
export const TRACING = {
  OTEL_EXPORTER_OTLP_ENDPOINT: defineVariable(
    null,
    url('http:', 'https:'),
    'base URL of an OpenTelemetry collector, to which spans are sent by OTLP over HTTP; unset: no tracing, and no tracing code is loaded',
    'http://collector:4318',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: defineVariable(
    null,
    otlpHeaders,
    'headers for the collector: `name=value` pairs between commas, values percent-encoded',
    'api-key=secret',
  ),
  OTEL_SERVICE_NAME: defineVariable(
    'tessera',
    text(/^[\x20-\x7e]{1,100}$/, 'must have 1 to 100 printable ASCII characters'),
    'name of the service in traces',
  ),
  OTEL_TRACES_SAMPLER: defineVariable(
    'parentbased_always_on',
    oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
    'which traces are recorded; the `parentbased` ones let a caller decide that sends `traceparent`',
    'parentbased_traceidratio',
  ),
  OTEL_TRACES_SAMPLER_ARG: defineVariable(
    '1',
    share,
    'for the samplers with `traceidratio`: the share of traces, 0 to 1',
    '0.01',
  ),
} as const;
