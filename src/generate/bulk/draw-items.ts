/** Draws the items of a bulk call together. */
import type { NotDrawn, RenderOutcome } from '../../render/outcome.ts';
import { isOk, type Ok, ok, type Refused, type Result } from '../../result.ts';
import { inWords, refuseWithoutRoom, runTasks, tellNotDrawn } from '../drawing.ts';
import type { Parts, Timings } from '../parts.ts';
import { gradeFault, type Terms, toPicture } from '../quality/graded.ts';
import { type PlannedTask, planTask } from '../task.ts';
import { type Entry, type Failed, type Ready, refuseItem } from './items.ts';

type Planned = { readonly entry: Ready } & PlannedTask;

const planItem = async (parts: Parts, entry: Ready): Promise<Result<Planned, Failed>> => {
  const planned = await planTask(parts.fitLogo, { ...entry, format: 'png' });
  return planned.ok ? ok({ entry, ...planned.value }) : refuseItem(inWords(planned.fault));
};

/** Returns the entry of an item that was not drawn. */
export const toFailed = (notDrawn: NotDrawn): Refused<Failed> =>
  refuseItem(tellNotDrawn(notDrawn), notDrawn.reason === 'unfit' ? 'item' : 'service');

const toDrawn = (entry: Ready, outcome: RenderOutcome): Entry =>
  outcome.ok
    ? ok({ ...entry, picture: toPicture(outcome.value), threadMs: outcome.value.renderMs })
    : toFailed(outcome.fault);

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
  const tasks = planned
    .filter((item) => item !== null)
    .filter(isOk)
    .map(({ value }) => value);
  const { outcomes, spentMs } = await runTasks(parts, { accountId, kind: 'bulk', tasks }, timings);
  timings.drawnMs += spentMs;
  refuseWithoutRoom(outcomes, parts.pool);

  const outcomeOf = new Map(tasks.map(({ entry }, index) => [entry, outcomes[index]!]));
  return entries.map((entry, index) => {
    const item = planned[index] ?? null;
    if (item === null) return entry;
    return item.ok ? toDrawn(item.value.entry, outcomeOf.get(item.value.entry)!) : item;
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
    freeWork.spend(accountId, entry.value.threadMs);
    return refuseItem(inWords(fault), 'grade');
  });
