import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MetricReport } from '../metrics/metrics.ts';
import { createQuestions, type Ready, type ToGateway, type ToSupervisor } from './channel.ts';

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
  /** Resolves when it has ended and all its messages have arrived. */
  readonly ended: Promise<Ended>;
  /** Asks for its metrics. Resolves with `null` when it ends, or gives no answer in time. */
  report(): Promise<MetricReport | null>;
  /** Tells it that another process serves in its place: it finishes open requests, and ends. */
  retire(): void;
  kill(signal: NodeJS.Signals): void;
}

/** Longer than the second for which a report waits for Redis and Postgres. */
const REPORT_TIMEOUT_MS = 2000;

/** How long messages of a process that has ended may still arrive. */
const LAST_MESSAGES_MS = 200;

/** The part of a connection that is needed here. */
interface Connection {
  close(): void;
}

/**
 * Notes the connections that `node:cluster` hands over to a process, one at a time. Returns what closes the last one,
 * to be called when the process has died. Node.js itself would never close a connection that was on its way then, and
 * its caller would wait for ever. For one that has arrived this is a no-op: it is closed on this side already.
 */
const noteHandovers = (process: ChildProcess): (() => void) => {
  let last: Connection | undefined;
  const send = process.send.bind(process) as (...given: unknown[]) => boolean;
  process.send = (...given: unknown[]): boolean => {
    const [, handle] = given;
    if (typeof handle === 'object' && handle !== null && 'close' in handle) last = handle as Connection;
    return send(...given);
  };
  return () => last?.close();
};

/**
 * Starts a gateway process: the same program with the same arguments and environment.
 *
 * @param onSumWanted Called when it wants the metrics of all processes together, as text; returns `null` when that fails.
 * @param onLastReport Gets its last metrics before it ends.
 */
export const startProcess = (
  onSumWanted: () => Promise<string | null>,
  onLastReport: (report: MetricReport) => void,
): GatewayProcess => {
  const worker = cluster.fork();
  const closeLastConnection = noteHandovers(worker.process);
  const reports = createQuestions<MetricReport>(REPORT_TIMEOUT_MS);
  // Failures to send are ignored: the process has ended, and its exit is reported in time.
  const tell = (message: ToGateway): void => void worker.send(message, () => {});

  const ended = new Promise<Ended>((resolve) => {
    worker.on('error', () => {
      if (worker.process.pid === undefined) resolve({ code: null, signal: null });
    });
    worker.once('exit', (code: number | null, signal: string | null) => {
      closeLastConnection();
      // The channel may still hold messages. Its end is not reported when a connection was on its way.
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

/** Questions in a row without an answer after which a process hangs. */
const MISSED_MAX = 6;

/**
 * Asks the process for its metrics every `intervalMs` until it ends. Calls `onHung` once when it has not answered six
 * times in a row.
 */
export const watch = async (
  process: Pick<GatewayProcess, 'report' | 'ended'>,
  intervalMs: number,
  onHung: () => void,
): Promise<void> => {
  let hasEnded = false;
  void process.ended.then(() => {
    hasEnded = true;
  });
  for (let missed = 0; missed < MISSED_MAX; ) {
    await sleep(intervalMs, undefined, { ref: false });
    if (hasEnded) return;
    missed = (await process.report()) === null ? missed + 1 : 0;
  }
  if (!hasEnded) onHung();
};
