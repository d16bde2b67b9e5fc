/** What calls that save codes have in common, single ones and bulk calls. */

import { toFolderName } from '../db/tables/names.ts';
import type { BulkStore, Folder } from '../db/tables/saving.ts';
import { AppError, type ErrorCode, fieldError } from '../errors.ts';
import type { Balance } from '../quota/quota.ts';
import type { Caller, Parts, Timings } from './parts.ts';
import { settleNow, type Taken } from './units.ts';

/** There are 62^8 slugs: five clashes in a row mean that something else is wrong. */
export const SAVE_ATTEMPTS = 5;

/** How a request names its folder: the fields, and what they say. */
export interface FolderChoice {
  readonly fields: { readonly id: string; readonly name: string };
  readonly id: string | undefined;
  /** A folder of this name is made when the codes are saved, if it is missing. */
  readonly name: string | undefined;
  /** The name when the request says nothing. */
  readonly usual: string;
  /** The code of its faults; absent: that of a body. */
  readonly code?: ErrorCode;
}

/** The same text whether the folder is missing or another account's, so that nobody can probe for folders. */
export const unknownFolder = ({ fields, code }: Pick<FolderChoice, 'fields' | 'code'>): AppError =>
  fieldError(fields.id, 'must be the id of one of your folders', code);

/** Returns the folder of a call. One that is given by its id must exist. @throws {AppError} 400. */
export const chooseFolder = async (
  store: Pick<BulkStore, 'hasFolder'>,
  accountId: string,
  choice: FolderChoice,
): Promise<Folder> => {
  const { fields, id, name, usual, code } = choice;
  if (id !== undefined && name !== undefined)
    throw fieldError(fields.name, `must not be given together with ${fields.id}`, code);
  if (id !== undefined) {
    if (await store.hasFolder(accountId, id)) return { id };
    throw unknownFolder(choice);
  }
  const checked = toFolderName(name ?? usual);
  if (!checked.ok) throw fieldError(fields.name, checked.fault, code);
  return { name: checked.value };
};

/** Returns the 503 of a call whose units went back before its codes were saved. */
export const tookTooLong = (): AppError =>
  new AppError('unavailable', 'The call took too long. Nothing was saved or charged; try again.', {
    retryAfterS: 1,
  });

/** Returns the answer while the database does not say whether it has saved the codes. */
export const unknownOutcome = (cause: unknown): AppError =>
  new AppError(
    'unavailable',
    'The database did not say whether the codes were saved. Send the call again with the same Idempotency-Key; without one, look into the folder first.',
    { retryAfterS: 2, cause },
  );

/** Settles the reservation of a call that is saved, and returns the balance now. */
export const settleSaved = async (
  parts: Pick<Parts, 'quota' | 'log'>,
  { accountId }: Pick<Caller, 'accountId'>,
  taken: Taken,
  refundUnits: number,
  timings: Timings,
): Promise<Balance> => {
  const closing = { id: taken.id, accountId, refundUnits };
  if (refundUnits > 0) return settleNow(parts, taken, closing, timings);
  parts.quota.settleLater(closing);
  return taken.balance;
};
