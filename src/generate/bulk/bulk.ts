import { isIndeterminate } from '../../db/faults.ts';
import type { BulkStore, NewCall } from '../../db/tables/bulk-store.ts';
import { defaultFolderName, toFolderName } from '../../db/tables/folder-name.ts';
import { AppError, fieldError } from '../../errors.ts';
import { isRefunded, type RefundPolicy } from '../../lists.ts';
import type { Balance } from '../../quota/quota.ts';
import { isOk, ok, refused } from '../../result.ts';
import { refuseWhenFull } from '../drawing.ts';
import { toNewCode } from '../new-code.ts';
import { type Caller, noTimings, type Parts, type Timings } from '../parts.ts';
import { NO_TERMS, type Terms } from '../quality/graded.ts';
import type { BulkRequest } from '../request/request.ts';
import {
  applyRefund,
  giveBack,
  RefusedRecord,
  readRecord,
  settleNow,
  type Taken,
  takeUnits,
} from '../units.ts';
import { drawItems, refuseBelow } from './draw-items.ts';
import {
  type BulkResult,
  type Entry,
  findLogos,
  type LinkRules,
  pictureOf,
  readyItems,
  renewSlugs,
  toBulkResult,
} from './items.ts';
import { repairItems } from './repair-items.ts';
import { type BulkRecord, replayCall } from './replay.ts';

/** The answer to a bulk call: one result for each item, in the order of the request. */
export interface BulkAnswer {
  readonly results: readonly BulkResult[];
  readonly usageCount: number;
  readonly remaining: number;
  readonly folderId: string;
  /** The balance now. `usageCount` and `remaining` above are those right after the call, also in a replay. */
  readonly month: Balance;
  readonly replayed: boolean;
  readonly timings: Timings;
}

/** What a bulk call needs beyond the parts of every use case. */
export interface BulkParts extends Parts {
  readonly store: BulkStore;
  readonly links: LinkRules;
  readonly refund: RefundPolicy;
}

/** There are 62^8 slugs: five clashes in a row mean that something else is wrong. */
const SAVE_ATTEMPTS = 5;

/** What a call asks of its pictures, and where the time that they take is noted. */
interface Wanted {
  readonly terms: Terms;
  readonly timings: Timings;
}

type Folder = { readonly id: string } | { readonly name: string };

/** The same text whether the folder is missing or another account's, so that nobody can probe for folders. */
const unknownFolder = () => fieldError('folderId', 'must be the id of one of your folders');

const tookTooLong = () =>
  new AppError('unavailable', 'The call took too long. Nothing was saved or charged; try again.', {
    retryAfterS: 1,
  });

/** The answer while the database does not say whether it has saved the codes. */
const unknownOutcome = (cause: unknown) =>
  new AppError(
    'unavailable',
    'The database did not say whether the codes were saved. Send the call again with the same Idempotency-Key; without one, look into the folder first.',
    { retryAfterS: 2, cause },
  );

/**
 * Makes the use case of a bulk call: it draws up to 100 codes and saves those that were drawn in one folder. A failed
 * item does not fail the call. A call that fails as a whole gives all its units back before it is answered. Its units
 * are paid if its codes were saved, also when the gateway is killed or cannot learn it.
 */
export const createBulk = (parts: BulkParts) => {
  /** A folder given by name is made when the codes are saved. One given by id must be the caller's already. */
  const chooseFolder = async (request: BulkRequest, accountId: string): Promise<Folder> => {
    const { folderId, folderName } = request;
    if (folderId !== undefined && folderName !== undefined) {
      throw fieldError('folderName', 'must not be given together with folderId');
    }
    if (folderId !== undefined) {
      if (await parts.store.hasFolder(accountId, folderId)) return { id: folderId };
      throw unknownFolder();
    }
    const checked = toFolderName(folderName ?? defaultFolderName(new Date()));
    if (!checked.ok) throw fieldError('folderName', checked.fault);
    return { name: checked.value };
  };

  const refundOf = (entries: readonly Entry[]): number =>
    entries.filter((entry) => !entry.ok && isRefunded(parts.refund, entry.fault.cause)).length;

  /** Draws what is to be drawn, and fails what is below the wanted grade. */
  const drawGraded = async (entries: readonly Entry[], accountId: string, { terms, timings }: Wanted) =>
    refuseBelow(
      parts,
      accountId,
      await drawItems(
        parts,
        accountId,
        await repairItems(parts, accountId, entries, terms, timings),
        timings,
      ),
      terms,
    );

  const newCall = ({ claim }: Caller, taken: Taken, entries: readonly Entry[]): NewCall => {
    const refundUnits = refundOf(entries);
    const call = { reservationId: taken.id, refundUnits };
    if (claim === undefined) return { ...call, claim: null };
    const answer = JSON.stringify(recordOf(entries, applyRefund(taken, refundUnits)));
    return { ...call, claim: { ...claim, answer } };
  };

  /**
   * Saves what was drawn and returns the folder's id; `null`: a call with the same Idempotency-Key was saved before. An
   * item whose slug is taken gets another and is drawn again.
   */
  const save = async (caller: Caller, taken: Taken, folder: Folder, drawn: Entry[], wanted: Wanted) => {
    for (let attempt = 1; attempt <= SAVE_ATTEMPTS; attempt += 1) {
      const codes = drawn
        .filter(isOk)
        .map(({ value }, position) => toNewCode(value, pictureOf(value), position));
      const saved = await parts.store.save(caller, folder, codes, newCall(caller, taken, drawn));
      if (saved.ok) return saved.value.folderId;
      const { fault } = saved;
      if (fault.kind === 'saved before') return null;
      if (fault.kind === 'given up') throw tookTooLong();
      if (fault.kind === 'folder gone') throw unknownFolder();
      const renewed = renewSlugs(drawn, new Set(fault.slugs), parts.links);
      drawn.splice(0, drawn.length, ...(await drawGraded(renewed, caller.accountId, wanted)));
    }
    throw new Error('no free slug was found');
  };

  /** Settles the reservation and returns the balance now. */
  const settle = async ({ accountId }: Caller, taken: Taken, refundUnits: number, timings: Timings) => {
    const closing = { id: taken.id, accountId, refundUnits };
    if (refundUnits > 0) return settleNow(parts, taken, closing, timings);
    parts.quota.settleLater(closing);
    return taken.balance;
  };

  const findSaved = ({ accountId, claim }: Caller) => parts.store.findCall(accountId, claim?.key ?? null);

  return async (request: BulkRequest, caller: Caller, terms: Terms = NO_TERMS): Promise<BulkAnswer> => {
    const timings = noTimings();
    const wanted = { terms, timings };
    const { accountId } = caller;
    // This fails without the database. Nothing could be saved then, so nothing is reserved or drawn.
    const earlier = await findSaved(caller);
    if (earlier !== null) return replayCall(parts, request, caller, earlier, wanted);
    const folder = await chooseFolder(request, accountId);
    const prepared = readyItems(request.items, parts.links);
    refuseWhenFull(
      parts,
      accountId,
      'bulk',
      prepared.filter(isOk).map(({ value }) => value.estimatedMs),
    );
    if (terms.minGrade > 0) parts.freeWork.admit(accountId);
    const units = request.items.length;
    const taken = await takeUnits(parts.quota, caller, { units, kind: 'bulk' }, timings);
    if (taken.kind === 'replay') {
      const { code, details } = readRecord(RefusedRecord, taken.answer);
      throw new AppError(code, details);
    }
    try {
      const withLogos = await findLogos(parts, accountId, prepared);
      const entries = await drawGraded(withLogos, accountId, wanted);
      const folderId = await save(caller, taken, folder, entries, wanted);
      const refundUnits = folderId === null ? units : refundOf(entries);
      const month = await settle(caller, taken, refundUnits, timings);
      if (folderId === null)
        return await replayCall(parts, request, caller, (await findSaved(caller))!, wanted);
      const { usageCount, remaining } = applyRefund(taken, refundUnits);
      const results = entries.map(toBulkResult);
      return { results, usageCount, remaining, folderId, month, replayed: false, timings };
    } catch (error) {
      if (isIndeterminate(error)) throw unknownOutcome(error);
      await giveBack(parts, caller, taken, units, error);
      throw error;
    }
  };
};

const recordOf = (entries: readonly Entry[], { usageCount, remaining }: Balance): BulkRecord => ({
  usageCount,
  remaining,
  items: entries.map((entry) =>
    entry.ok
      ? ok({ slug: entry.value.slug, logo: entry.value.found?.sha256 ?? null })
      : refused(entry.fault.error),
  ),
});
