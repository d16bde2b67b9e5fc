import { useState } from 'preact/hooks';
import { asFault, type Fault } from '../api/client.ts';

/**
 * Runs the actions that a person triggers, one at a time. `busy` says whether an action runs, and `fault` why the last
 * one failed.
 */
export const useAction = () => {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const run = async (action: () => Promise<unknown>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFault(null);
    try {
      await action();
    } catch (error) {
      setFault(asFault(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, fault, run, clear: () => setFault(null) };
};
