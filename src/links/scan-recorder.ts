import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { createScanWriter, type Outcome, type ScanWriterOptions } from './scan-writer.ts';

export interface ScanRecorderOptions<Scan, Row> extends ScanWriterOptions<Scan, Row> {
  /** Scans in memory; further ones are dropped and counted. */
  readonly maxBuffered: number;
  readonly batchMax: number;
  /** A scan waits at most this long for others to go with it. */
  readonly flushMs: number;
  /** After a failure. */
  readonly retryMs: number;
}

export interface ScanRecorderStats {
  /** In memory, those under way included. */
  readonly buffered: number;
  readonly recorded: number;
  /** Lost because the buffer was full, or at the close. */
  readonly dropped: number;
  /** Lost because the database will not take them: a bug. */
  readonly unfit: number;
}

export interface ScanRecorder<Scan> {
  /** Takes a scan; the rest happens in the background. */
  record(scan: Scan): void;
  /** Resolves when nothing is buffered any more. */
  flush(): Promise<void>;
  /** Flushes for at most `timeoutMs`; what is left then is lost and counted. Records nothing from now on. */
  close(timeoutMs: number): Promise<void>;
  stats(): ScanRecorderStats;
}

/**
 * Writes scans in the background: in batches, one at a time and in order, again and again while the database is
 * away, from a bounded buffer.
 */
export const createScanRecorder = <Scan, Row>(
  options: ScanRecorderOptions<Scan, Row>,
  log: Log,
): ScanRecorder<Scan> => {
  const { batchMax, maxBuffered, flushMs, retryMs } = options;
  const write = createScanWriter(options, log);
  const counts = { recorded: 0, dropped: 0, unfit: 0 };
  const buffer: Scan[] = [];
  const closing = new AbortController();
  let closed = false;
  let draining: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failing = false;
  let losing = false;

  const done = (count: number, outcome: Outcome) => {
    // Cut short by the close, which has counted them as lost.
    if (closing.signal.aborted) return;
    buffer.splice(0, count);
    counts[outcome] += count;
  };

  const lose = (count: number, reason: string) => {
    counts.dropped += count;
    if (!losing) log.warn({ ...counts }, reason);
    losing = true;
  };

  const writeBatch = async (): Promise<void> => {
    try {
      await write(buffer.slice(0, batchMax), done);
      if (failing) log.info({ ...counts }, 'scans are recorded again');
      failing = false;
      losing = false;
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'scans cannot be recorded and are buffered');
      failing = true;
      await sleep(retryMs, null, { signal: closing.signal }).catch(() => {});
    }
  };

  /** Ends with less than a batch left, which waits for the timer. */
  const drain = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    do await writeBatch();
    while (buffer.length >= batchMax);
    draining = undefined;
    schedule();
  };

  const startDraining = (): Promise<void> => {
    draining ??= drain();
    return draining;
  };

  const schedule = () => {
    if (draining || buffer.length === 0) return;
    if (buffer.length >= batchMax) void startDraining();
    else timer ??= setTimeout(() => void startDraining(), flushMs);
  };

  const flush = async () => {
    while (buffer.length > 0) await startDraining();
  };

  return {
    record(scan) {
      if (closed) return lose(1, 'a scan came after the close and is lost');
      if (buffer.length >= maxBuffered) return lose(1, 'too many scans are buffered: further ones are lost');
      buffer.push(scan);
      schedule();
    },
    flush,
    async close(timeoutMs) {
      closed = true;
      const timeout = sleep(timeoutMs, null, { signal: closing.signal }).catch(() => {});
      await Promise.race([flush(), timeout]);
      closing.abort();
      clearTimeout(timer);
      const left = buffer.splice(0).length;
      if (left > 0) lose(left, 'buffered scans could not be recorded in time and are lost');
    },
    stats: () => ({ buffered: buffer.length, ...counts }),
  };
};
