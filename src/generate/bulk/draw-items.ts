/** Draws the items of a bulk call together. */
import type { RenderOutcome } from '../../render/outcome.ts';
import { isOk, type Ok, ok, type Result } from '../../result.ts';
import { FAILURES, overloaded } from '../drawing.ts';
import type { Parts, Timings } from '../parts.ts';
import { gradeFault, type Terms, toPicture } from '../quality/graded.ts';
import { type PlannedTask, planTask } from '../task.ts';
import { type Entry, type Failed, failed, inWords, type Ready } from './items.ts';

type Planned = { readonly entry: Ready } & PlannedTask;

const planItem = async (parts: Parts, entry: Ready): Promise<Result<Planned, Failed>> => {
  const planned = await planTask(parts.fitLogo, { ...entry, format: 'png' });
  return planned.ok ? ok({ entry, ...planned.value }) : failed(inWords(planned.fault));
};

const drawn = (entry: Ready, outcome: RenderOutcome): Entry => {
  if (outcome.ok) return ok({ ...entry, picture: toPicture(outcome.value) });
  const { fault } = outcome;
  return fault.reason === 'unfit' ? failed(inWords(fault.fault)) : failed(FAILURES[fault.reason], 'service');
};

/** Whether the render queue refused a task on arrival. */
export const foundNoRoom = (outcome: RenderOutcome): boolean =>
  !outcome.ok && outcome.fault.reason === 'queue_full';

/** Whether an item has neither failed nor been drawn. */
export const needsDrawing = (entry: Entry): entry is Ok<Ready> => entry.ok && entry.value.picture === null;

/**
 * Draws every item that has neither failed nor been drawn. Adds what that took to `timings`.
 *
 * @throws {AppError} 503 when the render queue has no room for any of them.
 */
export const drawItems = async (
  parts: Parts,
  accountId: string,
  entries: readonly Entry[],
  timings: Timings,
): Promise<Entry[]> => {
  const planned = await Promise.all(
    entries.map((entry) => (needsDrawing(entry) ? planItem(parts, entry.value) : null)),
  );
  const waiting = planned
    .filter((item) => item !== null)
    .filter(isOk)
    .map(({ value }) => value);
  const run = await parts.pool.render({
    tasks: waiting.map(({ task }) => task),
    estimatedMs: waiting.map(({ estimatedMs }) => estimatedMs),
    accountId,
    kind: 'bulk',
    deadlineMs: Date.now() + parts.deadlineMs,
  });
  timings.queueMs += run.queueMs;
  timings.renderMs += run.renderMs;
  if (run.renderMs > 0) for (const { estimatedMs } of waiting) timings.drawnMs += estimatedMs;
  // The whole call found no room: that is a 503, not a hundred failed items.
  if (waiting.length > 0 && run.outcomes.every(foundNoRoom)) throw overloaded('queue_full', parts.pool);

  const outcomes = new Map(waiting.map(({ entry }, index) => [entry, run.outcomes[index]!]));
  return entries.map((entry, index) => {
    const item = planned[index] ?? null;
    if (item === null) return entry;
    return item.ok ? drawn(item.value.entry, outcomes.get(item.value.entry)!) : item;
  });
};

/**
 * Fails each drawn item that is below the grade that the call asks for. Such an item costs no units, so drawing it
 * counts as free work.
 */
export const refuseBelow = (
  { freeWork }: Pick<Parts, 'freeWork'>,
  accountId: string,
  entries: readonly Entry[],
  terms: Terms,
): Entry[] =>
  entries.map((entry) => {
    const fault = entry.ok && entry.value.picture !== null ? gradeFault(entry.value.picture, terms) : null;
    if (!entry.ok || fault === null) return entry;
    freeWork.spend(accountId, entry.value.estimatedMs);
    return failed(inWords(fault), 'grade');
  });
