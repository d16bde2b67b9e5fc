import { useRef, useState } from 'preact/hooks';
import type { Fault } from '../../../api/client.ts';
import { asFault } from '../../../ui/use-load.ts';
import type { CheckedRow } from '../table/rows.ts';
import { type Batch, toBatches } from './batches.ts';
import { send } from './send.ts';

/** An import under way or finished. */
export interface Run {
  readonly batches: readonly Batch[];
  readonly folderName: string;
  readonly busy: boolean;
  /** Why the import stopped early; `null` when it did not. */
  readonly fault: Fault | null;
}

/** Avoids `crypto.randomUUID`, which pages served over plain HTTP do not have. */
const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('');

/** Whether a batch needs no call any more. */
export const isDone = ({ answer, rows }: Batch): boolean => answer !== null || rows.length === 0;

/**
 * Sends batches one after the other. Answered batches stay answered; `resume` sends the others under the same keys.
 */
export const useRun = () => {
  const [run, setRun] = useState<Run | null>(null);
  const batches = useRef<readonly Batch[]>([]);

  const go = async (folderName: string): Promise<void> => {
    const show = (busy: boolean, fault: Fault | null) =>
      setRun({ batches: batches.current, folderName, busy, fault });
    show(true, null);
    try {
      for (const [index, batch] of batches.current.entries()) {
        if (isDone(batch)) continue;
        await send(batch, folderName, (next) => {
          batches.current = batches.current.with(index, next);
          show(true, null);
        });
      }
      show(false, null);
    } catch (error) {
      show(false, asFault(error));
    }
  };

  return {
    run,
    start: (rows: readonly CheckedRow[], folderName: string) => {
      batches.current = toBatches(rows, randomName());
      void go(folderName);
    },
    resume: () => void go(run?.folderName ?? ''),
    reset: () => setRun(null),
  };
};
