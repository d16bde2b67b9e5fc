import cluster from 'node:cluster';
import type { MetricReport } from '../metrics/metrics.ts';
import { noteHandovers } from './handover.ts';
import type { Ready, ToGateway, ToSupervisor } from './messages.ts';
import { createQuestions } from './questions.ts';

/** How a process ended; both are `null` when the system could not start it. */
export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
}

/** One gateway process, as its supervisor sees it. */
export interface GatewayProcess {
  readonly pid: number | undefined;
  /** Resolves when it serves; with `null` when it ends before. */
  readonly ready: Promise<Ready | null>;
  /** Resolves when it has ended and everything that it told has arrived. */
  readonly ended: Promise<Ended>;
  /** Asks for its metrics. Resolves with `null` when it ends, or gives no answer in time. */
  report(): Promise<MetricReport | null>;
  /** Tells it that another process serves in its place: it answers what is under way, and ends. */
  retire(): void;
  kill(signal: NodeJS.Signals): void;
}

/** What a gateway process tells its supervisor without being asked. */
export interface Hooks {
  /** It wants the metrics of all processes together, as text; `null` when that fails. */
  onSumWanted(): Promise<string | null>;
  /** Its last metrics before it ends. */
  onLastReport(report: MetricReport): void;
}

/** Longer than the second for which a report waits for Redis and Postgres. */
const REPORT_TIMEOUT_MS = 2000;

/** How long messages of a process that has ended may still arrive. */
const LAST_MESSAGES_MS = 200;

/** Starts a gateway process: the same program with the same arguments and environment. */
export const startProcess = ({ onSumWanted, onLastReport }: Hooks): GatewayProcess => {
  const worker = cluster.fork();
  const closeLastConnection = noteHandovers(worker.process);
  const reports = createQuestions<MetricReport>(REPORT_TIMEOUT_MS);
  // A process that has ended hears nothing, which its end tells in time.
  const tell = (message: ToGateway): void => void worker.send(message, () => {});

  const ended = new Promise<Ended>((resolve) => {
    worker.on('error', () => {
      if (worker.process.pid === undefined) resolve({ code: null, signal: null });
    });
    worker.once('exit', (code: number | null, signal: string | null) => {
      closeLastConnection();
      // The channel may still hold messages. Its own end is not told when a connection was on its way.
      setTimeout(() => resolve({ code, signal }), LAST_MESSAGES_MS);
    });
  });

  const answerSum = async (id: number): Promise<void> => {
    const text = await onSumWanted();
    if (text !== null) tell({ kind: 'sum', id, text });
  };

  const ready = new Promise<Ready | null>((resolve) => {
    void ended.then(() => resolve(null));
    worker.on('message', (message: ToSupervisor) => {
      if (message.kind === 'ready') resolve(message);
      else if (message.kind === 'report') reports.answered(message.id, message.report);
      else if (message.kind === 'last report') onLastReport(message.report);
      else void answerSum(message.id);
    });
  });

  return {
    pid: worker.process.pid,
    ready,
    ended,
    report: () => Promise.race([reports.ask((id) => tell({ kind: 'report?', id })), ended.then(() => null)]),
    retire: () => tell({ kind: 'retire' }),
    kill: (signal) => void worker.process.kill(signal),
  };
};
