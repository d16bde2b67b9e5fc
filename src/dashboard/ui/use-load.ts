import { useCallback, useEffect, useState } from 'preact/hooks';
import { Fault } from '../api/client.ts';

/** The state of a load. While data is loaded again, and when that fails, the earlier data stays. */
export type Load<T> =
  | { readonly state: 'loading'; readonly data: T | null; readonly fault: null }
  | { readonly state: 'ready'; readonly data: T; readonly fault: null }
  | { readonly state: 'failed'; readonly data: T | null; readonly fault: Fault };

/** Returns any thrown value as a fault with words for people. */
export const asFault = (error: unknown): Fault =>
  error instanceof Fault ? error : new Fault(0, 'Something went wrong on this page', String(error));

/**
 * Loads what a screen shows, and loads it again whenever one of `inputs` changes or `reload` is called. A newer
 * load aborts an older one.
 */
export const useLoad = <T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Load<T> & { readonly reload: () => void } => {
  const [held, hold] = useState<Load<T>>({ state: 'loading', data: null, fault: null });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    hold(({ data }) => ({ state: 'loading', data, fault: null }));
    load(abort.signal).then(
      (data) => {
        if (!abort.signal.aborted) hold({ state: 'ready', data, fault: null });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) hold(({ data }) => ({ state: 'failed', data, fault: asFault(error) }));
      },
    );
    return () => abort.abort();
  }, [...inputs, turn]);
  return { ...held, reload: useCallback(() => setTurn((n) => n + 1), []) };
};
