import type { Rendered } from '../../workers/protocol.ts';
import type { DrawnFrom, Redraw, Sketch } from '../generate/redraw.ts';
import type { NotDrawn } from '../render/outcome.ts';
import { drawPatiently } from '../render/patiently.ts';
import { isOk, type Result, refused } from '../result.ts';

/** Successive waits for room in the render queue: about half a minute in total. */
const PAUSES_MS = [250, 500, 1000, 2000, 4000, 8000, 16_000] as const;

/** A picture, or why it cannot be drawn, for the owner of its code. */
export type DrawnPicture = Result<Rendered, string>;

const tell = (fault: NotDrawn): string =>
  fault.reason === 'unfit'
    ? `${fault.fault.field}: ${fault.fault.message}`
    : 'the service failed to draw it twice; download it again';

/**
 * Draws pictures and returns them in order. One cannot be drawn, for example, when a longer `PUBLIC_URL` no longer fits
 * its code.
 *
 * @throws When nothing can be drawn at the moment.
 */
export const drawSketches = async (
  redraw: Redraw,
  accountId: string,
  sketches: readonly ReturnType<Redraw['sketch']>[],
): Promise<readonly DrawnPicture[]> => {
  const drawable = sketches.filter(isOk).map(({ value }) => value);
  const draw = (some: readonly Sketch[]) => redraw.drawAll(accountId, some);
  const outcomes = (await drawPatiently(drawable, PAUSES_MS, draw)).values();
  return sketches.map((sketch) => {
    if (!sketch.ok) return refused(tell({ reason: 'unfit', fault: sketch.fault }));
    const outcome = outcomes.next().value!;
    return outcome.ok ? outcome : refused(tell(outcome.fault));
  });
};

/** Returns the PNG of each code in order, as `drawSketches` does. */
export const drawPictures = (
  redraw: Redraw,
  accountId: string,
  codes: readonly DrawnFrom[],
): Promise<readonly DrawnPicture[]> =>
  drawSketches(
    redraw,
    accountId,
    codes.map((code) => redraw.sketch(code, 'png')),
  );
