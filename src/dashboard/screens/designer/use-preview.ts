import { useEffect, useState } from 'preact/hooks';
import { asFault, askRaw, type Fault } from '../../api/client.ts';
import type { Check, QrRequest } from '../../api/shapes.ts';
import { type Measures, toMeasures } from './hints.ts';

const PAUSE_MS = 150;

/** The design as the service draws it. */
export interface Preview {
  /** An object URL. It stays while the next picture is drawn, and when that fails. */
  readonly picture: string | null;
  /** What the service measured; `null` without a picture of the current design. */
  readonly measures: Measures | null;
  /** The grade of the design, and what would repair it; `null` like `measures`. */
  readonly check: Check | null;
  readonly fault: Fault | null;
  readonly busy: boolean;
}

const NOTHING: Preview = { picture: null, measures: null, check: null, fault: null, busy: false };

const draw = async (request: QrRequest, signal: AbortSignal) => {
  const send = (path: string) =>
    askRaw(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal,
    });
  const [drawn, checked] = await Promise.all([send('dashboard/preview'), send('dashboard/check')]);
  const check = (await checked.json()) as Check;
  return { picture: URL.createObjectURL(await drawn.blob()), measures: toMeasures(drawn.headers), check };
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
          hold(({ picture }) => ({ picture, measures: null, check: null, fault, busy: false }));
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
