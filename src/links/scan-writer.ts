import type { Log } from '../log.ts';

export interface ScanWriterOptions<Scan, Row> {
  /** Turns scans into rows that carry an id of their own. Throws when that can't be done now. */
  readonly describe: (scans: readonly Scan[]) => Promise<readonly Row[]>;
  /** Inserts all rows or none and throws; a row that is there already is left alone. */
  readonly insert: (rows: readonly Row[]) => Promise<unknown>;
  /** Whether a thrown error means that one of the rows will never be taken. */
  readonly isUnfit: (error: unknown) => boolean;
}

export type Outcome = 'recorded' | 'unfit';

/**
 * Makes a function that writes the first scans of a queue and tells how many of them are done with. When it
 * throws, call it again with what is left of the queue: the same rows are sent, so that an insert whose answer
 * was lost counts nothing twice. A row that the database refuses for good is found by halving its batch, and
 * holds up no other.
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
          log.error({ err: error }, 'the database refuses a scan: it is lost');
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
