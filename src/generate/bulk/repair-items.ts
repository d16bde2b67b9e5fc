import type { RenderOutcome } from '../../render/outcome.ts';
import { ok } from '../../result.ts';
import { refuseWithoutRoom } from '../drawing.ts';
import type { Timings } from '../parts.ts';
import type { Terms } from '../quality/graded.ts';
import { type RepairParts, repairAll, toMended } from '../repair/repair.ts';
import { toDesign } from '../request/design.ts';
import { needsDrawing, toFailed } from './draw-items.ts';
import type { Entry, Ready } from './items.ts';

/** An item whose slug was taken is repaired again from its original design: its new short link is another text. */
const asAsked = (entry: Ready): Ready => ({ ...entry, design: toDesign(entry.item), repaired: '' });

const toRepaired = (entry: Ready, outcome: RenderOutcome): Entry =>
  outcome.ok ? ok({ ...entry, ...toMended(outcome.value) }) : toFailed(outcome.fault);

/**
 * Repairs every item that is to be drawn, when the call asks for that.
 *
 * @throws {AppError} 503 when the render queue has no room for any of them.
 */
export const repairItems = async (
  parts: RepairParts,
  accountId: string,
  entries: readonly Entry[],
  terms: Terms,
  timings: Timings,
): Promise<readonly Entry[]> => {
  if (!terms.repair) return entries;
  const waiting = new Map(
    entries.filter(needsDrawing).map((entry) => [entry as Entry, asAsked(entry.value)]),
  );
  const subjects = [...waiting.values()];
  const outcomes = await repairAll(parts, { accountId, kind: 'bulk' }, subjects, terms, timings);
  refuseWithoutRoom(outcomes, parts.pool);
  const repaired = new Map([...waiting].map(([entry, asked], i) => [entry, toRepaired(asked, outcomes[i]!)]));
  return entries.map((entry) => repaired.get(entry) ?? entry);
};
