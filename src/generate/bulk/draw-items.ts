/** Makes the pictures of a bulk call together. An item that fails keeps its place among the others. */
import type { Rendered } from '../../../workers/protocol.ts';
import { type Ok, ok } from '../../result.ts';
import { drawAll } from '../draw.ts';
import type { Call, Parts } from '../parts.ts';
import { gradeFault, toPicture } from '../quality/graded.ts';
import { toMended, toRepairTask } from '../quality/repair.ts';
import { inWords, refuseWithoutRoom, tellNotDrawn } from '../refusals.ts';
import { type Entry, type Ready, refuseItem } from './items.ts';

/**
 * Adds the logo to each item that names one and has none yet. A logo that several items share is fetched and decoded
 * once.
 *
 * @param isFree The call costs no units, so logos count as free work even when they can be used.
 */
export const findLogos = (
  parts: Pick<Parts, 'logos'>,
  accountId: string,
  entries: readonly Entry[],
  isFree = false,
): Promise<Entry[]> =>
  Promise.all(
    entries.map(async (entry) => {
      if (!entry.ok || entry.value.found !== null || entry.value.item.image === undefined) return entry;
      const found = await parts.logos.resolve(entry.value.item.image, { accountId, isFree });
      if (found.ok) return ok({ ...entry.value, found: found.value });
      return refuseItem(inWords(found.fault), found.fault.stage === 'busy' ? 'service' : 'item');
    }),
  );

const isUndrawn = (entry: Entry): entry is Ok<Ready> => entry.ok && entry.value.picture === null;

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
 * Finds the logo of, repairs if the call asks for that, and draws every item that has neither failed nor been drawn.
 *
 * @throws {AppError} 503 when the render queue has no room for any of them.
 */
export const drawItems = async (
  parts: Parts,
  call: Call,
  entries: readonly Entry[],
): Promise<readonly Entry[]> => {
  const { repair, minGrade } = call.terms;
  /** Replaces the items that are not drawn by what is made of them. */
  const run = async (
    some: readonly Entry[],
    toItem: (item: Ready, rendered: Rendered) => Ready,
    toTask?: Parameters<typeof drawAll>[4],
  ): Promise<readonly Entry[]> => {
    const subjects = some.filter(isUndrawn).map(({ value }) => ({ ...value, format: 'png' as const }));
    const outcomes = await drawAll(parts, call, 'bulk', subjects, toTask);
    refuseWithoutRoom(outcomes, parts.pool);
    const made = outcomes.values();
    return some.map((entry) => {
      if (!isUndrawn(entry)) return entry;
      const outcome = made.next().value!;
      if (outcome.ok) return ok(toItem(entry.value, outcome.value));
      const { fault } = outcome;
      return refuseItem(tellNotDrawn(fault), fault.reason === 'unfit' ? 'item' : 'service');
    });
  };
  const ready = await findLogos(parts, call.accountId, entries);
  const repaired = repair ? await run(ready, toRepaired, (task) => toRepairTask(task, minGrade)) : ready;
  return run(repaired, toDrawn);
};

/**
 * Does the same, and fails each drawn item that is below the grade that the call asks for. Such an item costs no units,
 * so drawing it counts as free work.
 */
export const makeItems = async (
  parts: Parts,
  call: Call,
  entries: readonly Entry[],
): Promise<readonly Entry[]> =>
  (await drawItems(parts, call, entries)).map((entry) => {
    const fault =
      entry.ok && entry.value.picture !== null ? gradeFault(entry.value.picture, call.terms) : null;
    if (!entry.ok || fault === null) return entry;
    parts.freeWork.spend(call.accountId, entry.value.threadMs);
    return refuseItem(inWords(fault), 'grade');
  });
