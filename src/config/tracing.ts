/** The variables of tracing, which are those of OpenTelemetry. */
import type { TracingOptions } from '../tracing/options.ts';
import type { Values } from './variables.ts';

/** Returns where spans go, and which; `null` without a collector. */
export const tracingOf = (values: Values): TracingOptions | null =>
  values.OTEL_EXPORTER_OTLP_ENDPOINT === null
    ? null
    : {
        endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
        serviceName: values.OTEL_SERVICE_NAME,
        sampling: values.OTEL_TRACES_SAMPLER,
        ratio: values.OTEL_TRACES_SAMPLER_ARG,
      };
