import { readJournal } from './journal.ts';

/** Where an earlier run stands. */
export interface Resumed {
  isDone(batch: number): boolean;
  readonly rowsDone: number;
  readonly rowsFailed: number;
  /** Begun, not done, and begun so long ago that the gateway may no longer know their Idempotency-Keys. */
  readonly unknown: readonly number[];
  /** Length of the journal's whole entries. */
  readonly journalBytes: number;
}

/** The gateway keeps answers for 24 hours; an hour of it is for sending them again. */
const KEPT_MS = 23 * 3_600_000;

/** A set that is small when almost all numbers below its greatest are in it. */
const createPrefixSet = () => {
  const beyond = new Set<number>();
  let below = 0;
  return {
    has: (number: number): boolean => number < below || beyond.has(number),
    add(number: number): void {
      beyond.add(number);
      while (beyond.delete(below)) below += 1;
    },
  };
};

/** Reads the journal. Batches are made almost in order, so what is kept of them in memory is little. */
export const resume = async (path: string): Promise<Resumed> => {
  const done = createPrefixSet();
  const pending = new Map<number, number>();
  let rowsDone = 0;
  let rowsFailed = 0;
  let journalBytes = 0;
  for await (const { entry, endByte } of readJournal(path)) {
    journalBytes = endByte;
    if ('begun' in entry) {
      // The first time counts: the answer may be as old.
      if (!pending.has(entry.begun)) pending.set(entry.begun, Date.parse(entry.at));
      continue;
    }
    pending.delete(entry.done);
    done.add(entry.done);
    rowsDone += entry.rows.length;
    rowsFailed += entry.rows.filter(({ error }) => error !== undefined).length;
  }
  const oldestMs = Date.now() - KEPT_MS;
  const unknown = [...pending].filter(([, begunMs]) => begunMs < oldestMs).map(([batch]) => batch);
  return { isDone: done.has, rowsDone, rowsFailed, unknown, journalBytes };
};
