import type { Registry } from 'prom-client';
import { byLabel, counter } from './scrape.ts';

/** Spans since the start: those that the collector has taken, and those that were given up. */
export type SpanStats = () => { readonly sent: number; readonly dropped: number };

/** Registers the spans that are sent to a collector. */
export const registerTracing = (registry: Registry, stats: SpanStats): void =>
  counter(
    registry,
    'tessera_trace_spans_total',
    'Spans that the collector has taken, or that were given up because it did not.',
    () => byLabel('outcome', { ...stats() }),
  );
