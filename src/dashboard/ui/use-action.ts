import { useState } from 'preact/hooks';
import type { Fault } from '../api/client.ts';
import { asFault } from './use-load.ts';

/**
 * Runs what a person sets off, one action at a time. `busy` says whether an action runs, and `fault` why the last
 * one failed.
 */
export const useAction = () => {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const run = async (action: () => Promise<void>): Promise<void> => {
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
