import { setTimeout as sleep } from 'node:timers/promises';
import type { Rendered } from '../../workers/protocol.ts';
import type { DrawnFrom, Redraw, Sketch } from '../generate/redraw.ts';
import type { Failure, RenderOutcome } from '../render/outcome.ts';
import { isOk } from '../result.ts';

/** How long to wait each time for room in the render queue: about half a minute in all. */
const BUSY_WAITS_MS = [250, 500, 1000, 2000, 4000, 8000, 16_000] as const;

const failedBy = (outcome: RenderOutcome, ...failures: readonly Failure[]): boolean =>
  !outcome.ok && outcome.fault.reason !== 'unfit' && failures.includes(outcome.fault.reason);

/** @throws When the queue stays full for half a minute, or the pool closes. */
const drawPatiently = async (
  redraw: Redraw,
  accountId: string,
  sketches: readonly Sketch[],
): Promise<readonly RenderOutcome[]> => {
  for (const waitMs of BUSY_WAITS_MS) {
    const outcomes = await redraw.drawAll(accountId, sketches);
    if (outcomes.some((outcome) => failedBy(outcome, 'closed'))) throw new Error('the render pool is closed');
    if (!outcomes.some((outcome) => failedBy(outcome, 'queue_full', 'deadline'))) return outcomes;
    await sleep(waitMs);
  }
  throw new Error('the render queue had no room for half a minute');
};

/** A picture may crash because of its neighbours in a thread; then it is drawn again, alone. */
const drawOnceMore = async (
  redraw: Redraw,
  accountId: string,
  sketch: Sketch,
  outcome: RenderOutcome,
): Promise<RenderOutcome> =>
  failedBy(outcome, 'crashed') ? (await drawPatiently(redraw, accountId, [sketch]))[0]! : outcome;

/**
 * Draws pictures and returns them in order; `null` for one that cannot be drawn, for example because `PUBLIC_URL` has
 * become too long for its code.
 *
 * @throws When nothing can be drawn at the moment.
 */
export const drawSketches = async (
  redraw: Redraw,
  accountId: string,
  sketches: readonly ReturnType<Redraw['sketch']>[],
): Promise<readonly (Rendered | null)[]> => {
  const drawable = sketches.filter(isOk).map(({ value }) => value);
  const outcomes = (await drawPatiently(redraw, accountId, drawable)).values();
  const pictures: (Rendered | null)[] = [];
  for (const sketch of sketches) {
    if (!sketch.ok) {
      pictures.push(null);
      continue;
    }
    const outcome = await drawOnceMore(redraw, accountId, sketch.value, outcomes.next().value!);
    pictures.push(outcome.ok ? outcome.value : null);
  }
  return pictures;
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
