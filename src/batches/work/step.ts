/** The steps of whole batches: units are held up front, and unused ones are released at the end. */
import { partOf } from '../../db/tables/batches/parts.ts';
import { enterRotation } from '../../db/tables/batches/pieces.ts';
import {
  endsUnqueued,
  finishBatch,
  queueBatch,
  refuseBatch,
  type Step,
} from '../../db/tables/batches/steps.ts';
import { judgeNumbers } from '../rows/numbers.ts';
import { checkDuplicates } from './duplicates.ts';
import { closePart } from './files.ts';
import type { WorkParts } from './parts.ts';

/** Holds the units of a validated batch and queues it, or refuses it. */
const admit = async ({ sql, store, quota }: WorkParts, step: Step): Promise<void> => {
  const { id, accountId, keyId, keyQuota, makers, rows } = step;
  const errors = step.errors + (await checkDuplicates({ sql, store }, step));
  if (errors > 0)
    return refuseBatch(sql, step, `${errors} rows have faults; see the errors. Nothing was charged.`);
  const held = await quota.hold({ id, accountId, units: rows, keyId, keyQuota, makers });
  if (held.outcome !== 'held') {
    const isKey = held.outcome === 'key_exhausted';
    const [left, whose] = isKey
      ? [
          held.keyRemaining,
          ` of the ${makers.length === 0 ? "key's own quota" : 'quotas of the key and its makers'}`,
        ]
      : [held.balance.remaining, ''];
    const reason = `It needs ${rows} units and ${left} are left${whose}: ${rows - left} are missing. Nothing was charged.`;
    return refuseBatch(sql, step, reason);
  }
  await enterRotation(sql, accountId);
  const queued = await queueBatch(sql, step, (firstNumbers) => judgeNumbers(step, firstNumbers));
  // When the batch ends, the units are released.
  if (queued.outcome === 'refused') return refuseBatch(sql, step, `${queued.why} Nothing was charged.`);
  if (queued.outcome !== 'lost') return;
  // Another gateway has taken the step. It queues the batch with these units, or it ended the batch before they were
  // held, in which case nobody else would release them.
  if (await endsUnqueued(sql, id)) await quota.release({ id, accountId, refundUnits: rows });
};

/**
 * Releases units, and returns how many. An admission whose answer was lost may have held units that are not recorded
 * yet. Repeating the hold with the same id is idempotent and tells.
 */
const release = async ({ quota }: WorkParts, step: Step, refundUnits: number): Promise<number> => {
  const { id, accountId, keyId, keyQuota, makers, rows, hasHold } = step;
  if (hasHold === null) {
    const { outcome } = await quota.hold({ id, accountId, units: rows, keyId, keyQuota, makers });
    if (outcome !== 'held') return 0;
  }
  // A batch that was never admitted has no hold, and the ledger says so.
  return (await quota.release({ id, accountId, refundUnits })) === null ? 0 : refundUnits;
};

/** Closes the parts, releases the units of rows that were not made, and ends the batch. */
const finish = async (parts: WorkParts, step: Step): Promise<void> => {
  const { id, rows, made, failed, refundable, ending } = step;
  // An expired batch closes no parts: its results are removed at once, and the store may be why it expired.
  const last = ending === 'expired' ? 0 : partOf(Math.max(1, rows));
  for (let number = 1; number <= last; number += 1) await closePart(parts, id, number);
  await finishBatch(parts.sql, step, await release(parts, step, rows - made - failed + refundable));
  await parts.store.removeAll(`${id}/input`);
};

/** Performs the next step of a batch. @throws When that is not possible at the moment. */
export const takeNextStep = (parts: WorkParts, step: Step): Promise<void> =>
  step.state === 'finishing' ? finish(parts, step) : admit(parts, step);
