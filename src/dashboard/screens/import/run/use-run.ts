import { useRef, useState } from 'preact/hooks';
import { asFault, type Fault, newIdempotencyKey } from '../../../api/client.ts';
import type { CheckedRow } from '../table/rows.ts';
import { type Call, toCalls } from './calls.ts';
import { send, type Wanted } from './send.ts';

/** An import under way or finished. */
export interface Run extends Wanted {
  readonly calls: readonly Call[];
  readonly busy: boolean;
  /** Why the import stopped early; `null` when it did not. */
  readonly fault: Fault | null;
}

/** Whether a call is answered, or has no rows left. */
export const isDone = ({ answer, rows }: Call): boolean => answer !== null || rows.length === 0;

/**
 * Sends calls one after the other. Answered calls stay answered; `resume` sends the others under the same keys.
 */
export const useRun = () => {
  const [run, setRun] = useState<Run | null>(null);
  const calls = useRef<readonly Call[]>([]);

  const go = async (wanted: Wanted): Promise<void> => {
    const show = (busy: boolean, fault: Fault | null) =>
      setRun({ calls: calls.current, ...wanted, busy, fault });
    show(true, null);
    try {
      for (const [index, call] of calls.current.entries()) {
        if (isDone(call)) continue;
        await send(call, wanted, (next) => {
          calls.current = calls.current.with(index, next);
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
    start: (rows: readonly CheckedRow[], wanted: Wanted) => {
      calls.current = toCalls(rows, newIdempotencyKey());
      void go(wanted);
    },
    resume: () => void go({ folderName: run?.folderName ?? '', presetId: run?.presetId ?? null }),
  };
};
