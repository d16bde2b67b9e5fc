/** The steps of whole batches: their units are held, and at the end what was not used goes back. */
import { partOf } from '../../db/tables/batches/parts.ts';
import { enterRotation } from '../../db/tables/batches/pieces.ts';
import { finishBatch, keepsHold, queueBatch, refuseBatch, type Step } from '../../db/tables/batches/steps.ts';
import { closePart } from './close-part.ts';
import type { WorkParts } from './parts.ts';

/** Holds the units of a validated batch and queues it, or refuses it. */
const admit = async ({ sql, quota }: WorkParts, step: Step): Promise<void> => {
  const { id, accountId, keyId, rows, errors } = step;
  if (errors > 0)
    return refuseBatch(sql, step, `${errors} rows have faults; see the errors. Nothing was charged.`);
  const held = await quota.hold({ id, accountId, units: rows, keyId });
  if (held.outcome === 'exhausted') {
    const missing = rows - held.balance.remaining;
    const reason = `It needs ${rows} units and ${held.balance.remaining} are left: ${missing} are missing. Nothing was charged.`;
    return refuseBatch(sql, step, reason);
  }
  await enterRotation(sql, accountId);
  if (await queueBatch(sql, step)) return;
  // Another gateway has taken the step. If it has ended the batch, nobody else would give the units back.
  if (!(await keepsHold(sql, id))) await quota.release({ id, accountId, refundUnits: rows });
};

/** Closes the parts, gives back the units of rows that were not made, and ends the batch. */
const finish = async (parts: WorkParts, step: Step): Promise<void> => {
  const { id, accountId, rows, made, failed, refundable } = step;
  for (let number = 1; number <= partOf(Math.max(1, rows)); number += 1) await closePart(parts, id, number);
  const refundUnits = rows - made - failed + refundable;
  // A batch that was not admitted has no hold, and the ledger says so.
  const balance = await parts.quota.release({ id, accountId, refundUnits });
  await finishBatch(parts.sql, step, balance === null ? 0 : refundUnits);
  await parts.store.removeAll(`${id}/input`);
};

/** Takes the next step of a batch. @throws When that is not possible at the moment. */
export const takeNextStep = (parts: WorkParts, step: Step): Promise<void> =>
  step.state === 'finishing' ? finish(parts, step) : admit(parts, step);
