import type { BulkStore } from '../../db/tables/bulk-store.ts';
import { defaultFolderName, toFolderName } from '../../db/tables/folder-name.ts';
import { AppError, fieldError } from '../../errors.ts';
import type { Balance } from '../../quota/quota.ts';
import { isOk, ok, refused } from '../../result.ts';
import { refuseWhenFull } from '../drawing.ts';
import { toNewCode } from '../new-code.ts';
import { type Caller, noTimings, type Parts, type Timings } from '../parts.ts';
import { NO_TERMS, type Terms } from '../quality/graded.ts';
import type { BulkRequest } from '../request/request.ts';
import { giveBack, type RefusedRecord, settleNow, type Taken, takeUnits } from '../units.ts';
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
import { isRefunded, type RefundPolicy } from './refund.ts';
import { repairItems } from './repair-items.ts';
import { type BulkRecord, redrawItems } from './replay.ts';

/** The answer to a bulk call: one result for each item, in the order of the request. */
export interface BulkAnswer {
  readonly results: readonly BulkResult[];
  readonly usageCount: number;
  readonly remaining: number;
  readonly folderId: string;
  /** The balance now. In a replay, `usageCount` and `remaining` above are those of the first answer. */
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

/**
 * Makes the use case of a bulk call: it draws up to 100 codes and saves those that were drawn in one folder. A failed
 * item does not fail the call. A call that fails as a whole gives all its units back before it is answered.
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

  /** Saves what was drawn and returns the folder's id. An item whose slug is taken gets another and is drawn again. */
  const save = async (caller: Caller, folder: Folder, drawn: Entry[], wanted: Wanted) => {
    for (let attempt = 1; attempt <= SAVE_ATTEMPTS; attempt += 1) {
      const codes = drawn
        .filter(isOk)
        .map(({ value }, position) => toNewCode(value, pictureOf(value), position));
      const saved = await parts.store.save(caller, folder, codes);
      if (saved.ok) return saved.value.folderId;
      if (saved.fault.kind === 'folder gone') throw unknownFolder();
      const renewed = renewSlugs(drawn, new Set(saved.fault.slugs), parts.links);
      drawn.splice(0, drawn.length, ...(await drawGraded(renewed, caller.accountId, wanted)));
    }
    throw new Error('no free slug was found');
  };

  /** Settles the reservation and returns the balance. With an Idempotency-Key, keeps the answer for a replay. */
  const settle = async (
    caller: Caller,
    taken: Taken,
    entries: readonly Entry[],
    folderId: string,
    timings: Timings,
  ) => {
    const refundUnits = refundOf(entries);
    const closing = { id: taken.id, accountId: caller.accountId, refundUnits };
    if (caller.claim !== undefined) {
      const answer = JSON.stringify(recordOf(entries, folderId, taken.balance, refundUnits));
      return settleNow(parts, taken, { ...closing, answer }, timings);
    }
    if (refundUnits > 0) return settleNow(parts, taken, closing, timings);
    parts.quota.settleLater(closing);
    return taken.balance;
  };

  return async (request: BulkRequest, caller: Caller, terms: Terms = NO_TERMS): Promise<BulkAnswer> => {
    const timings = noTimings();
    const { accountId } = caller;
    // Without the database nothing can be saved, so nothing is reserved or drawn then.
    await parts.store.ping();
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
      const record = JSON.parse(taken.answer) as BulkRecord | RefusedRecord;
      if (record.kind === 'refused') throw new AppError(record.code, record.details);
      parts.freeWork.admit(accountId);
      const results = await redrawItems(parts, accountId, request.items, record, { terms, timings });
      parts.freeWork.spend(accountId, timings.drawnMs);
      return { ...record, results, month: taken.month, replayed: true, timings };
    }
    try {
      const withLogos = await findLogos(parts, accountId, prepared);
      const entries = await drawGraded(withLogos, accountId, { terms, timings });
      const folderId = await save(caller, folder, entries, { terms, timings });
      const month = await settle(caller, taken, entries, folderId, timings);
      const { usageCount, remaining } = month;
      return {
        results: entries.map(toBulkResult),
        usageCount,
        remaining,
        folderId,
        month,
        replayed: false,
        timings,
      };
    } catch (error) {
      await giveBack(parts, caller, taken, units, error);
      throw error;
    }
  };
};

const recordOf = (
  entries: readonly Entry[],
  folderId: string,
  taken: Balance,
  refundUnits: number,
): BulkRecord => ({
  kind: 'bulk',
  folderId,
  usageCount: taken.usageCount - refundUnits,
  remaining: taken.remaining + refundUnits,
  items: entries.map((entry) =>
    entry.ok
      ? ok({ slug: entry.value.slug, logo: entry.value.found?.sha256 ?? null })
      : refused(entry.fault.error),
  ),
});
