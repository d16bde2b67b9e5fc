/** The process of a supervisor: gateway processes, signals, and the metrics of all processes as one. */

import cluster from 'node:cluster';
import { AggregatorRegistry, Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { createLogger } from '../http/log.ts';
import type { MetricReport } from '../metrics/metrics.ts';
import { registerRuntime } from '../metrics/process.ts';
import { metricsIn } from '../metrics/scrape.ts';
import { endInOrder, onHangup, WITHOUT_HANGUP } from '../process/ending.ts';
import { type GatewayProcess, startProcess } from './gateway-process.ts';
import { type Begun, createSupervisor, type Supervisor } from './supervisor.ts';

/** Registers the metrics of a supervisor itself. */
export const registerOwn = (stats: Supervisor['stats']): Registry => {
  const registry = new Registry();
  registerRuntime(registry);
  const { counter, gauge } = metricsIn(registry);
  gauge('tessera_gateway_processes', 'Gateway processes of this supervisor.', () => stats().running);
  counter(
    'tessera_gateway_process_deaths_total',
    'Gateway processes that ended although nothing had asked them to.',
    () => stats().deaths,
  );
  return registry;
};

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

const WATCH_MS = 5000;
/** Longer than the first one may take to change the schema (`src/db/database.ts`). */
const START_TIMEOUT_MS = 15 * 60_000;
/** A process that does not end by itself is killed before the supervisor is. */
const KILL_AFTER_MS = 2000;

/**
 * Starts the gateway processes, and keeps them until a signal ends this process. Resolves when they serve, or cannot.
 *
 * @param endTimeoutMs How long a gateway process takes to end at most.
 */
export const supervise = async (
  { gateways, logLevel }: Pick<Config, 'gateways' | 'logLevel'>,
  endTimeoutMs: number,
): Promise<Begun> => {
  const log = createLogger(logLevel);
  // The supervisor accepts each connection and gives it to the next process.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const totals = createTotals<GatewayProcess>();
  const processes = new Set<GatewayProcess>();

  const sum = async (): Promise<string | null> => {
    try {
      await Promise.all([...processes].map((process) => process.report()));
      return await totals.text(await own.getMetricsAsJSON());
    } catch (err) {
      log.error({ err }, 'metrics of the gateway processes cannot be summed');
      return null;
    }
  };
  let underWay: Promise<string | null> | undefined;
  const sharedSum = (): Promise<string | null> => {
    underWay ??= sum().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };

  const start = (): GatewayProcess => {
    const started = startProcess(sharedSum, (report) => totals.note(process, report));
    const process: GatewayProcess = {
      ...started,
      async report() {
        const report = await started.report();
        if (report !== null && processes.has(process)) totals.note(process, report);
        return report;
      },
    };
    void process.ready.then((ready) => ready && processes.add(process));
    void process.ended.then(() => {
      processes.delete(process);
      totals.keep(process);
    });
    return process;
  };

  const bounds = { watchMs: WATCH_MS, startTimeoutMs: START_TIMEOUT_MS, endTimeoutMs };
  const supervisor = createSupervisor({ count: gateways, start, ...bounds }, log);
  const own = registerOwn(supervisor.stats);
  onHangup(() => {
    log.info({ gateways }, 'replacing gateway processes one by one');
    void supervisor.replaceAll();
  });
  endInOrder(() => supervisor.end(), endTimeoutMs + KILL_AFTER_MS, log, WITHOUT_HANGUP);
  return supervisor.begin();
};
