import type { Log } from '../log.ts';

/** How scans become rows, and how rows are inserted. */
export interface ScanWriterOptions<Scan, Row> {
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
