/** The metrics of all processes of a supervisor as one. */
import { AggregatorRegistry } from 'prom-client';
import type { MetricReport } from '../metrics/metrics.ts';

/** Adds up what processes report, those that have ended included. */
export interface Totals<P> {
  /** Takes the latest report of a process. */
  note(process: P, report: MetricReport): void;
  /** Keeps the counts of a process that has ended, and forgets its gauges. */
  keep(process: P): void;
  /** Returns the sum with `own`, the report of the supervisor itself, in the text format of Prometheus. */
  text(own: MetricReport): Promise<string>;
}

const addUp = (reports: readonly MetricReport[]) => AggregatorRegistry.aggregate([...reports]);

/** Creates the totals at 0. Counts only grow: a sum that falls would look like a restart to Prometheus. */
export const createTotals = <P>(): Totals<P> => {
  const latest = new Map<P, MetricReport>();
  let past: MetricReport = [];
  return {
    note: (process, report) => void latest.set(process, report),
    keep(process) {
      const counts = (latest.get(process) ?? []).filter(({ type }) => String(type) !== 'gauge');
      latest.delete(process);
      // The metrics of an aggregated registry have their values as properties, as those of a report.
      past = addUp([past, counts]).getMetricsAsArray() as unknown as MetricReport;
    },
    text: (own) => addUp([own, ...latest.values(), past]).metrics(),
  };
};
