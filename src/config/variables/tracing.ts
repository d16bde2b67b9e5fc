import { oneOf, text, url } from '../parse.ts';
import { otlpHeaders, share } from '../parse-otlp.ts';
import { defineVariable } from './variable.ts';

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
