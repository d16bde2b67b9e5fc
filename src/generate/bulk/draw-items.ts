/** Draws the items of a bulk call together, repaired if the call asks for that, and fails those below its grade. */
import type { Rendered } from '../../../workers/protocol.ts';
import { type Ok, ok } from '../../result.ts';
import type { Parts, Timings } from '../parts.ts';
import { gradeFault, type Terms, toPicture } from '../quality/graded.ts';
import { toMended, toRepairTask } from '../quality/repair.ts';
import { inWords, tellNotDrawn } from '../refusals.ts';
import { drawAll, refuseWithoutRoom } from '../steps.ts';
import { type Entry, type Ready, refuseItem } from './items.ts';

const isUndrawn = (entry: Entry): entry is Ok<Ready> => entry.ok && entry.value.picture === null;

/** Replaces the items that have neither failed nor been drawn by what is made of them, in order. */
const replaceUndrawn = async (
  entries: readonly Entry[],
  make: (items: readonly Ready[]) => Promise<readonly Entry[]>,
): Promise<readonly Entry[]> => {
  const made = (await make(entries.filter(isUndrawn).map(({ value }) => value))).values();
  return entries.map((entry) => (isUndrawn(entry) ? made.next().value! : entry));
};

const toDrawn = (item: Ready, rendered: Rendered): Ready => ({
  ...item,
  picture: toPicture(rendered),
  threadMs: rendered.renderMs,
});

/** A repaired design has another plan. */
const toRepaired = ({ plan, ...item }: Ready, rendered: Rendered): Ready => {
  const mended = toMended(rendered);
  return { ...item, ...mended, ...(mended.repaired === '' && plan && { plan }) };
};

/**
 * Draws every item that has neither failed nor been drawn. Adds what that took to `timings`.
 *
 * @throws {AppError} 503 when the render queue has no room for any of them.
 */
export const drawItems = async (
  parts: Parts,
  accountId: string,
  entries: readonly Entry[],
  { repair, minGrade }: Terms,
  timings: Timings,
): Promise<readonly Entry[]> => {
  const run =
    (toItem: (item: Ready, rendered: Rendered) => Ready, toTask?: Parameters<typeof drawAll>[4]) =>
    async (items: readonly Ready[]): Promise<readonly Entry[]> => {
      const subjects = items.map((item) => ({ ...item, format: 'png' as const }));
      const outcomes = await drawAll(parts, { accountId, kind: 'bulk' }, subjects, timings, toTask);
      refuseWithoutRoom(outcomes, parts.pool);
      return outcomes.map((outcome, index) => {
        if (outcome.ok) return ok(toItem(items[index]!, outcome.value));
        const { fault } = outcome;
        return refuseItem(tellNotDrawn(fault), fault.reason === 'unfit' ? 'item' : 'service');
      });
    };
  const toRepair = run(toRepaired, (planned) => toRepairTask(planned, minGrade));
  return replaceUndrawn(repair ? await replaceUndrawn(entries, toRepair) : entries, run(toDrawn));
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
): readonly Entry[] =>
  entries.map((entry) => {
    const fault = entry.ok && entry.value.picture !== null ? gradeFault(entry.value.picture, terms) : null;
    if (!entry.ok || fault === null) return entry;
    freeWork.spend(accountId, entry.value.threadMs);
    return refuseItem(inWords(fault), 'grade');
  });
