import type { Rendered } from '../../workers/protocol.ts';
import type { DrawnFrom, Redraw, Sketch } from '../generate/redraw.ts';
import { drawPatiently } from '../render/patiently.ts';
import { isOk } from '../result.ts';

/** Successive waits for room in the render queue: about half a minute in total. */
const PAUSES_MS = [250, 500, 1000, 2000, 4000, 8000, 16_000] as const;

/**
 * Draws pictures and returns them in order; `null` for one that cannot be drawn, for example because a longer
 * `PUBLIC_URL` no longer fits its code.
 *
 * @throws When nothing can be drawn at the moment.
 */
export const drawSketches = async (
  redraw: Redraw,
  accountId: string,
  sketches: readonly ReturnType<Redraw['sketch']>[],
): Promise<readonly (Rendered | null)[]> => {
  const drawable = sketches.filter(isOk).map(({ value }) => value);
  const draw = (some: readonly Sketch[]) => redraw.drawAll(accountId, some);
  const outcomes = (await drawPatiently(drawable, PAUSES_MS, draw)).values();
  return sketches.map((sketch) => {
    const outcome = sketch.ok ? outcomes.next().value : undefined;
    return outcome?.ok ? outcome.value : null;
  });
};

/** Returns the PNG of each code in order, as `drawSketches` does. */
export const drawPictures = (
  redraw: Redraw,
  accountId: string,
  codes: readonly DrawnFrom[],
): Promise<readonly (Rendered | null)[]> =>
  drawSketches(
    redraw,
    accountId,
    codes.map((code) => redraw.sketch(code, 'png')),
  );
