/** The metrics of all processes of a supervisor as one. */
import { AggregatorRegistry } from 'prom-client';
import type { MetricReport } from '../metrics/metrics.ts';

const addUp = (reports: readonly MetricReport[]) => AggregatorRegistry.aggregate([...reports]);

/**
 * Adds up what processes report, those that have ended included. Counts only grow: a sum that falls would look like a
 * restart to Prometheus.
 */
export const createTotals = <P>() => {
  const latest = new Map<P, MetricReport>();
  let past: MetricReport = [];
  return {
    /** Takes the latest report of a process. */
    note: (process: P, report: MetricReport) => void latest.set(process, report),
    /** Keeps the counts of a process that has ended, and forgets its gauges. */
    keep(process: P): void {
      const counts = (latest.get(process) ?? []).filter(({ type }) => String(type) !== 'gauge');
      latest.delete(process);
      // The metrics of an aggregated registry have their values as properties, as those of a report.
      past = addUp([past, counts]).getMetricsAsArray() as unknown as MetricReport;
    },
    /** Returns the sum with `own`, the report of the supervisor itself, in the text format of Prometheus. */
    text: (own: MetricReport): Promise<string> => addUp([own, ...latest.values(), past]).metrics(),
  };
};
