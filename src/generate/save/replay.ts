import type { Static } from 'typebox';
import Type from 'typebox';
import type { BulkStore, SavedCall } from '../../db/tables/saving.ts';
import type { Balance } from '../../quota/quota.ts';
import { inFormat, type Wanted } from '../file.ts';
import type { Caller, Parts, Timings } from '../parts.ts';
import type { Graded } from '../quality/graded.ts';
import type { Redraw } from '../redraw.ts';
import { codeDeleted, keyMismatch, refuseSketch } from '../refusals.ts';
import { okOrRefuse } from '../steps.ts';
import { readBalance, readRecord } from '../units.ts';

/** What is kept of a saved code under an Idempotency-Key. Its picture can be drawn again. */
export const SaveRecord = Type.Object({
  id: Type.String(),
  repaired: Type.String(),
  usageCount: Type.Integer(),
});
/** The record of a saved code. */
export type SaveRecord = Static<typeof SaveRecord>;

/** A code that is saved, its picture, and the balance after it. */
export interface SaveAnswer extends Graded, SaveRecord {
  /** The file. */
  readonly bytes: Uint8Array;
  /** The balance now. In a replay, `usageCount` is that of the first answer. */
  readonly month: Balance;
  readonly replayed: boolean;
  readonly timings: Timings;
}

/**
 * Returns the answer to the call that was saved under the caller's Idempotency-Key, with the code as it is now.
 *
 * @throws {AppError} 422 when that was another request, 404 when the code was deleted since, 503 when the ledger does
 *   not answer.
 */
export const replaySave = async (
  parts: Parts & { readonly store: BulkStore; readonly redraw: Redraw },
  { accountId, claim }: Caller,
  call: SavedCall,
  wanted: Wanted,
): Promise<SaveAnswer> => {
  if (call.bodyHash !== claim?.bodyHash) throw keyMismatch();
  const record = readRecord(SaveRecord, call.answer);
  const code = await parts.store.getCode(accountId, record.id);
  if (code === null) throw codeDeleted(record.id);
  const month = await readBalance(parts.quota, accountId);
  const sketch = okOrRefuse(parts.redraw.sketch(code, wanted.file.format), refuseSketch);
  parts.freeWork.admit(accountId);
  const { timings } = wanted;
  const { bytes, grade, warnings } = await parts.redraw.draw(accountId, sketch, timings);
  const written = await inFormat(parts, bytes, accountId, wanted);
  return { ...record, bytes: written, grade, warnings, month, replayed: true, timings };
};
