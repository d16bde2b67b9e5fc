/** The answer of a call that saves one code, what is kept of it for a replay, and the replay. */
import type { Static } from 'typebox';
import Type from 'typebox';
import type { BulkStore, SavedCall } from '../../db/tables/saving.ts';
import type { Balance } from '../../quota/quota.ts';
import { okOrThrow } from '../../result.ts';
import type { FileSpec } from '../file.ts';
import { readBalance, readRecord } from '../paid-call.ts';
import type { Call, Caller, Parts, Timings } from '../parts.ts';
import type { Graded } from '../quality/graded.ts';
import type { Redraw } from '../redraw.ts';
import { codeDeleted, keyMismatch, refuseSketch } from '../refusals.ts';

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
 * Returns the answer to the call that was saved under the Idempotency-Key, with the code as it is now.
 *
 * @throws {AppError} 422 when that was another request, 404 when the code was deleted since, 503 when the ledger does
 *   not answer.
 */
export const replaySave = async (
  parts: Parts & { readonly store: BulkStore; readonly redraw: Redraw },
  { accountId, claim, timings }: Caller & Call,
  saved: SavedCall,
  file: FileSpec,
): Promise<SaveAnswer> => {
  if (saved.bodyHash !== claim?.bodyHash) throw keyMismatch();
  const record = readRecord(SaveRecord, saved.answer);
  const code = await parts.store.getCode(accountId, record.id);
  if (code === null) throw codeDeleted(record.id);
  const month = await readBalance(parts.quota, accountId);
  const sketch = okOrThrow(parts.redraw.sketch(code, file.format), refuseSketch);
  parts.freeWork.admit(accountId);
  const drawn = await parts.redraw.draw(accountId, sketch, timings);
  const { bytes: png, grade, warnings } = drawn;
  const bytes = file.format === 'webp' ? await parts.webp.write(png, accountId, timings) : png;
  return { ...record, bytes, grade, warnings, month, replayed: true, timings };
};
