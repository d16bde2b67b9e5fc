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
