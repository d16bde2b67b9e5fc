/** The process of a supervisor: gateway processes, signals, metrics. */
import cluster from 'node:cluster';
import type { Config } from '../config/config.ts';
import { createLogger } from '../http/log/log.ts';
import { endInOrder, onHangup, WITHOUT_HANGUP } from '../process/ending.ts';
import { type GatewayProcess, startProcess } from './gateway-process.ts';
import { registerOwn } from './own-metrics.ts';
import { type Begun, createSupervisor } from './supervisor.ts';
import { createTotals } from './totals.ts';

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
