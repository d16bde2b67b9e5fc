import { setTimeout as sleep } from 'node:timers/promises';
import { countLoopFailure } from '../execution/loops.ts';
import type { Log } from '../log.ts';

/** How scans become rows, and how rows are inserted. */
interface ScanWriterOptions<Scan, Row> {
  /** Turns scans into rows, each with an id of its own. Throws when that is not possible now. */
  readonly describe: (scans: readonly Scan[]) => Promise<readonly Row[]>;
  /** Inserts all rows, or throws and inserts none. Skips rows that are in the database already. */
  readonly insert: (rows: readonly Row[]) => Promise<unknown>;
  /** Whether an error of `insert` means that the database will never accept one of the rows. */
  readonly isUnfit: (error: unknown) => boolean;
}

/** What became of a scan: written, or refused by the database for good. */
export type Outcome = 'recorded' | 'unfit';

/**
 * Makes a function that writes the first scans of a queue. It calls `done` with the number of scans that it has
 * finished from the front, and their outcome. When it throws, call it again with what is left of the queue: it sends
 * the same rows, so a scan counts once even if the outcome of the first insert is indeterminate. A row that the
 * database refuses for good is found by halving its group, and delays no other.
 */
export const createScanWriter = <Scan, Row>(
  { describe, insert, isUnfit }: ScanWriterOptions<Scan, Row>,
  log: Log,
): ((scans: readonly Scan[], done: (count: number, outcome: Outcome) => void) => Promise<void>) => {
  let rows: readonly Row[] = [];

  return async (scans, done) => {
    const finish = (count: number, outcome: Outcome) => {
      rows = rows.slice(count);
      done(count, outcome);
    };
    const write = async (part: readonly Row[]): Promise<void> => {
      try {
        await insert(part);
        finish(part.length, 'recorded');
      } catch (error) {
        if (!isUnfit(error)) throw error;
        if (part.length === 1) {
          log.error({ err: error }, 'database refused a scan; dropping it');
          return finish(1, 'unfit');
        }
        const half = Math.ceil(part.length / 2);
        await write(part.slice(0, half));
        await write(part.slice(half));
      }
    };
    if (rows.length === 0) rows = await describe(scans);
    await write(rows);
  };
};

/** How scans are written, and the bounds of the buffer. */
export interface ScanRecorderOptions<Scan, Row> extends ScanWriterOptions<Scan, Row> {
  /** Greatest number of scans in memory. Further ones are dropped and counted. */
  readonly maxBuffered: number;
  /** Greatest number of scans that are written at once. */
  readonly groupMax: number;
  /** How long a scan waits for others that are written with it. */
  readonly flushMs: number;
  /** How long to wait after a failure before the next attempt. */
  readonly retryMs: number;
}

/** Scans since the start, and those in memory now. */
interface ScanRecorderStats {
  /** In memory, including those that are being written. */
  readonly buffered: number;
  readonly recorded: number;
  /** Lost because the buffer was full or the recorder was closed. */
  readonly dropped: number;
  /** Lost because the database refuses them for good, which is a bug. */
  readonly unfit: number;
}

/**
 * Makes a recorder with a bounded buffer. It writes one group at a time, in order. While the database is unavailable it
 * tries the same group again every `retryMs`.
 */
export const createScanRecorder = <Scan, Row>(options: ScanRecorderOptions<Scan, Row>, log: Log) => {
  const { groupMax, maxBuffered, flushMs, retryMs } = options;
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
    // The recorder was closed meanwhile, and has counted these scans as lost.
    if (closing.signal.aborted) return;
    buffer.splice(0, count);
    counts[outcome] += count;
  };

  const lose = (count: number, reason: string) => {
    counts.dropped += count;
    if (!losing) log.warn({ ...counts }, reason);
    losing = true;
  };

  const writeGroup = async (): Promise<void> => {
    try {
      await write(buffer.slice(0, groupMax), done);
      if (failing) log.info({ ...counts }, 'scans recorded again');
      failing = false;
      losing = false;
    } catch (error) {
      countLoopFailure('scans');
      if (!failing) log.warn({ err: error }, 'scans cannot be recorded; buffering them');
      failing = true;
      await sleep(retryMs, null, { signal: closing.signal }).catch(() => {});
    }
  };

  /** Writes whole groups. What is left is less than a group and waits for the timer. */
  const drain = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    do await writeGroup();
    while (buffer.length >= groupMax);
    draining = undefined;
    schedule();
  };

  const startDraining = (): Promise<void> => {
    draining ??= drain();
    return draining;
  };

  const schedule = () => {
    if (draining || buffer.length === 0) return;
    if (buffer.length >= groupMax) void startDraining();
    else timer ??= setTimeout(() => void startDraining(), flushMs);
  };

  const flush = async () => {
    while (buffer.length > 0) await startDraining();
  };

  return {
    /** Puts a scan into the buffer. Never throws, and never waits. */
    record(scan: Scan) {
      if (closed) return lose(1, 'a scan arrived after the close and is lost');
      if (buffer.length >= maxBuffered) return lose(1, 'too many scans are buffered: further ones are lost');
      buffer.push(scan);
      schedule();
    },
    /** Resolves when the buffer is empty. */
    flush,
    /** Writes buffered scans for at most `timeoutMs`. Those that are left are lost and counted, and so are later ones. */
    async close(timeoutMs: number): Promise<void> {
      closed = true;
      const timeout = sleep(timeoutMs, null, { signal: closing.signal }).catch(() => {});
      await Promise.race([flush(), timeout]);
      closing.abort();
      clearTimeout(timer);
      const left = buffer.splice(0).length;
      if (left > 0) lose(left, 'buffered scans could not be recorded in time and are lost');
    },
    stats: (): ScanRecorderStats => ({ buffered: buffer.length, ...counts }),
  };
};
