import { readJournal } from './journal.ts';

/** What an earlier run has done. */
export interface Resumed {
  isDone(call: number): boolean;
  readonly rowsDone: number;
  readonly rowsFailed: number;
  /** Calls that were begun and not done, so long ago that the gateway may have forgotten their Idempotency-Keys. */
  readonly unknown: readonly number[];
  /** Whether a call was sent and what became of it is not known. */
  isPending(call: number): boolean;
  /** Whether no row was made, nor may have been. */
  readonly madeNothing: boolean;
  /** Length of the journal's whole entries. */
  readonly journalBytes: number;
}

/** The gateway keeps answers for 24 hours. One hour is left for sending the calls again. */
const KEPT_MS = 23 * 3_600_000;

/** Makes a set of numbers that stays small while almost all numbers below its greatest are in it. */
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

/** Reads what an earlier run has done from its journal. Takes little memory, because calls finish almost in order. */
export const resume = async (path: string): Promise<Resumed> => {
  const done = createPrefixSet();
  const pending = new Map<number, number>();
  let rowsDone = 0;
  let rowsFailed = 0;
  let journalBytes = 0;
  for await (const { entry, endByte } of readJournal(path)) {
    journalBytes = endByte;
    if ('begun' in entry) {
      // The first time counts, because the answer may be as old as that.
      if (!pending.has(entry.begun)) pending.set(entry.begun, Date.parse(entry.at));
      continue;
    }
    if ('refused' in entry) {
      pending.delete(entry.refused);
      continue;
    }
    pending.delete(entry.done);
    done.add(entry.done);
    rowsDone += entry.rows.length;
    rowsFailed += entry.rows.filter(({ error }) => error !== undefined).length;
  }
  const oldestMs = Date.now() - KEPT_MS;
  const unknown = [...pending].filter(([, begunMs]) => begunMs < oldestMs).map(([call]) => call);
  const madeNothing = pending.size === 0 && rowsDone === rowsFailed;
  const isPending = (call: number): boolean => pending.has(call);
  return { isDone: done.has, isPending, madeNothing, rowsDone, rowsFailed, unknown, journalBytes };
};
