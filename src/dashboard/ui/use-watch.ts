import { useCallback, useEffect, useState } from 'preact/hooks';
import { asFault, type Load } from './use-load.ts';

const FIRST_PAUSE_MS = 1000;
const GROWTH = 1.25;
const LONGEST_PAUSE_MS = 15_000;

/** What another look does not change: nobody is signed in, the key may not do this, it is not there. */
const FINAL: ReadonlySet<number> = new Set([401, 403, 404]);

/**
 * Loads what a screen shows again and again until `isOver`, like `useLoad` otherwise. The pauses grow from 1 to 15 s,
 * and are short again after `reload` or when the page becomes visible. Nothing is asked while the page is hidden. After
 * a fault that may pass, the data stays and the looking goes on.
 */
export const useWatch = <T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  isOver: (data: T) => boolean,
): Load<T> & { readonly reload: () => void } => {
  const [held, hold] = useState<Load<T>>({ state: 'loading', data: null, fault: null });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pauseMs = FIRST_PAUSE_MS;
    let isAsking = false;
    let hasEnded = false;
    hold(({ data }) => ({ state: 'loading', data, fault: null }));

    const plan = (waitMs: number): void => {
      pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS);
      timer = setTimeout(() => !document.hidden && void look(), waitMs);
    };
    const look = async (): Promise<void> => {
      isAsking = true;
      const found = await load(abort.signal).then(
        (data) => ({ state: 'ready', data, fault: null }) as const,
        (error: unknown) => ({ state: 'failed', fault: asFault(error) }) as const,
      );
      if (abort.signal.aborted) return;
      isAsking = false;
      hold(found.state === 'ready' ? found : ({ data }) => ({ ...found, data }));
      hasEnded = found.state === 'ready' ? isOver(found.data) : FINAL.has(found.fault.status);
      if (!hasEnded) plan(Math.max(pauseMs, (found.fault?.retryAfterS ?? 0) * 1000));
    };
    const onVisible = (): void => {
      if (document.hidden || isAsking || hasEnded) return;
      clearTimeout(timer);
      pauseMs = FIRST_PAUSE_MS;
      void look();
    };

    void look();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [...inputs, turn]);
  return { ...held, reload: useCallback(() => setTurn((n) => n + 1), []) };
};
