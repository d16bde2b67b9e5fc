/** Spans on their way to the collector. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../../log.ts';
import { waitAtMost } from '../../time-limit.ts';
import type { TracingOptions } from '../options.ts';

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
