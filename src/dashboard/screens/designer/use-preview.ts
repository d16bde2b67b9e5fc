import { useEffect, useState } from 'preact/hooks';
import { askRaw, type Fault } from '../../api/client.ts';
import type { QrRequest } from '../../api/shapes.ts';
import { asFault } from '../../ui/use-load.ts';
import { type Measures, toMeasures } from './hints.ts';

const PAUSE_MS = 150;

/** The design as the service draws it. */
export interface Preview {
  /** An object URL. It stays while the next picture is drawn, and when that fails. */
  readonly picture: string | null;
  /** What the service measured; `null` without a picture of the current design. */
  readonly measures: Measures | null;
  readonly fault: Fault | null;
  readonly busy: boolean;
}

const NOTHING: Preview = { picture: null, measures: null, fault: null, busy: false };

const draw = async (request: QrRequest, signal: AbortSignal) => {
  const response = await askRaw('dashboard/preview', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
    signal,
  });
  return { picture: URL.createObjectURL(await response.blob()), measures: toMeasures(response.headers) };
};

/**
 * Draws the design soon after its last change. A newer request aborts an older one. When the service is busy, the
 * request is sent again after the time that it asks for.
 */
export const usePreview = (request: QrRequest): Preview => {
  const [held, hold] = useState<Preview>(NOTHING);
  const [turn, setTurn] = useState(0);
  const body = JSON.stringify(request);
  useEffect(() => {
    if (request.data === '') return hold((before) => ({ ...NOTHING, picture: before.picture }));
    const abort = new AbortController();
    hold((before) => ({ ...before, busy: true }));
    const start = () =>
      draw(request, abort.signal).then(
        (drawn) => hold({ ...drawn, fault: null, busy: false }),
        (error: unknown) => {
          if (abort.signal.aborted) return;
          const fault = asFault(error);
          hold(({ picture }) => ({ picture, measures: null, fault, busy: false }));
          if (fault.retryAfterS !== null)
            timers.push(setTimeout(() => setTurn((n) => n + 1), fault.retryAfterS * 1000));
        },
      );
    const timers = [setTimeout(() => void start(), PAUSE_MS)];
    return () => {
      abort.abort();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [body, turn]);
  useEffect(
    () => () => {
      if (held.picture !== null) URL.revokeObjectURL(held.picture);
    },
    [held.picture],
  );
  return held;
};
