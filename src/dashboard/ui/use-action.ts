import { useState } from 'preact/hooks';
import type { Fault } from '../api/client.ts';
import { asFault } from './use-load.ts';

/** Something that a person sets off: whether it is under way, and why it failed the last time. */
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
